// The page of teas: list with a chart, one tea, and its form. The address says which: ?id=tea, ?view=new, ?view=edit&id=tea.
import { barChart } from "/assets/components/chart.js";
import { textField } from "/assets/components/fields.js";
import { makeForm } from "/assets/components/form.js";
import { number } from "/assets/components/format.js";
import { icon } from "/assets/components/icons.js";
import { menuButton } from "/assets/components/menu.js";
import { h } from "/assets/components/patch.js";
import { keyed, shortcuts } from "/assets/components/shortcuts.js";
import { empty } from "/assets/components/states.js";
import { tell, undoable } from "/assets/components/undoable.js";
import { view } from "/assets/components/view.js";
import { getJSON, sendJSON } from "/assets/hub.js";
import { makePage } from "/assets/page.js";

const { state, article, elsewhere, readAddress, go, guardLeaving, onAddress } = makePage({
  path: "/tea",
  fields: { id: null, view: null },
  article: document.getElementById("teas"),
});
const address = (id) => "/api/tea/" + encodeURIComponent(id);
const low = 20;
let [shown, form] = [null, null];

function show(properties) {
  shown?.close();
  const { key = location.search, draw, ...others } = properties;
  shown = view(article, { ...others, draw: (data) => h("div", { key }, draw(data)) });
}

function heading(words, ...beside) {
  document.title = `${words} · Tea`;
  return h(
    "header",
    { class: "toolbar", key: "head" },
    h(
      "h2",
      {
        class: "grow",
        tabindex: "-1",
        created: (element) =>
          queueMicrotask(() => {
            if (!form) element.focus();
          }),
      },
      words,
    ),
    beside,
  );
}

// All teas

function drawList() {
  show({
    topics: ["domain.tea/*"],
    read: (signal) => getJSON("/api/tea", { signal }),
    draw: (teas) => [
      heading(
        "Teas",
        h("a", { class: "button main", href: elsewhere({ view: "new" }), ...keyed("n") }, icon("add"), h("span", null, "New tea")),
      ),
      teas.length
        ? [h("ul", { class: "item-list", "aria-label": "Teas" }, teas.map(row)), chart(teas)]
        : empty("No teas yet", { picture: "heart", words: "Add the first one." }),
    ],
  });
}

const row = (tea) =>
  h(
    "li",
    { key: tea.id },
    h(
      "a",
      { class: "words", href: elsewhere({ id: tea.id }) },
      h("strong", null, tea.name),
      h("span", { class: "hint" }, `${number(tea.grams)} g`),
    ),
    h("button", { type: "button", "aria-label": `Brew ${tea.name}`, onclick: () => brew(tea) }, "Brew"),
  );

const chart = (teas) =>
  barChart({
    title: "Leaves",
    columns: ["Tea", "Grams"],
    target: { value: low, words: "running out" },
    rows: teas.map(({ name, grams }) => ({
      label: name,
      value: grams,
      words: `${name}: ${number(grams)} g`,
      state: grams < low ? "bad" : "good",
    })),
  });

const brew = ({ id, name }) => undoable("POST", address(id) + "/brew", {}, `A pot of ${name}.`);

// One tea

function drawTea() {
  show({
    topics: ["domain.tea/*"],
    read: (signal) => getJSON(address(state.id), { signal }),
    draw: (tea) => [
      heading(
        tea.name,
        h("a", { class: "button", href: elsewhere({ id: tea.id, view: "edit" }), ...keyed("e") }, icon("edit"), h("span", null, "Edit")),
        menuButton({
          label: "More actions",
          items: () => [
            { words: "Brew", picture: "heart", act: () => brew(tea) },
            { words: "Delete", picture: "trash", isDanger: true, act: () => remove(tea) },
          ],
        }),
      ),
      h(
        "section",
        { class: "panel" },
        h(
          "dl",
          { class: "lines" },
          line("coin", "Leaves", `${number(tea.grams)} g`),
          tea.tags.length > 0 && line("tag", "Tags", tea.tags.join(", ")),
        ),
      ),
    ],
  });
}

const line = (picture, words, value) => h("div", { class: "line" }, icon(picture), h("dt", null, words), h("dd", null, value));

async function remove({ id, name }) {
  if (await undoable("DELETE", address(id), {}, `${name} moved to the trash.`)) go({});
}

// Its form

function drawForm() {
  const id = state.view === "edit" ? state.id : null;
  show({
    read: (signal) => (id ? getJSON(address(id), { signal }) : { name: "", grams: 100, revision: null }),
    draw: (tea) => {
      form ??= formOf(id, tea);
      return [heading(id ? `Edit ${tea.name}` : "New tea"), form.element];
    },
  });
}

function formOf(id, tea) {
  const valuesOf = ({ name, grams }) => ({ name, grams: String(grams) });
  const made = makeForm({
    label: "Tea",
    noun: "this tea",
    values: valuesOf(tea),
    revision: tea.revision,
    fields: [
      textField({ name: "name", label: "Name", isRequired: true }),
      textField({ name: "grams", label: "Leaves in grams", inputmode: "numeric" }),
    ],
    save: ({ name, grams }, revision) =>
      id
        ? sendJSON("PUT", address(id), { name, grams: Number(grams) }, { revision })
        : sendJSON("POST", "/api/tea", { name, grams: Number(grams) }),
    reload: async () => {
      const now = await getJSON(address(id));
      return { values: valuesOf(now), revision: now.revision };
    },
    saved: ({ body, operation }) => {
      tell(`${body.name} ${id ? "saved" : "added"}.`, { operation });
      return go({ id: body.id }, { isSure: true });
    },
    cancel: () => go(id ? { id } : {}),
  });
  guardLeaving(made.isDirty);
  queueMicrotask(made.focus);
  return made;
}

// Keys and addresses

const isOutside = () => !form?.isOpen();
shortcuts("Tea", [
  { key: "n", words: "New tea", act: () => go({ view: "new" }), when: isOutside },
  { key: "e", words: "Edit", act: () => go({ id: state.id, view: "edit" }), when: () => isOutside() && state.id !== null },
  { key: "Escape", words: "All teas", act: () => go({}), when: () => isOutside() && state.id !== null },
]);
function draw() {
  form = null;
  return (state.view === "new" || state.view === "edit" ? drawForm : state.id ? drawTea : drawList)();
}

onAddress(draw);
document.addEventListener("hub-undone", () => {
  if (isOutside()) shown.refresh();
});
readAddress();
draw();
