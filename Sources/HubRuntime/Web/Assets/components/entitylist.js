// The list of an entity's items beside its details: search as one types, filters, and several items at once.
import { countOf, nameOf, plugin, removeItems, tagItems, valueWords } from "/assets/components/entities.js";
import { counted, number } from "/assets/components/format.js";
import { iconButton } from "/assets/components/icons.js";
import { windowedList } from "/assets/components/list.js";
import { menuButton } from "/assets/components/menu.js";
import { h, patch } from "/assets/components/patch.js";
import { searchList } from "/assets/components/searchlist.js";
import { isBeside } from "/assets/components/split.js";
import { empty } from "/assets/components/states.js";
import { once } from "/assets/components/undoable.js";
import { getJSON } from "/assets/hub.js";

/**
 * The values of a row below its name: numbers with their titles, texts alone.
 * @param {Hub.Entity} entity
 * @param {Record<string, unknown>} item
 * @returns {string}
 */
const subtitle = ({ fields }, item) =>
  fields
    .filter((field) => field.in_list)
    .map(({ name, title }) => {
      const words = valueWords(item[name]);
      return typeof item[name] === "number" ? `${words} ${title.toLowerCase()}` : words;
    })
    .filter(Boolean)
    .join(" · ");

/**
 * The list of `entity` on a page of `splitPage`, whose address has `q` and the filters `names`. `row(item)` describes a row;
 * `filterItems(item)` gives further filters for the menu, where `item(words, count, changes)` makes one, and `filterWords()` names
 * the one that is on. `tools()` are further elements beside the filters, `buttons(ids, done)` those of a selection. `emptied` is
 * called when there is nothing to list any more, or something again.
 * @param {Hub.EntityListProperties} properties
 * @returns {Hub.EntityList}
 */
