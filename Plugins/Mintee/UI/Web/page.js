// The page of Mintee: ?day=2026-11-20, ?view=manage&tag=health, ?id=task, ?view=edit&id=task, ?view=analysis&id=analysis.
import { makePage } from "/assets/page.js";

const page = makePage({
  path: "/mintee", title: "Mintee", article: document.getElementById("view"),
  fields: { id: null, view: null, day: null, q: "", tag: null },
});

export const { state, article, elsewhere, readAddress, begin, go, note, guardLeaving, heading, onAddress } = page;

// What finds the like of the element that has the focus in a view that is drawn anew.
function likeness() {
  const active = document.activeElement;
  if (!article.contains(active)) return null;
  const marked = active.closest("[data-focus]");
  if (marked) return `[data-focus="${CSS.escape(marked.dataset.focus)}"]`;
  const item = active.closest("[data-item][data-id]");
  return item ? `[data-item][data-id="${CSS.escape(item.dataset.id)}"]` : null;
}

/** Draws `parts` in place of what is shown; whoever was on an element with a `data-focus`, or on a card, is there again. */
export function redraw(...parts) {
  const like = likeness();
  article.replaceChildren(...parts.flat().filter(Boolean));
  // The heading takes the focus too, and it was asked before.
  if (like) queueMicrotask(() => article.querySelector(like)?.focus());
}
