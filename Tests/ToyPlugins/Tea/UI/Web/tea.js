// What the page of teas has more than that of every entity: brewing, a chart of what is left, and a form.
import { barChart } from "/assets/components/chart.js";
import { entityPage } from "/assets/components/entitypage.js";
import { textField } from "/assets/components/fields.js";
import { number } from "/assets/components/format.js";
import { undoable } from "/assets/components/undoable.js";
import { getJSON } from "/assets/hub.js";

const low = 20;

const brew = ({ id, name }) => undoable("POST", `/api/tea/${encodeURIComponent(id)}/brew`, {}, `A pot of ${name}.`);

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

entityPage({
  actions: (tea) => [{ words: "Brew", picture: "heart", act: () => brew(tea) }],
  overview: { read: (signal) => getJSON("/api/tea", { signal }), draw: chart },
  form: {
    fields: () => [
      textField({ name: "name", label: "Name", isRequired: true }),
      textField({ name: "grams", label: "Leaves in grams", inputmode: "numeric" }),
    ],
    values: (tea) => ({ name: tea?.name ?? "", grams: String(tea?.grams ?? 100) }),
    body: ({ name, grams }) => ({ name, grams: Number(grams) }),
  },
});
