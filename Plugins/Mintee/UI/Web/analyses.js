// The charts of the home page, the list of all analyses, and one analysis by itself.
import { button, key, make } from "/assets/dom.js";
import { getJSON, sendJSON } from "/assets/hub.js";
import { notice } from "/assets/page.js";
import { tell, tellError } from "/assets/toast.js";
import { arrangement } from "/mintee/arrange.js";
import { picture, shapesLegend } from "/mintee/chart.js";
import { begin, elsewhere, go, heading, redraw, state } from "/mintee/page.js";

const address = (id) => "/api/mintee/analyses/" + encodeURIComponent(id);

/** Shows the home page: the charts that are on it, and below them the list of all. */
export async function drawAnalyses() {
  const isHere = begin();
  try {
    const all = await getJSON("/api/mintee/analyses");
    const home = all.filter(({ order }) => order >= 0);
    const charts = await Promise.all(home.map(({ id }) => getJSON(address(id) + "/chart").catch(gone)));
    if (!isHere()) return;
    redraw(make("div", { class: "dayhead" }, ...heading("Analyses"),
      make("a", { class: "button main", href: elsewhere({ view: "newanalysis" }), "aria-keyshortcuts": "n" }, "New analysis ", key("n"))),
    home.length ? make("ul", { class: "cards charts", "aria-label": "Home page" }, ...home.map((analysis, place) => charts[place] && card(analysis, charts[place])).filter(Boolean))
      : notice(all.length ? "No analysis is on the home page. Mark one below." : "An analysis is a chart over all tasks with a tag."),
    home.length ? shapesLegend() : null, arrangement(all, drawAnalyses, remove));
  } catch (error) {
    if (isHere()) redraw(heading("Analyses"), notice(error.message));
  }
}

// One that was deleted while the others were read is left out.
function gone(error) {
  if (error.status !== 404) throw error;
  return null;
}

function words(chart) {
  const share = chart.due ? `, ${((chart.reached * 100) / chart.due).toFixed(1)} %` : "";
  return `${chart.reached} of ${chart.due} reached${share}`;
}

const about = (chart) => make("p", { class: "hint", text: `${chart.range} · ${chart.tags.map((tag) => `#${tag}`).join(" ")} · ${
  chart.tasks.join(", ") || "no task has this tag now"}` });

function card(analysis, chart) {
  return make("li", { class: "card", "data-item": "", "data-id": analysis.id, tabindex: "-1" },
    make("h3", {}, make("a", { href: elsewhere({ view: "analysis", id: analysis.id }), "data-open": "", text: analysis.name })),
    about(chart), picture(chart), make("p", {}, make("strong", { text: words(chart) })));
}

/** Shows the analysis of the address as box and as line. */
export async function drawAnalysis() {
  const isHere = begin();
  const back = { href: elsewhere({ view: "analyses" }), words: "← All analyses" };
  try {
    const analysis = await getJSON(address(state.id));
    const own = address(analysis.id) + "/chart?type=";
    const [box, line] = await Promise.all([getJSON(own + "box"), getJSON(own + "line")]);
    if (!isHere()) return;
    const charts = analysis.type === "box" ? [box, line] : [line, box];
    redraw(heading(analysis.name, { back }), about(box),
      make("p", { class: "actions" },
        make("a", { class: "button", href: elsewhere({ view: "editanalysis", id: analysis.id }), "data-key": "e", "aria-keyshortcuts": "e" }, "Edit ", key("e")),
        button("Delete", "#", () => remove(analysis), { class: "danger", "data-key": "#" })),
      ...charts.map(picture), shapesLegend(), make("p", {}, make("strong", { text: words(box) })), bands(analysis), days(box));
  } catch (error) {
    if (isHere()) redraw(heading("Not found", { back }), notice(error.message));
  }
}

const bands = (analysis) => (analysis.bands.length ? make("p", { class: "hint", text: `Bands: ${analysis.bands.join(", ")}` }) : null);

// The same chart for those who read numbers rather than pictures.
function days(chart) {
  const counted = chart.days.filter((day) => day.reached + day.under + day.over > 0).reverse();
  const head = make("tr", {}, ...["Day", "Reached", "Under", "Over"].map((text, place) =>
    make("th", { scope: "col", class: place ? "number" : null, text })));
  const row = (day) => make("tr", {}, make("th", { scope: "row" }, make("a", { href: elsewhere({ day: day.date }), text: day.date })),
    ...[day.reached, day.under, day.over].map((number) => make("td", { class: "number", text: String(number) })));
  return make("details", {}, make("summary", { text: "Day by day" }), make("div", { class: "scroll" },
    make("table", { class: "values" }, make("thead", {}, head), make("tbody", {}, ...counted.map(row)))));
}

/** Moves an analysis to the trash at once, and offers to take that back. `done()` is called when it is there. */
export async function remove(analysis, done = () => {}) {
  try {
    const { operation } = await sendJSON("DELETE", address(analysis.id));
    done();
    tell(`${analysis.name} is in the trash.`, { operation });
    if (state.id === analysis.id) await go({ view: "analyses" });
    else await drawAnalyses();
  } catch (error) {
    tellError(error);
  }
}
