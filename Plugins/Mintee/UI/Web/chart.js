// A chart that the server draws, in the page.
import { make } from "/assets/dom.js";

/** The picture of a chart with its words; the picture is hub's own, and its texts are escaped there. */
export function picture(chart) {
  const svg = new DOMParser().parseFromString(chart.svg, "image/svg+xml").documentElement;
  const box = make("div", { class: "scroll chart", tabindex: "0", role: "group", "aria-label": `${chart.name}, ${chart.range}` },
    document.importNode(svg, true));
  // What is newest stands at the end, so that is what is seen first.
  requestAnimationFrame(() => { box.scrollLeft = box.scrollWidth; });
  return box;
}

/** What the shapes of a chart mean. */
export const shapesLegend = () => make("p", { class: "hint legend" }, make("span", { text: "■ reached" }), make("span", { text: "▼ under" }),
  make("span", { text: "▲ over" }), make("span", { text: "□ open or nothing due" }));
