// A page of a plugin that exists only in the tests: each part shows components, and `window.toy` lets a test act on them.
import { avatar } from "/assets/components/avatar.js";
import { barChart, heatMap, lineChart } from "/assets/components/chart.js";
import { checkField, checksField, chipsField, dateField, radioField, selectField, textField } from "/assets/components/fields.js";
import { onFiles } from "/assets/components/files.js";
import { makeForm } from "/assets/components/form.js";
import { counted, dayWords, weekdayNames } from "/assets/components/format.js";
import { icon, iconButton, labelledButton } from "/assets/components/icons.js";
import { letterRail, windowedList } from "/assets/components/list.js";
import { menuButton } from "/assets/components/menu.js";
import { h, patch, patchChild } from "/assets/components/patch.js";
import { orderedList, rowsField } from "/assets/components/rows.js";
import { keyed, shortcuts, showHelp } from "/assets/components/shortcuts.js";
import { empty } from "/assets/components/states.js";
import { redo, undo, undoable, undoState } from "/assets/components/undoable.js";
import { view } from "/assets/components/view.js";
import { getJSON, HubError } from "/assets/hub.js";
import { choose } from "/assets/dialog.js";
import { tell } from "/assets/toast.js";

const main = document.getElementById("main");
const toy = (window.toy = { undo, redo, undoState, tell });

// A board of prices with a text and a sound between its rows.
function live() {
  let rows = Array.from({ length: 200 }, (_, place) => ({ id: place, price: 100 + place, change: 0 }));
  const describe = (row) =>
    h(
      "tr",
      { key: row.id, role: "row" },
      h("th", { scope: "row", role: "rowheader" }, `Coin ${row.id}`),
      h("td", { class: "number", role: "cell" }, row.price.toFixed(2)),
      h("td", { class: row.change < 0 ? "number down" : "number", role: "cell" }, row.change.toFixed(2)),
      h("td", { role: "cell" }, h("button", { type: "button" }, `Buy ${row.id}`)),
    );
  const draw = (words) =>
    patch(
      main,
      h("h1", null, words),
      h("textarea", { "aria-label": "Note" }),
      h("audio", {
        created: (element) => {
          element.loop = true;
        },
        src: "/toy/tone.wav",
        controls: true,
      }),
      h("details", null, h("summary", null, "More"), h("p", { id: "prose" }, "Some words that one selects for copying.")),
      h(
        "div",
        { class: "pane" },
        h(
          "table",
          { class: "board", role: "table", "aria-label": "Prices", style: { "--columns": "2fr 1fr 1fr 1fr" } },
          h("tbody", { id: "rows", role: "rowgroup" }, rows.map(describe)),
        ),
      ),
    );
  draw("Board");
  const body = document.getElementById("rows");
  Object.assign(toy, {
    draw,
    update(id, price) {
      rows[id] = { ...rows[id], price, change: price - rows[id].price };
      patchChild(body, describe(rows[id]));
    },
    redrawAll() {
      rows = rows.map((row) => ({ ...row, price: row.price + 1, change: 1 }));
      draw("Board again");
    },
    reverse() {
      patch(body, rows.toReversed().map(describe));
    },
    remove: (id) => patch(body, rows.filter((row) => row.id !== id).map(describe)),
    // Changes `count` cells, `rate` a second; gives the time that all of it took.
    run: (count, rate) =>
      new Promise((done) => {
        let made = 0;
        const begun = performance.now();
        const timer = setInterval(() => {
          toy.update((made * 37) % 200, 100 + ((made * 7919) % 1000) / 1000);
          if (++made < count) return;
          clearInterval(timer);
          done(performance.now() - begun);
        }, 1000 / rate);
      }),
  });
}

// A part that is read from the server and follows its events.
function followed() {
  toy.view = view(main, {
    topics: ["domain.toy/*"],
    read: (signal) => getJSON("/api/things", { signal }),
    draw: (things) => [
      h("h1", null, counted(things.length, "thing")),
      h("input", { "aria-label": "New thing" }),
      things.length
        ? h(
            "ul",
            null,
            things.map(({ id, name }) => h("li", { key: id }, name)),
          )
        : empty("No things yet", { picture: "list" }),
    ],
  });
}

function list() {
  const total = 100_000;
  const groups = Array.from({ length: 26 }, (_, place) => ({
    label: String.fromCharCode(65 + place),
    start: Math.floor((total / 26) * place),
  }));
  const nameAt = (index) => `${groups.findLast(({ start }) => start <= index).label} person ${index}`;
  toy.reads = [];
  const made = windowedList({
    label: "People",
    id: (item) => item.id,
    load: async (offset, limit) => {
      toy.reads.push(offset);
      return {
        rows: Array.from({ length: Math.min(limit, total - offset) }, (_, place) => ({
          id: `p${offset + place}`,
          name: nameAt(offset + place),
        })),
        total,
        groups,
      };
    },
    row: (item) => [
      h("span", { class: "pick" }, avatar(item.name)),
      h("span", { class: "words" }, h("span", { class: "title" }, item.name), h("span", { class: "subtitle" }, item.id)),
    ],
    open: (item) => {
      toy.opened = item.id;
      made.markOpen(item.id);
    },
    selected: (ids) => {
      toy.selected = [...ids];
    },
  });
  patch(
    main,
    h("h1", null, "People"),
    h("div", { style: { position: "relative" } }, h("div", { class: "pane" }, made.element), letterRail(groups, made.jump)),
  );
  toy.list = made;
  toy.ready = made.start();
}

