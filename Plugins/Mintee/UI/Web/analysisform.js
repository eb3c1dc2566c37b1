// The form of a new analysis and of one that is changed.
import { button, make } from "/assets/dom.js";
import { getJSON, sendJSON } from "/assets/hub.js";
import { notice } from "/assets/page.js";
import { tell } from "/assets/toast.js";
import { remove } from "/mintee/analyses.js";
import { closeForm, labelled, newerNotice, openForm } from "/mintee/form.js";
import { makeLegend, standardLegend } from "/mintee/legend.js";
import { begin, elsewhere, go, heading, redraw, state } from "/mintee/page.js";

const back = { href: elsewhere({ view: "analyses" }), words: "← All analyses" };
const empty = () => ({ id: null, bands: [], form: { name: "", analysisType: 0, rangeType: 1, dateRange: 28, tags: [], legend: standardLegend } });

/** Shows an empty form, or one with the analysis of the address. */
export async function drawAnalysisForm() {
  const isHere = begin();
  const id = state.view === "editanalysis" ? state.id : null;
  try {
    const [analysis, tags] = await Promise.all([
      id ? getJSON("/api/mintee/analyses/" + encodeURIComponent(id)) : empty(), getJSON("/api/mintee/tags")]);
    if (isHere()) draw(analysis, tags.map(({ tag }) => tag));
  } catch (error) {
    if (isHere()) redraw(heading("Analysis", { back }), notice(error.message));
  }
}

function radios(name, title, choices, chosen, change = () => {}) {
  const inputs = choices.map(([value, words, ...content]) => {
    const input = make("input", { type: "radio", name, value, id: `${name}-${value}`, change });
    input.checked = value === chosen;
    return [input, make("span", { class: "choice" }, input, make("label", { for: input.id, text: words }), ...content)];
  });
  return {
    element: make("fieldset", { class: "choices", "data-field": name }, make("legend", { text: title }), ...inputs.map(([, line]) => line)),
    value: () => Number(inputs.find(([input]) => input.checked)[0].value), first: () => inputs[0][0],
  };
}

// Only tags that tasks have can be chosen, several of them: a chart looks at tasks with any of them.
function makeTagChoice(all, chosen) {
  const names = [...new Set([...all, ...chosen])];
  const find = make("input", { id: "find-tag", type: "search", placeholder: "Find a tag…", autocomplete: "off", input: () => {
    for (const { box, line } of lines) line.hidden = !box.checked && !box.value.toLowerCase().includes(find.value.trim().toLowerCase());
  }, keydown: (event) => { if (event.key === "Enter" && !event.ctrlKey) event.preventDefault(); } });
  const lines = names.map((tag, place) => {
    const box = make("input", { type: "checkbox", value: tag, id: `tag-${place}` });
    box.checked = chosen.includes(tag);
    return { box, line: make("span", { class: "choice" }, box, make("label", { for: box.id, text: tag })) };
  });
  const element = make("fieldset", { class: "choices wrap", "data-field": "tags" }, make("legend", { text: "Tags" }),
    make("p", { class: "hint", text: "All tasks with any of these tags. Tags are made where tasks are." }),
    make("label", { class: "visually-hidden", for: "find-tag", text: "Find a tag" }), make("div", { class: "cell wide" }, find),
    ...lines.map(({ line }) => line), names.length ? null : notice("No task has a tag yet."));
  return { element, first: () => find, read: () => lines.filter(({ box }) => box.checked).map(({ box }) => box.value) };
}

function makeRange(form) {
  const days = make("input", { id: "days", inputmode: "numeric", autocomplete: "off", "aria-label": "How many days" });
  const [from, to] = ["from", "to"].map((id) => make("input", { id, type: "date", "aria-label": id === "from" ? "From" : "To" }));
  const today = new Date().toISOString().slice(0, 10);
  [days.value, from.value, to.value] = [form.dateRange || 28, form.startDate ?? today, form.endDate ?? today];
  from.addEventListener("change", () => { if (from.value > to.value) to.value = from.value; });
  to.addEventListener("change", () => { if (to.value && to.value < from.value) from.value = to.value; });
  const kind = radios("range", "Days", [[0, "From, to", make("div", { class: "inputs" }, from, to)],
    [1, "Last", make("span", { class: "cell" }, days), make("span", { text: "days" })]], form.rangeType, show);
  function show() {
    for (const input of [from, to]) input.disabled = kind.value() === 1;
    days.disabled = kind.value() === 0;
  }
  show();
  const whole = (text) => (/^\d{1,6}$/.test(text.trim()) ? Number(text) : 0);
  return {
    element: kind.element, first: () => (kind.value() === 1 ? days : to),
    read: () => (kind.value() === 1 ? { rangeType: 1, dateRange: whole(days.value) }
      : { rangeType: 0, dateRange: 0, startDate: from.value, endDate: to.value }),
  };
}

function draw(analysis, all) {
  const { form } = analysis;
  const name = make("input", { id: "name", autocomplete: "off", maxlength: "200" });
  name.value = form.name;
  const type = radios("type", "Type", [[0, "Box: a square for each day"], [1, "Line: a value for each day"]], form.analysisType);
  const [tags, range, legend] = [makeTagChoice(all, form.tags), makeRange(form), makeLegend(form.legend, analysis.bands)];
  const id = analysis.id;
  openForm({
    title: id ? `Edit ${form.name}` : "New analysis", back,
    parts: { name: { element: labelled(name, "Name"), first: () => name }, tags, type, range, legend },
    read: () => ({ name: name.value, tags: tags.read(), analysisType: type.value(), ...range.read(), legend: legend.read() }),
    save: (value) => save(analysis, value),
    leave: () => go(id ? { view: "analysis", id } : { view: "analyses" }),
    more: id ? [button("Delete analysis", "#", () => remove({ id, name: form.name }, closeForm), { class: "danger" })] : [],
  });
}

async function save(analysis, value) {
  const address = "/api/mintee/analyses";
  try {
    const { body, operation } = analysis.id
      ? await sendJSON("PUT", `${address}/${encodeURIComponent(analysis.id)}`, value, { revision: analysis.revision })
      : await sendJSON("POST", address, value);
    closeForm();
    tell(analysis.id ? `${body.name} is changed.` : `${body.name} is new. Mark it to see it on the home page.`, { operation });
    await go({ view: "analysis", id: body.id });
  } catch (error) {
    if (error.code !== "edit-conflict") throw error;
    const newer = await getJSON(`${address}/${encodeURIComponent(analysis.id)}`);
    analysis.revision = newer.revision;
    newerNotice([newer.name, newer.type, newer.range, newer.tags.join(", ")]);
  }
}
