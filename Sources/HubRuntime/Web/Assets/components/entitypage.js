// The page of an entity: its list, one item, its form, the trash and the history, from what hub says of it.
import { editTags, entities, itemURL, nameOf, plugin, trashed, valueWords } from "/assets/components/entities.js";
import { entityList } from "/assets/components/entitylist.js";
import { makeForm } from "/assets/components/form.js";
import { number } from "/assets/components/format.js";
import { historyView } from "/assets/components/entityhistory.js";
import { icon } from "/assets/components/icons.js";
import { listPage } from "/assets/components/listpage.js";
import { menuButton } from "/assets/components/menu.js";
import { h, patch } from "/assets/components/patch.js";
import { keyed } from "/assets/components/shortcuts.js";
import { splitPage } from "/assets/components/split.js";
import { empty } from "/assets/components/states.js";
import { trashView } from "/assets/components/entitytrash.js";
import { tell } from "/assets/components/undoable.js";
import { getJSON, sendJSON } from "/assets/hub.js";

const capital = (words) => words[0].toUpperCase() + words.slice(1);

/**
 * Shows the page of `entity`. A plugin that wants more gives `row(item)` for the list, `details(item)` below the lines of an item,
 * `actions(item)` for its menu, `overview()` for what is shown while no item is chosen, `keys`, and a `form`: `fields()` makes its
 * fields, `values(item)` gives their values, of a new item without one, and `body(values)` is what is sent.
 * @param {Hub.EntityPageProperties} properties
 * @returns {{ page: Hub.SplitPage, list: Hub.EntityList }}
 */
