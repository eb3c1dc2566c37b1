// The page of Mintee: its views, its keys, and the way between them.
import { trashView } from "/assets/components/entitytrash.js";
import { markView } from "/assets/page.js";
import { todayText } from "/assets/components/format.js";
import { icon } from "/assets/components/icons.js";
import { onChange } from "/assets/components/live.js";
import { menuButton } from "/assets/components/menu.js";
import { h, patch } from "/assets/components/patch.js";
import { keyed, shortcuts } from "/assets/components/shortcuts.js";
import { tell, tellError } from "/assets/components/undoable.js";
import { getJSON } from "/assets/hub.js";
import { drawAnalyses, drawAnalysis, openAnalysis, removeAnalysis } from "/mintee/analyses.js";
import { drawAnalysisForm } from "/mintee/analysisform.js";
import { drawMonth } from "/mintee/month.js";
import { article, elsewhere, go, goBack, heading, onAddress, readAddress, refresh, show, state } from "/mintee/page.js";
import { drawTask, openTask } from "/mintee/task.js";
import { drawTaskForm, isOpen } from "/mintee/taskform.js";
import { drawTasks, find, removeTask } from "/mintee/tasks.js";
import { dayKeys, drawDay } from "/mintee/today.js";

const drawTrash = () =>
  trashView({
    page: { show, heading: (words) => heading(words, { hasBack: true }), refresh, elsewhere },
    link: ({ id }, { one }) => elsewhere(one === "analysis" ? { view: "analysis", id } : { id }),
  });

const views = {
  trash: drawTrash,
  tasks: drawTasks,
  month: drawMonth,
  new: drawTaskForm,
  edit: drawTaskForm,
  analyses: drawAnalyses,
  analysis: drawAnalysis,
  newanalysis: drawAnalysisForm,
  editanalysis: drawAnalysisForm,
};
// The tab that a view belongs to; null is Today.
const tabs = {
  tasks: "tasks",
  month: "month",
  analyses: "analyses",
  analysis: "analyses",
  newanalysis: "analyses",
  editanalysis: "analyses",
};
const tab = () => tabs[state.view ?? ""] ?? null;
const isAnalyses = () => tab() === "analyses";

function draw() {
  markView(state.view === "trash" || (state.view === null && state.id !== null) ? undefined : tab());
  const [view, words] = isAnalyses() ? ["newanalysis", "New analysis"] : ["new", "New task"];
  patch(
    /** @type {HTMLElement} */ (document.getElementById("new")),
    h("a", { class: "button main", href: elsewhere({ view }), ...keyed("n") }, icon("add"), h("span", null, words)),
  );
  const name = state.view ?? "";
  return (Object.hasOwn(views, name) ? views[name] : state.id ? drawTask : drawDay)();
}

patch(
  /** @type {HTMLElement} */ (document.getElementById("more")),
  menuButton({
    label: "Check, trash",
    items: () => [
      { words: "Check the data", picture: "check", act: check },
      { words: "Trash", picture: "trash", act: () => go({ view: "trash" }) },
    ],
  }),
);

// Whether all tasks and entries keep the rules of Mintee.
async function check() {
  try {
    const broken = await getJSON("/api/mintee/check");
    if (!broken.length) tell("No errors found in the data.");
    else
      tell(
        `${broken.length === 1 ? "One error" : `${broken.length} errors`} in the data: ${broken
          .slice(0, 3)
          .map(({ subject, text }) => `${subject}: ${text}`)
          .join("; ")}. hub mintee check lists all.`,
        { isError: true },
      );
  } catch (error) {
    tellError(error);
  }
}

// Keys

const items = () => [...article.querySelectorAll("[data-item] .name")].filter((item) => item.checkVisibility());
const isOutside = () => !isOpen();
/** @returns {HTMLInputElement | null} */
const query = () => document.querySelector("#query");
const inQuery = () => document.activeElement === query() && query() !== null;

