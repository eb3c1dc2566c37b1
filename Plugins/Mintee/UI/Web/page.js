// The page of Mintee: ?day=2026-11-20, ?view=manage&tag=health, ?id=task, ?view=edit&id=task, ?view=analysis&id=analysis.
import { makePage } from "/assets/page.js";

const page = makePage({
  path: "/mintee", title: "Mintee", article: document.getElementById("view"),
  fields: { id: null, view: null, day: null, q: "", tag: null },
});

export const { state, article, elsewhere, readAddress, begin, go, note, guardLeaving, heading, onAddress } = page;

// Finds the counterpart of the focused element in a redrawn view.
function likeness() {
  const active = document.activeElement;
  if (!article.contains(active)) return null;
  const marked = active.closest("[data-focus]");
  if (marked) return `[data-focus="${CSS.escape(marked.dataset.focus)}"]`;
  const item = active.closest("[data-item][data-id]");
  return item ? `[data-item][data-id="${CSS.escape(item.dataset.id)}"]` : null;
}

/** Replaces the view by `parts`; the focus returns to the element with the same `data-focus`, or to the same card. */
export function redraw(...parts) {
  const like = likeness();
  article.replaceChildren(...parts.flat().filter(Boolean));
  // The heading takes the focus too, and it was asked before.
  if (like) queueMicrotask(() => article.querySelector(like)?.focus());
}
