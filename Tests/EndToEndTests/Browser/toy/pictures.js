// The components on one page, each in a section whose name is that of its picture in docs/pictures/components.
import { avatar } from "/assets/components/avatar.js";
import { barChart, heatMap, lineChart } from "/assets/components/chart.js";
import { checkField, chipsField, dateField, radioField, selectField, textField } from "/assets/components/fields.js";
import { makeForm } from "/assets/components/form.js";
import { weekdayNames } from "/assets/components/format.js";
import { icon, iconButton, labelledButton } from "/assets/components/icons.js";
import { windowedList } from "/assets/components/list.js";
import { menuButton } from "/assets/components/menu.js";
import { h, patch } from "/assets/components/patch.js";
import { orderedList, rowsField } from "/assets/components/rows.js";
import { empty, failed } from "/assets/components/states.js";
import { tell } from "/assets/toast.js";

const people = ["Ada Lovelace", "Alan Turing", "Anna Zielińska", "Bob Dylan", "Grace Hopper", "Linus Torvalds", "Łukasz Nowak", "明石 花"];
const weekdays = weekdayNames();

const actions = () => [
  h("button", { type: "button", class: "main" }, icon("add"), h("span", null, "New tea")),
  h("button", { type: "button" }, "Brew"),
  h("button", { type: "button", class: "quiet" }, "Not now"),
  h("button", { type: "button", class: "danger" }, "Delete"),
  labelledButton("edit", "Edit"),
  iconButton("pin", "Pin"),
];

const words = () => [
  people.slice(0, 5).map((name) => avatar(name)),
  h("a", { class: "chip", href: "#" }, "friends"),
  h("a", { class: "chip", href: "#", "aria-current": "true" }, "family"),
  h("span", { class: "badge" }, "12"),
  ["cake", "tag", "clock", "microphone"].map((name) => icon(name)),
];

const menu = () =>
  menuButton({
    label: "More actions",
    items: () => [
      { words: "Copy", picture: "copy" },
      { words: "Show history", picture: "clock", isChecked: true },
      null,
      { words: "Delete", picture: "trash", isDanger: true },
    ],
  });

function split() {
  const list = windowedList({
    label: "People",
    id: (name) => name,
    load: async () => ({ rows: people, total: people.length, groups: [] }),
    open: () => {},
    row: (name) => [
      h("span", { class: "pick" }, avatar(name)),
      h(
        "span",
        { class: "words" },
        h("span", { class: "title" }, name),
        h("span", { class: "subtitle" }, `+44 1865 0049${people.indexOf(name)}`),
      ),
    ],
  });
  queueMicrotask(() => list.start().then(() => list.markOpen(people[0])));
  return h(
    "div",
    { class: "split", "data-pane": "details" },
    h(
      "section",
      { class: "split-list", "aria-label": "List of people" },
      h(
        "search",
        { class: "query" },
        icon("search"),
        h("input", { type: "search", placeholder: "Search people", "aria-label": "Search people" }),
      ),
      h(
        "div",
        { class: "list-tools" },
        h(
          "div",
          { class: "toolbar" },
          menuButton({ label: "Filter", words: "All people", items: () => [], properties: { class: "quiet menu-button" } }),
          h("output", { class: "grow count" }, "8 people"),
        ),
      ),
      h("div", { class: "list-box" }, h("div", { class: "list-scroll" }, list.element)),
    ),
    h(
      "article",
      { class: "split-details" },
      h("header", { class: "view-head" }, avatar(people[0]), h("h2", null, people[0]), iconButton("edit", "Edit")),
      panel(),
    ),
  );
}

const line = (picture, name, value) => h("div", { class: "line" }, h("dt", null, icon(picture), name), h("dd", null, value));
const panel = () =>
  h(
    "section",
    { class: "panel" },
    h("h3", null, "How to reach her"),
    h(
      "dl",
      { class: "lines" },
      line("phone", "Mobile", h("a", { href: "#" }, "+44 1865 00490")),
      line("mail", "Work", h("a", { href: "#" }, "ada@example.org")),
    ),
  );

