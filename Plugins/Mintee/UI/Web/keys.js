// The keyboard does everything.
import { isTyping, onKeys, showHelp } from "/assets/keys.js";
import { cancel, isOpen, submit } from "/mintee/form.js";
import { article, go, state } from "/mintee/page.js";
import { removeShown } from "/mintee/task.js";
import { focusedCard } from "/mintee/today.js";

const items = () => [...article.querySelectorAll("[data-item]")];
const isDay = () => state.view === null && state.id === null;
const isAnalysis = () => state.view === "analyses" || state.view === "analysis";

function move(by) {
  const all = items();
  const place = all.indexOf(document.activeElement.closest("[data-item]"));
  all[Math.max(0, Math.min(place + by, all.length - 1))]?.focus();
}

const step = (by) => () => article.querySelector(`[data-step="${by}"]`)?.click();

async function find() {
  if (state.view !== "manage") await go({ view: "manage" });
  // The field comes with the list.
  for (let turn = 0; turn < 100 && !document.getElementById("query"); turn += 1) await new Promise(requestAnimationFrame);
  document.getElementById("query")?.select();
}

function goBack() {
  if (isOpen()) return cancel();
  const active = document.activeElement;
  if (active.id === "query" && active.value) {
    active.value = "";
    return active.dispatchEvent(new Event("input"));
  }
  if (state.view === "analysis") return go({ view: "analyses" });
  if (state.id) return go({ view: "manage" });
  return isDay() && !state.day ? article.focus() : go({});
}

const edit = () => state.id && go({ id: state.id, view: state.view === "analysis" ? "editanalysis" : "edit" });
const drop = () => (state.view === "analysis" ? article.querySelector('[data-key="#"]')?.click() : removeShown());

const act = {
  "?": showHelp, "/": find, t: () => go({}), m: () => go({ view: "manage" }), a: () => go({ view: "analyses" }),
  ",": () => go({ view: "settings" }), n: () => go({ view: isAnalysis() ? "newanalysis" : "new" }),
  j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1), e: edit, "#": drop, Delete: drop,
};
const days = { "[": step(-1), "]": step(1), ArrowLeft: step(-1), ArrowRight: step(1) };

// What a key does on a card: on a task of a day all that can be entered, else one of its own buttons.
function onCard(name, active) {
  const card = focusedCard();
  if (card && (name !== "Enter" || active === card.element)) return card.does[name] ?? null;
  const item = active.closest("[data-item]");
  if (!item) return null;
  if (name === "Enter") return active === item ? () => item.querySelector("[data-open]")?.click() : null;
  const own = item.querySelector(`[data-key="${CSS.escape(name === "Delete" ? "#" : name)}"]`);
  return own ? () => own.click() : null;
}

onKeys((event) => {
  const [name, active] = [event.key, document.activeElement];
  if (name === "Escape") return goBack;
  if (event.ctrlKey) return name === "Enter" && isOpen() ? submit : null;
  if (active.id === "query" && name === "ArrowDown") return () => items()[0]?.focus();
  if (isTyping(active)) return null;
  // Arrows move between the choices of a field, and scroll a chart.
  if (name.startsWith("Arrow") && active.matches("input[type=radio], .scroll, summary")) return null;
  if (isOpen() && !["?"].includes(name)) return null;
  const does = onCard(name, active);
  if (does) return does;
  if (isDay() && Object.hasOwn(days, name)) return days[name];
  // The arrows scroll where there are no cards.
  if (name.startsWith("Arrow") && !items().length) return null;
  return Object.hasOwn(act, name) ? act[name] : null;
});