function form() {
  let stored = {
    name: "Ada",
    note: "",
    tags: ["friends"],
    phones: [{ kind: "mobile", value: "+44 1" }],
    born: "1815-12-10",
    size: "m",
    days: ["mo"],
    plan: "a",
    news: true,
  };
  let revision = 1;
  toy.change = (values) => {
    stored = { ...stored, ...values };
    revision += 1;
  };
  const fields = [
    textField({ name: "name", label: "Name", isRequired: true }),
    rowsField({
      name: "phones",
      label: "Phone",
      addLabel: "Add phone",
      kinds: [
        ["mobile", "Mobile"],
        ["work", "Work"],
      ],
      parts: [{ label: "Phone number", inputmode: "tel" }],
    }),
    dateField({ name: "born", label: "Birthday", isYearOptional: true }),
    chipsField({ name: "tags", label: "Tags", hint: "Enter or a comma adds one.", offers: async () => ["friends", "family", "chess"] }),
    selectField({
      name: "size",
      label: "Size",
      options: [
        ["s", "Small"],
        ["m", "Medium"],
      ],
    }),
    radioField({
      name: "plan",
      label: "Plan",
      options: [
        ["a", "Every day"],
        ["b", "Once", "and never again"],
      ],
    }),
    checksField({
      name: "days",
      label: "Days",
      options: [
        ["mo", "Monday"],
        ["tu", "Tuesday"],
      ],
    }),
    checkField({ name: "news", label: "Remind me" }),
    Object.assign(textField({ name: "note", label: "Note", isLong: true }), { isMore: true }),
  ];
  toy.form = makeForm({
    fields,
    values: stored,
    revision,
    noun: "this person",
    label: "Person",
    save: async (values, seen) => {
      toy.sent = values;
      if (toy.fails) throw toy.fails;
      if (seen !== revision) throw new HubError(409, { code: "edit-conflict", detail: "changed elsewhere" });
      if (!values.name)
        throw new HubError(422, { detail: "1 value is not valid", problems: [{ field: "name", message: "a person needs a name" }] });
      return values;
    },
    reload: async () => ({ values: stored, revision }),
    saved: () => {
      toy.saved = true;
    },
    cancel: () => {
      toy.left = true;
    },
  });
  toy.failWith = (message, hint) => {
    toy.fails = message && new HubError(500, { detail: message, hint });
  };
  patch(main, h("h1", null, "Person"), toy.form.element);
}

function parts() {
  const days = Array.from({ length: 120 }, (_, place) => ({
    day: place,
    share: place % 5 ? (place % 4) / 3 : null,
    words: `Day ${place}: ${place % 4}`,
    cells: [`Day ${place}`, String(place % 4)],
  }));
  shortcuts("Here", [
    {
      key: "n",
      words: "New thing",
      act: () => {
        toy.pressed = "n";
      },
    },
    {
      key: "g t",
      words: "Go to Today",
      act: () => {
        toy.pressed = "g t";
      },
    },
    {
      key: "Mod+Enter",
      words: "Save",
      act: () => {
        toy.pressed = "save";
      },
      inFields: true,
    },
  ]);
  toy.showHelp = showHelp;
  toy.ask = () =>
    choose({
      title: "Leave?",
      text: "Your changes would be lost.",
      choices: [
        { value: "stay", words: "Keep editing" },
        { value: "go", words: "Discard" },
      ],
    });
  toy.act = () => undoable("POST", "/api/things", {}, (thing) => `${thing.name} is new.`);
  onFiles(document.body, "Drop a file", (files) => {
    toy.files = files.map((file) => file.name);
  });
  patch(
    main,
    h("h1", null, "Parts"),
    h(
      "p",
      null,
      h("button", { type: "button", class: "main", ...keyed("n") }, "New"),
      iconButton("edit", "Edit"),
      labelledButton("merge", "Merge"),
      menuButton({
        label: "More actions",
        items: () => [
          {
            words: "Copy",
            picture: "copy",
            act: () => {
              toy.chosen = "copy";
            },
          },
          null,
          {
            words: "Delete",
            picture: "trash",
            isDanger: true,
            act: () => {
              toy.chosen = "delete";
            },
          },
        ],
      }),
    ),
    h(
      "p",
      { class: "chips" },
      ["friends", "family"].map((word) => h("a", { class: "chip", href: "#" }, word)),
    ),
    h(
      "p",
      null,
      ["Ada Lovelace", "Łukasz", "明石", "👩‍🔬 Eva"].map((name) => avatar(name)),
      icon("cake", { label: "Birthday" }),
      dayWords("1815-12-10"),
    ),
    h(
      "section",
      null,
      barChart({
        title: "Glasses of water",
        targets: [{ value: 6, words: "at least 6" }],
        rows: weekdayNames().map((label, place) => ({ label, value: place + 2, state: place < 4 ? "bad" : "good" })),
      }),
      lineChart({
        title: "Weight",
        labels: ["Jan", "Feb", "Mar", "Apr"],
        series: [
          { name: "Morning", values: [70, 69.5, null, 68] },
          { name: "Evening", values: [71, 70.2, 70, 69] },
        ],
      }),
      heatMap({
        title: "Runs",
        days,
        offset: 2,
        weekdays: weekdayNames(),
        months: [
          { label: "Jan", place: 0 },
          { label: "Feb", place: 31 },
        ],
      }),
    ),
    orderedList({
      label: "Order",
      items: ["one", "two", "three"],
      row: (item) => h("span", null, item),
      name: (item) => item,
      moved: (...move) => {
        toy.moved = move;
      },
    }).element,
  );
}

({ live, followed, list, form, parts })[location.search.slice(1)]();
toy.isReady = true;
