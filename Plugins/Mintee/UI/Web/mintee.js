// The page of Mintee: which view is drawn when, and what makes it redraw.
import { getJSON, onTopics } from "/assets/hub.js";
import { drawAnalyses, drawAnalysis } from "/mintee/analyses.js";
import { drawAnalysisForm } from "/mintee/analysisform.js";
import { isOpen } from "/mintee/form.js";
import "/mintee/keys.js";
import { drawManage } from "/mintee/manage.js";
import { article, onAddress, readAddress, state } from "/mintee/page.js";
import { drawSettings, showTheme } from "/mintee/settings.js";
import { drawTask } from "/mintee/task.js";
import { drawTaskForm } from "/mintee/taskform.js";
import { drawDay } from "/mintee/today.js";

const views = {
  manage: drawManage, new: drawTaskForm, edit: drawTaskForm, analyses: drawAnalyses, analysis: drawAnalysis,
  newanalysis: drawAnalysisForm, editanalysis: drawAnalysisForm, settings: drawSettings,
};
// Which of the four tabs a view belongs to.
const tabs = { analysis: "analyses", newanalysis: "analyses", editanalysis: "analyses", new: "manage", edit: "manage" };

function draw() {
  const view = Object.hasOwn(views, state.view ?? "") ? state.view : null;
  const tab = tabs[view] ?? view ?? (state.id ? "manage" : null);
  document.body.dataset.view = view ?? (state.id ? "task" : "today");
  for (const link of document.querySelectorAll(".views a")) {
    if (new URLSearchParams(link.search).get("view") === tab) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  return view ? views[view]() : state.id ? drawTask() : drawDay();
}

// What is being typed is not drawn over.
function drawNews(topics) {
  if (topics === null || topics.includes("ui.mintee/theme-changed")) showTheme();
  if (!isOpen()) draw();
}

onAddress(() => {
  document.querySelector("main").scrollTo(0, 0);
  return draw();
}, (link) => { if (link.matches(".views a")) article.querySelector("h2")?.focus(); });
document.addEventListener("hub-undone", () => drawNews(null));

readAddress();
showTheme();
draw();
onTopics(["domain.mintee/*", "ui.mintee/*"], drawNews);

// A page that stays open over night shows the new day.
let today = null;
setInterval(async () => {
  if (document.visibilityState === "hidden") return;
  try {
    const { today: now } = await getJSON("/api/mintee/days/today");
    if (today !== null && today !== now) drawNews([]);
    today = now;
  } catch {
    return; // The line at the foot tells that hub does not answer.
  }
}, 60_000);
