// The form of a new analysis and of one that is changed.
import { checksField, dateField, radioField, textField } from "/assets/components/fields.js";
import { makeForm } from "/assets/components/form.js";
import { todayText, westernDigits } from "/assets/components/format.js";
import { tell } from "/assets/components/undoable.js";
import { getJSON, sendJSON } from "/assets/hub.js";
import { legendField, standardLegend } from "/mintee/legend.js";
import { go, goBack, show, state } from "/mintee/page.js";
import { openForm } from "/mintee/taskform.js";

const address = (id) => `/api/mintee/analyses/${encodeURIComponent(id)}`;
const fresh = {
  id: null,
  revision: null,
  bands: [],
  form: { name: "", analysisType: 0, rangeType: 1, dateRange: 28, tags: [], legend: standardLegend },
};

/** Shows an empty form, or one with the analysis of the address. */
export function drawAnalysisForm() {
  const id = state.view === "editanalysis" ? state.id : null;
  let draw = null;
  show({
    read: async (signal) => Promise.all([id ? getJSON(address(id), { signal }) : fresh, getJSON("/api/mintee/tasks/tags", { signal })]),
    draw: ([analysis, tags]) =>
      (draw ??= openForm(
        id ? `Edit ${analysis.form.name}` : "New analysis",
        makeAnalysisForm(
          analysis,
          tags.map(({ tag }) => tag),
        ),
      ))(),
  });
}

const whole = (text) => (/^\d{1,6}$/.test(westernDigits(text.trim())) ? Number(westernDigits(text)) : 0);
const valuesOf = ({ form, bands }) => ({
  name: form.name,
  tags: form.tags,
  type: String(form.analysisType),
  kind: String(form.rangeType),
  range: String(form.dateRange || 28),
  from: form.startDate ?? todayText(),
  to: form.endDate ?? todayText(),
  legend: { ...form.legend, words: bands },
});
const formOf = ({ name, tags, type, kind, range, from, to, legend: { words, ...legend } }) => ({
  name,
  tags,
  analysisType: Number(type),
  legend,
  ...(kind === "1" ? { rangeType: 1, dateRange: whole(range) } : { rangeType: 0, dateRange: 0, startDate: from, endDate: to }),
});

function makeAnalysisForm(analysis, tags) {
  const { id } = analysis;
  const names = [...new Set([...tags, ...analysis.form.tags])];
  const kind = radioField({
    name: "kind",
    label: "Period",
    options: [
      ["1", "The last days"],
      ["0", "From one date to another"],
    ],
  });
  const range = textField({ name: "range", label: "Number of days", inputmode: "numeric" });
  const [from, to] = [dateField({ name: "from", label: "From" }), dateField({ name: "to", label: "To" })];
  function fit() {
    range.element.hidden = kind.read() === "0";
    for (const field of [from, to]) field.element.hidden = kind.read() === "1";
  }
  const made = makeForm({
    label: "Analysis",
    noun: "this analysis",
    values: valuesOf(analysis),
    revision: analysis.revision,
    fields: [
      textField({ name: "name", label: "Name", isRequired: true, maxlength: 200 }),
      checksField({
        name: "tags",
        label: "Tags",
        hint: names.length ? "The chart counts all tasks with any of these tags." : "No task has a tag yet. Give tags to your tasks first.",
        options: names.map((name) => [name, name]),
      }),
      radioField({
        name: "type",
        label: "Chart",
        options: [
          ["0", "Days", "A square for each day"],
          ["1", "Line", "The mean of seven days"],
        ],
      }),
      kind,
      range,
      from,
      to,
      legendField({ name: "legend" }),
    ],
    save: async (values, revision) => {
      const { body, operation } = id
        ? await sendJSON("PUT", address(id), formOf(values), { revision })
        : await sendJSON("POST", "/api/mintee/analyses", formOf(values));
      return { body, operation };
    },
    reload: async () => {
      const now = await getJSON(address(id));
      return { values: valuesOf(now), revision: now.revision };
    },
    saved: ({ body, operation }) => {
      tell(id ? `${body.name} saved.` : `${body.name} added. Mark it in the list to see it on the home page.`, { operation });
      return go({ view: "analysis", id: body.id }, { isSure: true });
    },
    cancel: () => (id ? go({ view: "analysis", id }) : goBack()),
  });
  made.element.addEventListener("change", fit);
  fit();
  return made;
}
