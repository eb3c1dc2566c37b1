// What pages of list and details do alike: their keys, the way back, and what follows an undo.
import { shortcuts } from "/assets/components/shortcuts.js";
import { isBeside } from "/assets/components/split.js";
import { clearToast } from "/assets/toast.js";

/**
 * Joins a page of `splitPage`, its list and its search. `draw()` draws the view of the address; `isBusy()` returns whether typed words
 * would be lost. `itemViews` are the views of one item, `innerViews` those of them that lead back to it. `remove(ids)` deletes items.
 * `keys` are further shortcuts; `move(by)` and `canArrow()` replace those of the list, and `undone()` is called after an undo.
 * @template {{ id: string }} Item
 * @param {Hub.ListPageProperties<Item>} properties
 * @returns {Hub.ListPage}
 */
export function listPage({
  name,
  noun,
  page,
  list,
  search,
  draw,
  isBusy = () => false,
  itemViews = [null],
  innerViews = ["edit", "history"],
  remove,
  keys,
  move = (by) => list.step(by),
  canArrow = () => !page.article.contains(document.activeElement) && !list.focused,
  stay = () => false,
  undone = () => {},
}) {
  const { state, go } = page;
  const query = /** @type {HTMLInputElement} */ (document.getElementById("query"));
  const isOutside = () => !isBusy();
  const inQuery = () => document.activeElement === query;
  const chosen = () => list.focused?.id ?? (itemViews.includes(state.view) ? state.id : null);
  const hasChosen = () => isOutside() && chosen() !== null;

  async function goBack() {
    if (list.selection.length) return list.clearSelection();
    const { id, view } = state;
    if (view && innerViews.includes(view)) return void (await go({ id }));
    // Beside the list the item stays open.
    if (stay()) return list.focusID(id);
    if (view !== null || id !== null) {
      if (await go({ id: null }, { focus: null })) list.focusID(id);
    } else if (state.q) {
      query.value = "";
      search.find("");
      query.focus();
    } else if (inQuery()) list.focusIndex(0);
  }

  const removeChosen = () => {
    const id = chosen();
    if (list.selection.length > 1) return remove(list.selection);
    return id && remove([id]);
  };
  const select = () => list.element.dispatchEvent(new KeyboardEvent("keydown", { key: " " }));
  const arrows = () => inQuery() || (isOutside() && canArrow());

  shortcuts(name, [
    { key: "f", words: `Search ${noun}s`, act: () => query.select(), when: isOutside },
    ...keys({ chosen, hasChosen, isOutside, inQuery }),
    { key: "#", words: "Delete", act: removeChosen, when: hasChosen },
    { key: "Delete", words: "Delete", act: removeChosen, when: hasChosen },
    { key: "j", words: `Next ${noun}`, act: () => move(1), when: isOutside },
    { key: "ArrowDown", words: `Next ${noun}`, act: () => move(1), inFields: true, when: arrows },
    { key: "k", words: `Previous ${noun}`, act: () => move(-1), when: isOutside },
    { key: "ArrowUp", words: `Previous ${noun}`, act: () => move(-1), inFields: true, when: () => arrows() && !inQuery() },
    { key: "Enter", words: "Open the best match (in search)", act: search.openFirst, inFields: true, when: inQuery },
    { key: "x", words: "Select", act: select, when: () => list.focused !== null },
    { key: "Escape", words: "Back", act: goBack, inFields: true, when: isOutside },
  ]);

  page.onAddress(draw, (link, left) => {
    if (link.matches(".back") && !isBeside()) list.focusID(left.id);
  });
  document.addEventListener(
    "click",
    (event) => {
      if (event.target?.closest?.(".views a")) clearToast();
    },
    { capture: true },
  );
  document.addEventListener("hub-undone", () => {
    search.refreshList();
    undone();
    if (isOutside()) page.refresh();
  });

  return {
    /** Shows the view of the address, and the list. */
    start() {
      page.readAddress();
      if (state.view !== null || state.id !== null) page.expectFocus();
      const started = search.startList();
      draw();
      return started;
    },
  };
}