export function entityList({
  entity,
  page,
  row = (item) => [
    h("span", { class: "words" }, h("span", { class: "title" }, nameOf(item)), h("span", { class: "subtitle" }, subtitle(entity, item))),
  ],
  names = entity.has_tags ? ["tag"] : [],
  topics = [`domain.${plugin}/*`],
  groups = (all) => all,
  open = (item) => page.go({ id: item.id }, { focus: isBeside() && !document.activeElement?.matches(":focus-visible") ? null : "heading" }),
  filterItems = () => [],
  filterWords = () => null,
  tools: more = () => [],
  buttons = () => [],
  read = () => {},
  emptied = page.redraw,
  restarted = () => {},
  removed = () => {},
}) {
  const { state } = page;
  const place = /** @type {HTMLElement} */ (document.getElementById("list-tools"));
  const none = /** @type {HTMLElement} */ (document.getElementById("list-state"));
  const all = `All ${entity.many}`;
  let filters = /** @type {Hub.EntityFilters} */ ({ tags: [], trashed: 0 });

  const condition = () => Object.fromEntries(["q", ...names].filter((name) => state[name]).map((name) => [name, state[name] ?? ""]));
  const isFiltered = () => names.some((name) => state[name]);
  // A saved search is a filter too; its place is the search field.
  const savedName = () => filters.searches?.find(({ name }) => state.q === `@${name}`)?.name ?? null;
  const isEmpty = () => list.isKnown && list.total === 0 && !state.q && !isFiltered();

  async function load(offset, limit, signal) {
    const asked = new URLSearchParams({ ...condition(), offset, limit });
    const answer = await getJSON(`${entity.path}/rows?${asked}`, { signal });
    read(answer);
    return { ...answer, groups: groups(answer.groups) };
  }

  const list = windowedList({
    label: all,
    load,
    row,
    id: (item) => item.id,
    selected: draw,
    drawn: drawState,
    allIDs: async () => (await getJSON(`${entity.path}/ids?${new URLSearchParams(condition())}`)).ids,
    open,
  });
  list.element.id = entity.many;

  function drawState({ total, isKnown }) {
    if (!isKnown) return draw();
    none.hidden = total > 0;
    if (page.setEmpty(isEmpty())) emptied();
    if (total === 0) {
      const words = state.q ? `No ${entity.one} matches “${state.q}”` : `No ${entity.many} here`;
      patch(none, isEmpty() ? null : empty(words, { picture: "search" }));
    }
    draw();
  }

  const menu = () => {
    const item = (words, count, changes) => ({
      words: count === null ? words : `${words} (${number(count)})`,
      act: () => choose(changes),
      isChecked: savedName() === null && names.every((name) => (changes[name] ?? "") === state[name]),
    });
    const tags = (filters.tags ?? []).map(({ tag, count }) => item(tag, count, { tag }));
    return [item(all, null, {}), ...(tags.length ? [null, ...tags] : []), ...filterItems(item)];
  };

  function draw() {
    const { selection } = list;
    patch(place, selection.length ? selectionBar(selection) : filterBar());
  }

  function filterBar() {
    const isSaved = savedName() !== null;
    return h(
      "div",
      { class: "toolbar", key: "filters" },
      names.length > 0 &&
        menuButton({
          label: "Filter",
          words: state.tag ? `Tag: ${state.tag}` : (filterWords() ?? (isSaved ? `@${savedName()}` : all)),
          items: menu,
          properties: { class: isFiltered() || isSaved ? "quiet menu-button filtered" : "quiet menu-button" },
        }),
      (isFiltered() || isSaved) && iconButton("close", `Show all ${entity.many}`, () => choose({})),
      h(
        "output",
        { class: "grow count", for: "query" },
        !list.isKnown ? "" : state.q ? counted(list.total, "match", "matches") : countOf(entity, list.total),
      ),
      more(),
    );
  }

  function selectionBar(selection) {
    const done = (isDone = true) => {
      if (isDone) list.clearSelection();
    };
    return h(
      "div",
      { class: "selection-bar", key: "selection", role: "toolbar", "aria-label": `Selected ${entity.many}` },
      iconButton("close", "Clear the selection", () => done()),
      h("strong", { role: "status" }, `${number(selection.length)} selected`),
      selection.length < list.total && iconButton("select", "Select all", () => list.selectAll()),
      entity.has_tags && iconButton("tag", "Change tags", () => tagItems(entity, selection, filters.tags)),
      buttons(selection, done),
      iconButton("trash", "Delete", () => remove(selection)),
    );
  }

  /** Moves items to the trash at once; the next of the list takes the place of the open one. `name` is that of a single one. */
  const remove = (ids, name = list.itemOf(ids[0]) && nameOf(list.itemOf(ids[0]))) =>
    once(`delete ${ids[0]}`, async () => {
      const isOpen = ids.includes(state.id);
      const showNext = search.removing(isOpen ? state.id : ids[0]);
      if (!(await removeItems(entity, ids, ids.length > 1 ? null : name))) return;
      removed(ids);
      list.clearSelection();
      if (isOpen || ids.length === 1) await showNext();
      else await search.refreshList();
    });

  /** Shows only the items of one filter. */
  function filter(changes) {
    page.note(Object.fromEntries(names.map((name) => [name, changes[name] ?? ""])));
    return search.restart();
  }

  /** Filters, without the saved search that was shown before. */
  function choose(changes) {
    if (savedName() === null) return filter(changes);
    return page.go({ id: state.id, ...Object.fromEntries(names.map((name) => [name, ""])), ...changes, q: "" });
  }

  async function readFilters() {
    filters = await getJSON(`${entity.path}/filters`).catch(() => filters);
    draw();
  }

  const search = searchList({ list, topics, state, note: page.note, go: page.go, readFilters, restarted });
  return {
    ...search,
    list,
    isEmpty,
    filter,
    remove,
    /** What the list can be filtered by. */
    inUse: () => filters,
  };
}