function move(by) {
  const all = items();
  const row = document.activeElement?.closest("[data-item]");
  const place = all.findIndex((item) => item.closest("[data-item]") === row);
  all[Math.max(0, Math.min(place + by, all.length - 1))]?.focus();
}

// The arrows scroll where there are no rows, and belong to charts and menus that have the focus.
const canArrow = () =>
  isOutside() && items().length > 0 && !document.activeElement?.matches(".chart-drawing, summary, input[type=radio], .scroll");

/** @returns {Mintee.Named & { deleted_at?: string | null } | null} */
function chosen() {
  const row = document.activeElement?.closest("[data-item]");
  if (row?.dataset.id && article.contains(row)) return { id: row.dataset.id, name: row.querySelector(".title, .name")?.textContent ?? "" };
  return openTask() ?? openAnalysis();
}

const hasChosen = () => isOutside() && chosen() !== null && !chosen()?.deleted_at;
/** @type {(act: (item: Mintee.Named) => unknown) => () => unknown} */
const onChosen = (act) => () => {
  const item = chosen();
  return item && act(item);
};
const edit = onChosen(({ id }) => go({ id, view: isAnalyses() ? "editanalysis" : "edit" }));
const remove = onChosen((item) => (isAnalyses() ? removeAnalysis : removeTask)(item));

function back() {
  const input = query();
  if (inQuery() && input?.value) {
    input.value = "";
    return find({ q: "" });
  }
  if (state.id) return goBack();
  return state.view || state.day ? go({}) : null;
}

async function search() {
  if (state.view !== "tasks") await go({ view: "tasks" });
  for (let turn = 0; turn < 100 && !query(); turn += 1) await new Promise(requestAnimationFrame);
  query()?.select();
}

shortcuts("Habits", [
  { key: "t", words: "Today", act: () => go({}), when: isOutside },
  { key: "m", words: "All tasks", act: () => go({ view: "tasks" }), when: isOutside },
  { key: "g m", words: "Month", act: () => go({ view: "month" }), when: isOutside },
  { key: "a", words: "Analyses", act: () => go({ view: "analyses" }), when: isOutside },
  { key: "f", words: "Search tasks", act: search, when: isOutside },
  { key: "n", words: "New task, or new analysis", act: () => go({ view: isAnalyses() ? "newanalysis" : "new" }), when: isOutside },
  { key: "j", words: "Next", act: () => move(1), when: isOutside },
  { key: "ArrowDown", words: "Next", act: () => move(1), when: canArrow },
  { key: "k", words: "Previous", act: () => move(-1), when: isOutside },
  { key: "ArrowUp", words: "Previous", act: () => move(-1), when: canArrow },
  { key: "ArrowDown", words: "Next", act: () => items()[0]?.focus(), inFields: true, when: inQuery, isHidden: true },
  { key: "e", words: "Edit", act: edit, when: hasChosen },
  { key: "#", words: "Delete", act: remove, when: hasChosen },
  { key: "Delete", words: "Delete", act: remove, when: hasChosen },
  {
    key: "Escape",
    words: "Back",
    act: back,
    inFields: true,
    when: () => isOutside() && (inQuery() || !document.activeElement?.matches("input, select, textarea")),
  },
]);
shortcuts("Habits", dayKeys);

// The theme of the page is kept by Mintee, so that it is the same in its other programs.
async function showTheme() {
  const { theme, themes } = await getJSON("/api/mintee/theme");
  document.documentElement.dataset.theme = theme === themes[0] ? "" : theme;
}

onAddress(draw);
onChange(["ui.mintee/*"], () => showTheme().catch(() => {}));
document.addEventListener("hub-undone", () => {
  if (!isOpen()) refresh();
});
readAddress();
draw();

// A page that stays open over night shows the new day.
let today = todayText();
setInterval(() => {
  if (document.visibilityState === "hidden" || today === todayText()) return;
  today = todayText();
  if (!isOpen()) refresh();
}, 60_000);
