// The page: a list, and the form of one item. The address says which: ?view=new, ?id=ID.
import { dateField, textField } from "/assets/components/fields.js";
import { makeForm } from "/assets/components/form.js";
import { dayWords } from "/assets/components/format.js";
import { icon } from "/assets/components/icons.js";
import { h } from "/assets/components/patch.js";
import { keyed, shortcuts } from "/assets/components/shortcuts.js";
import { empty } from "/assets/components/states.js";
import { tell, undoable } from "/assets/components/undoable.js";
import { view } from "/assets/components/view.js";
import { getJSON, sendJSON } from "/assets/hub.js";
import { makePage } from "/assets/page.js";

const { state, article, elsewhere, readAddress, go, guardLeaving, onAddress } = makePage({
  path: "/cellar",
  fields: { id: null, view: null },
  article: /** @type {HTMLElement} */ (document.getElementById("bottles")),
});
const address = (id) => "/api/cellar/" + encodeURIComponent(id);
/** @type {Hub.View<any> | null} */
let shown = null;
/** @type {Hub.Form | null} */
let form = null;

function show({ draw, ...others }) {
  shown?.close();
  const key = location.search;
  shown = view(article, { ...others, draw: (data) => h("div", { key }, draw(data)) });
}

function heading(words, ...beside) {
  document.title = `${words} · Cellar`;
  return h("header", { class: "toolbar", key: "head" }, h("h2", { class: "grow", tabindex: "-1" }, words), beside);
}

function drawList() {
  const add = h("a", { class: "button main", href: elsewhere({ view: "new" }), ...keyed("n") }, icon("add"), h("span", null, "New"));
  show({
    topics: ["domain.cellar/*"],
    read: (signal) => getJSON("/api/cellar", { signal }),
    draw: (bottles) => [
      heading("Bottles", add),
      bottles.length
        ? h("ul", { class: "item-list", "aria-label": "Bottles" }, bottles.map(row))
        : empty("No bottles yet", { words: "Add the first one." }),
    ],
  });
}

const row = (bottle) =>
  h(
    "li",
    { key: bottle.id },
    h(
      "a",
      { class: "words", href: elsewhere({ id: bottle.id }) },
      h("strong", null, bottle.name),
      h("span", { class: "hint" }, bottle.day ? dayWords(bottle.day) : ""),
    ),
    h("button", { type: "button", "aria-label": `Delete ${bottle.name}`, onclick: () => remove(bottle) }, icon("trash")),
  );

const remove = ({ id, name }) => undoable("DELETE", address(id), {}, `${name} moved to the trash.`);

function drawForm() {
  const id = state.id;
  show({
    read: (signal) => (id ? getJSON(address(id), { signal }) : { name: "", day: null, revision: null }),
    draw: (bottle) => {
      form ??= formOf(id, bottle);
      return [heading(id ? bottle.name : "New bottle"), form.element];
    },
  });
}

function formOf(id, bottle) {
  const valuesOf = (it) => ({ name: it.name, day: it.day ?? "" });
  const made = makeForm({
    label: "Bottle",
    noun: "this bottle",
    values: valuesOf(bottle),
    revision: bottle.revision,
    fields: [textField({ name: "name", label: "Name", isRequired: true }), dateField({ name: "day", label: "Day" })],
    save: (values, revision) => (id ? sendJSON("PUT", address(id), values, { revision }) : sendJSON("POST", "/api/cellar", values)),
    reload: async () => {
      const now = await getJSON(address(id));
      return { values: valuesOf(now), revision: now.revision };
    },
    saved: ({ body, operation }) => {
      tell(`${body.name} ${id ? "saved" : "added"}.`, { operation });
      return go({}, { isSure: true });
    },
    cancel: () => go({}),
  });
  guardLeaving(made.isDirty);
  queueMicrotask(made.focus);
  return made;
}

shortcuts("Cellar", [{ key: "n", words: "New bottle", act: () => go({ view: "new" }), when: () => !form?.isOpen() }]);

function draw() {
  form = null;
  if (state.view === "new" || state.id) drawForm();
  else drawList();
}

onAddress(draw);
document.addEventListener("hub-undone", () => {
  if (!form?.isOpen()) shown?.refresh();
});
readAddress();
draw();
