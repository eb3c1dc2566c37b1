// A windowed list with the search field of its page: the words and filters are in the address, and news are followed.
import { icon } from "/assets/components/icons.js";
import { onChange, whenListening } from "/assets/components/live.js";
import { patch } from "/assets/components/patch.js";
import { isBeside } from "/assets/components/split.js";
import { failed } from "/assets/components/states.js";

/**
 * Puts `list` on a page that has `#query`, `#query-icon`, `#list` and `#list-state`. `state` is what the address says, with the
 * words as `q` and the open item as `id`; `note(changes)` changes it and `go` shows another item. `readFilters` reads what the
 * filters offer, `restarted` is called when other rows are shown. Changes of `topics` are read.
 * @template {{ id: string }} Item
 * @param {Hub.SearchListProperties<Item>} properties
 * @returns {Hub.SearchList}
 */
export function searchList({ list, topics, state, note, go, readFilters, restarted = () => {} }) {
  const query = /** @type {HTMLInputElement} */ (document.getElementById("query"));
  const none = /** @type {HTMLElement} */ (document.getElementById("list-state"));
  let isRead = Promise.resolve();

  function showError(error) {
    if (error.name === "AbortError" || list.total > 0) return;
    none.hidden = false;
    patch(none, failed(error, restart));
  }

  // Other words or another filter: the list from its beginning.
  function restart() {
    isRead = list.reset().then(restarted).catch(showError);
    return isRead;
  }

  /** Waits for the rows, also when a person types faster than they come. */
  async function whenRead() {
    let awaited;
    do {
      awaited = isRead;
      await awaited;
    } while (awaited !== isRead);
  }

  /** Searches for `words`. */
  function find(words) {
    note({ q: words });
    return restart();
  }

  /** Reads list and filters again. */
  async function refreshList() {
    readFilters();
    await list.refresh().catch(showError);
  }

  /**
   * Returns what to call when the item `id` was removed: the next one takes its place beside the list, and the list is shown again
   * in a narrow window; the focus stays in the list where it was there. To be called before the item is removed.
   */
  function removing(id) {
    const after = list.neighbour(id);
    const wasInList = list.focused !== null;
    return async () => {
      if (state.id === id) await go({ id: isBeside() && after ? after.id : null });
      await refreshList();
      if (list.total === 0) (document.querySelector("#details :is(a[href], button)") ?? query).focus();
      else if (wasInList || !isBeside()) list.focusID(after?.id);
    };
  }

  return {
    find,
    refreshList,
    restart,
    whenRead,
    removing,
    /** Shows the words of the address in the search field, and what they find. */
    followAddress() {
      if (query.value.trim() !== state.q) {
        query.value = state.q;
        restart();
      }
      list.markOpen(state.id);
    },
    /** Opens the first match. */
    async openFirst() {
      await whenRead();
      const first = list.total ? list.element.querySelector("[data-index='0']")?.dataset.id : null;
      if (first) go({ id: first });
    },
    /** Begins to show the list and to follow changes. */
    async startList() {
      patch(/** @type {HTMLElement} */ (document.getElementById("list")), list.element);
      patch(/** @type {HTMLElement} */ (document.getElementById("query-icon")), icon("search"));
      onChange(topics, refreshList);
      query.addEventListener("input", () => find(query.value.trim()));
      query.value = state.q;
      await whenListening();
      readFilters();
      isRead = list.start().catch(showError);
      await isRead;
      list.markOpen(state.id);
    },
  };
}
