// The charts of the home page, the list of all analyses, and one analysis by itself.
import { dragHandle } from "/assets/components/dragging.js";
import { icon, iconButton } from "/assets/components/icons.js";
import { menuButton } from "/assets/components/menu.js";
import { h } from "/assets/components/patch.js";
import { keyed } from "/assets/components/shortcuts.js";
import { empty, failed } from "/assets/components/states.js";
import { once, undoable } from "/assets/components/undoable.js";
import { getAll, getJSON } from "/assets/hub.js";
import { dayMap, meanLine, tasksWords } from "/mintee/charts.js";
import { elsewhere, go, goBack, heading, refresh, setOrigin, show, state } from "/mintee/page.js";

const address = (id) => "/api/mintee/analyses/" + encodeURIComponent(id);
let shown = null;

/**
 * The analysis that is shown, or null.
 * @returns {Mintee.Analysis | null}
 */
export const openAnalysis = () => (state.view === "analysis" ? shown : null);

/** Shows the home page: the charts that are on it, and below them the list of all. */
export function drawAnalyses() {
  setOrigin("Analyses");
  show({
    topics: ["domain.mintee/*"],
    read: async (signal) => {
      const all = await getAll("/api/mintee/analyses?limit=500", { signal });
      const chosen = all.filter(({ order }) => order >= 0);
      // While none was chosen, there is something to see all the same.
      const home = chosen.length ? chosen : all.slice(0, 8);
      // One that is deleted while the others are read is left out.
      const charts = await Promise.all(
        home.map(({ id }) =>
          getJSON(address(id) + "/chart", { signal }).catch((error) => {
            if (error.status !== 404) throw error;
          }),
        ),
      );
      return { all, home: home.map((analysis, place) => ({ ...analysis, chart: charts[place] })).filter(({ chart }) => chart) };
    },
    draw: ({ all, home }) => [
      heading("Analyses"),
      all.length
        ? h("ul", { class: "cards charts", "aria-label": "Home page", key: "home" }, home.map(card))
        : empty("No analyses yet", {
            picture: "chart",
            words: "An analysis is a chart of all tasks with a tag.",
            actions: [
              h("a", { class: "button main", href: elsewhere({ view: "newanalysis" }) }, icon("add"), h("span", null, "New analysis")),
            ],
          }),
      all.length > 0 && arrangement(all),
    ],
  });
}

const chartOf = (chart, title) => (chart.type === "box" ? dayMap(chart, title) : meanLine(chart, title));
const about = (chart) => h("p", { class: "hint" }, `${chart.range[0].toUpperCase()}${chart.range.slice(1)} · ${tasksWords(chart)}`);

function card({ id, name, chart }) {
  return h(
    "li",
    { class: "card", key: id, "data-item": "", "data-id": id },
    h("h3", null, h("a", { class: "name", href: elsewhere({ view: "analysis", id }) }, name)),
    about(chart),
    chartOf(chart, chart.tags.map((tag) => `#${tag}`).join(" ")),
  );
}

// Which analyses are on the home page, and in which order.
function arrangement(all) {
  const home = all.filter(({ order }) => order >= 0).map(({ id }) => id);
  const order = async (ids, words) => {
    if (await undoable("PUT", "/api/mintee/analyses/order", { ids }, words)) refresh();
  };
  const place = (analysis, to) =>
    order(home.filter((id) => id !== analysis.id).toSpliced(to, 0, analysis.id), `${analysis.name} is number ${to + 1}.`);
  const row = (analysis) => {
    const at = home.indexOf(analysis.id);
    const step = (words, picture, by) =>
      iconButton(picture, `${words} ${analysis.name}`, () => place(analysis, at + by), { disabled: at < 0 || home[at + by] === undefined });
    return h(
      "li",
      {
        key: analysis.id,
        "data-item": "",
        "data-id": analysis.id,
      },
      at >= 0
        ? h(
            "span",
            dragHandle((from, to) =>
              place(
                all.find(({ id }) => id === home[from]),
                to,
              ),
            ),
            icon("drag"),
          )
        : h("span", { class: "handle", "aria-hidden": "true" }),
      h(
        "div",
        null,
        h("a", { class: "name", href: elsewhere({ view: "analysis", id: analysis.id }) }, analysis.name),
        h(
          "p",
          { class: "hint" },
          `${analysis.type === "box" ? "Days" : "Line"} · ${analysis.range} · ${analysis.tags.join(", ") || "no tags"}`,
        ),
      ),
      h(
        "label",
        { class: "check" },
        h("input", {
          type: "checkbox",
          checked: at >= 0,
          "aria-label": `${analysis.name} on the home page`,
          onchange: (event) =>
            order(
              event.currentTarget.checked ? [...home, analysis.id] : home.filter((id) => id !== analysis.id),
              `${analysis.name} is ${event.currentTarget.checked ? "on" : "off"} the home page.`,
            ),
        }),
        h("span", null, "Home page"),
      ),
      step("Move up", "up", -1),
      step("Move down", "down", 1),
      more(analysis),
    );
  };
  return h(
    "section",
    { class: "arrange", "aria-labelledby": "all", key: "all" },
    h("h3", { id: "all" }, "All analyses"),
    h("ol", { class: "ordered" }, all.map(row)),
  );
}

const more = (analysis) =>
  menuButton({
    label: `More for ${analysis.name}`,
    items: () => [
      { words: "Edit", picture: "edit", act: () => go({ view: "editanalysis", id: analysis.id }) },
      { words: "Delete", picture: "trash", isDanger: true, act: () => removeAnalysis(analysis) },
    ],
  });

/** Shows the analysis of the address as days and as line. */
export function drawAnalysis() {
  shown = null;
  const { id } = state;
  show({
    topics: ["domain.mintee/*"],
    read: async (signal) => Promise.all([getJSON(address(id), { signal }), getJSON(address(id) + "/chart?type=box", { signal })]),
    draw: ([analysis, chart]) => {
      shown = analysis;
      const charts = [dayMap(chart, "Day by day"), meanLine(chart, "Mean of 7 days")];
      return [
        heading(analysis.name, {
          hasBack: true,
          beside: h(
            "div",
            { class: "toolbar" },
            h(
              "a",
              { class: "button", href: elsewhere({ view: "editanalysis", id: analysis.id }), ...keyed("e") },
              icon("edit"),
              h("span", null, "Edit"),
            ),
            menuButton({
              label: "More actions",
              items: () => [{ words: "Delete", picture: "trash", isDanger: true, act: () => removeAnalysis(analysis) }],
            }),
          ),
        }),
        about(chart),
        h(
          "p",
          { class: "chips" },
          chart.tags.map((tag) => h("a", { class: "chip", href: elsewhere({ view: "tasks", tag }) }, tag)),
        ),
        analysis.bands.length > 0 && h("p", { class: "hint" }, `Value ranges: ${analysis.bands.join("; ")}`),
        ...(analysis.type === "box" ? charts : charts.toReversed()),
      ];
    },
    onError: (error) => [heading("Not found", { hasBack: true }), failed(error, drawAnalysis)],
  });
}

/**
 * Moves an analysis to the trash, which can be undone.
 * @param {Mintee.Named} analysis
 * @returns {Promise<void>}
 */
export const removeAnalysis = ({ id, name }) =>
  once(`delete ${id}`, async () => {
    if (!(await undoable("DELETE", address(id), {}, `${name} moved to the trash.`))) return;
    if (state.id === id) await goBack();
    else await refresh();
  });