export function entityPage({
  entity = entities[0],
  row,
  details = () => null,
  actions = () => [],
  overview = null,
  form = null,
  keys = () => [],
} = {}) {
  const title = document.querySelector("h1")?.textContent ?? "";
  const page = splitPage({
    path: `/${plugin}`,
    title,
    all: `All ${entity.many}`,
    kept: ["q", "tag"],
    fields: { q: "", tag: "", id: null, view: null },
  });
  const { state, go } = page;
  const items = entityList({ entity, page, emptied: page.refresh, ...(row ? { row } : {}) });
  const { list, followAddress, inUse, remove } = items;
  let opened = /** @type {Hub.Form | null} */ (null);

  const setTags = (item) => editTags(entity, item, inUse().tags);

  function menu(item) {
    const history = { words: "History", picture: "clock", act: () => go({ id: item.id, view: "history" }) };
    return [
      ...actions(item),
      ...(entity.has_tags ? [{ words: "Tags", picture: "tag", act: () => setTags(item) }] : []),
      ...(entity.has_history ? [history] : []),
      { words: "Delete", picture: "trash", isDanger: true, act: () => remove([item.id], nameOf(item)) },
    ];
  }

  const line = ({ name, title: words }, value) =>
    h("div", { class: "line", key: name }, h("dt", null, capital(words.toLowerCase())), h("dd", { dir: "auto" }, value));

  function drawItem() {
    page.show({
      topics: [`domain.${plugin}/*`],
      read: (signal) => getJSON(itemURL(entity, state.id ?? ""), { signal }),
      draw: (item) => {
        const lines = [...entity.fields, ...(entity.has_tags ? [{ name: "tags", title: "Tags" }] : [])]
          .map((field) => ({ field, words: valueWords(item[field.name]) }))
          .filter(({ words }) => words !== null);
        return [
          page.heading(nameOf(item), {
            key: item.id,
            actions: !item.deleted_at && [
              form &&
                h(
                  "a",
                  { class: "button", href: page.elsewhere({ id: item.id, view: "edit" }), ...keyed("e") },
                  icon("edit"),
                  h("span", null, "Edit"),
                ),
              menuButton({ label: "More actions", items: () => menu(item) }),
            ],
          }),
          item.deleted_at && trashed(entity, item, { restored: page.refresh }),
          lines.length > 0 &&
            h(
              "section",
              { class: "panel", key: "lines" },
              h(
                "dl",
                { class: "lines" },
                lines.map(({ field, words }) => line(field, words)),
              ),
            ),
          details(item),
        ];
      },
    });
  }

  const newButton = () =>
    form &&
    h(
      "a",
      { class: "button main", href: page.elsewhere({ view: "new" }), ...keyed("n") },
      icon("add"),
      h("span", null, `New ${entity.one}`),
    );

  function drawNothing() {
    document.title = title;
    page.show({
      topics: overview ? [`domain.${plugin}/*`] : [],
      read: (signal) => overview?.read?.(signal),
      draw: (data) =>
        items.isEmpty()
          ? empty(`No ${entity.many} yet`, { picture: "add", actions: form ? [newButton()] : [] })
          : (overview?.draw(data) ??
            empty(`No ${entity.one} selected`, { picture: "list", words: "Select one from the list, or press ? for all keys." })),
    });
  }

  function drawForm() {
    if (!form) return;
    const id = state.view === "edit" ? state.id : null;
    page.show({
      read: (signal) => (id ? getJSON(itemURL(entity, id), { signal }) : null),
      draw: (item) => {
        opened ??= formOf(form, id, item);
        const words = item ? `Edit ${nameOf(item)}` : `New ${entity.one}`;
        return [page.heading(words, { back: page.backLink({ id }), takesFocus: false }), opened.element];
      },
    });
  }

  /** @param {Hub.EntityForm} own */
  function formOf(own, id, item) {
    const made = makeForm({
      label: capital(entity.one),
      noun: `this ${entity.one}`,
      values: own.values(item),
      revision: item?.revision ?? null,
      fields: own.fields(),
      save: (values, revision) =>
        id ? sendJSON("PUT", itemURL(entity, id), own.body(values), { revision }) : sendJSON("POST", entity.path, own.body(values)),
      reload:
        id &&
        (async () => {
          const now = await getJSON(itemURL(entity, id));
          return { values: own.values(now), revision: now.revision };
        }),
      saved: ({ body, operation }) => {
        tell(`${nameOf(body)} ${id ? "saved" : "added"}.`, { operation });
        return go({ id: body.id }, { isSure: true });
      },
      cancel: () => go({ id }),
    });
    page.guardLeaving(made.isDirty);
    queueMicrotask(made.focus);
    return made;
  }

  const views = {
    trash: () => trashView({ page }),
    ...(entity.has_history ? { history: () => historyView({ page, entity }) } : {}),
    ...(form ? { new: drawForm, edit: drawForm } : {}),
  };

  function draw() {
    opened = null;
    const view = state.view ?? "";
    const isKnown = Object.hasOwn(views, view);
    page.arrange({ isOpen: isKnown || state.id !== null });
    followAddress();
    return (isKnown ? views[view] : state.id ? drawItem : drawNothing)();
  }

  patch(/** @type {HTMLElement} */ (document.getElementById("new")), newButton());
  patch(
    /** @type {HTMLElement} */ (document.getElementById("more")),
    menuButton({
      label: "Trash",
      items: () => [
        {
          words: inUse().trashed ? `Trash (${number(inUse().trashed)})` : "Trash",
          picture: "trash",
          act: () => go({ id: null, view: "trash" }),
        },
      ],
    }),
  );
  const { start } = listPage({
    name: title,
    noun: entity.one,
    page,
    list,
    search: items,
    draw,
    isBusy: () => opened?.isOpen() ?? false,
    remove,
    keys: (at) => [
      ...(form
        ? [
            { key: "n", words: `New ${entity.one}`, act: () => go({ view: "new" }), when: at.isOutside },
            { key: "e", words: "Edit", act: () => go({ id: at.chosen(), view: "edit" }), when: at.hasChosen },
          ]
        : []),
      ...(entity.has_history
        ? [{ key: "h", words: "History", act: () => go({ id: at.chosen(), view: "history" }), when: at.hasChosen }]
        : []),
      ...keys(at),
    ],
  });
  start();
  return { page, list: items };
}