const form = () =>
  makeForm({
    label: "Tea",
    noun: "this tea",
    values: { name: "Assam", kind: "black", tags: ["morning"], bought: "2026-03-14", store: "tin", warns: true },
    revision: 1,
    fields: [
      textField({ name: "name", label: "Name", isRequired: true }),
      selectField({
        name: "kind",
        label: "Kind",
        options: [
          ["black", "Black"],
          ["green", "Green"],
        ],
      }),
      dateField({ name: "bought", label: "Bought", isYearOptional: true }),
      chipsField({ name: "tags", label: "Tags", hint: "Enter or a comma adds one.", offers: async () => [] }),
      radioField({
        name: "store",
        label: "Kept in",
        options: [
          ["tin", "A tin"],
          ["bag", "A bag", "in a cool place"],
        ],
      }),
      checkField({ name: "warns", label: "Tell me when it runs out" }),
    ],
    save: async () => {},
    cancel: () => {},
  }).element;

function rows() {
  const field = rowsField({
    name: "phones",
    label: "Phone",
    addLabel: "Add phone",
    kinds: [
      ["mobile", "Mobile"],
      ["work", "Work"],
    ],
    parts: [{ label: "Phone number", inputmode: "tel" }],
  });
  field.write([
    { kind: "mobile", value: "+44 1865 00490" },
    { kind: "work", value: "+44 1865 00491" },
  ]);
  return h(
    "div",
    { class: "form" },
    field.element,
    orderedList({
      label: "Order",
      items: ["Warm the pot", "Pour", "Wait"],
      row: (item) => h("span", null, item),
      name: (item) => item,
      moved: () => {},
    }).element,
  );
}

const board = () =>
  h(
    "table",
    { class: "board", role: "table", "aria-label": "Prices", style: { "--columns": "2fr 1fr 1fr" } },
    h(
      "thead",
      { role: "rowgroup" },
      h(
        "tr",
        { role: "row" },
        h("th", { role: "columnheader" }, "Coin"),
        h("th", { role: "columnheader", class: "number" }, "Price"),
        h("th", { role: "columnheader", class: "number" }, "24 h"),
      ),
    ),
    h(
      "tbody",
      { role: "rowgroup" },
      [
        ["Bitcoin", "67 204.10", "+1.2 %"],
        ["Ether", "3 512.08", "−0.4 %"],
        ["Solana", "148.77", "+3.9 %"],
      ].map(([name, price, change]) =>
        h(
          "tr",
          { key: name, role: "row" },
          h("th", { role: "rowheader", scope: "row" }, name),
          h("td", { role: "cell", class: "number" }, price),
          h("td", { role: "cell", class: "number" }, change),
        ),
      ),
    ),
  );

const bars = () =>
  barChart({
    title: "Glasses of water",
    targets: [{ value: 6, words: "at least 6" }],
    rows: weekdays.map((label, place) => ({
      label,
      value: [7, 6, 4, 8, 6, 9, 5][place],
      state: [7, 6, 4, 8, 6, 9, 5][place] < 6 ? "bad" : "good",
    })),
  });
const lines = () =>
  lineChart({
    title: "Weight",
    labels: ["Jan", "Feb", "Mar", "Apr", "May", "Jun"],
    series: [
      { name: "Morning", values: [71.2, 70.6, 70.1, 69.4, 69.6, 68.8] },
      { name: "Evening", values: [72, 71.3, 70.7, 70.2, 70.1, 69.5] },
    ],
  });
const days = Array.from({ length: 182 }, (_, place) => ({
  day: place,
  share: place % 5 ? ((place * 7) % 4) / 3 : null,
  words: `Day ${place}`,
  cells: [`Day ${place}`, String(place % 4)],
}));
const year = () =>
  heatMap({
    title: "Runs",
    days,
    offset: 2,
    weekdays,
    months: ["Jan", "Feb", "Mar", "Apr", "May", "Jun"].map((label, place) => ({ label, place: place * 30 })),
  });
const states = () => [
  empty("No teas yet", {
    picture: "heart",
    words: "Add the first one.",
    actions: [h("button", { type: "button", class: "main" }, icon("add"), "New tea")],
  }),
  failed(new Error("hub is not responding."), () => {}),
];

const sheets = { actions, words, menu, split, form, rows, panel, board, bars, lines, year, states };
patch(
  document.getElementById("main"),
  Object.entries(sheets).map(([id, draw]) => h("section", { id }, draw())),
);
window.toy = { tell, isReady: true };
