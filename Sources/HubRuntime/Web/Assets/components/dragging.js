// Dragging within a list, by mouse, pen or finger: pointer events, as HTML's own dragging knows no fingers.

/** The distance from an edge of the scrolled part at which it begins to scroll, and how far it goes each time, in pixels. */
const edge = 48;
const step = 8;

/**
 * Properties of the part by which an item of a list, its `li`, is dragged. `moved(from, to)` is called when it is dropped elsewhere,
 * with places among the items whose handle can be dragged.
 * @param {(from: number, to: number) => unknown} moved
 * @returns {Record<string, unknown>}
 */
export const dragHandle = (moved) => ({
  class: "handle",
  "aria-hidden": "true",
  "data-drag": "",
  onpointerdown: (event) => {
    if (event.button === 0 && event.isPrimary) begin(event, moved);
  },
});

/** @type {(element: HTMLElement) => HTMLElement} the next part around it that scrolls */
function scrollerOf(element) {
  let part = element.parentElement;
  while (part && !(part.scrollHeight > part.clientHeight && /auto|scroll/.test(getComputedStyle(part).overflowY)))
    part = part.parentElement;
  return part ?? document.documentElement;
}

/**
 * @param {PointerEvent} event
 * @param {(from: number, to: number) => unknown} moved
 */
function begin(event, moved) {
  const handle = /** @type {HTMLElement} */ (event.currentTarget);
  const item = /** @type {HTMLElement | null} */ (handle.closest("li"));
  const items = /** @type {HTMLElement[]} */ (
    [...(item?.parentElement?.children ?? [])].filter((other) => other.querySelector("[data-drag]"))
  );
  if (!item || items.length < 2) return;
  event.preventDefault();
  const from = items.indexOf(item);
  const boxes = items.map((other) => other.getBoundingClientRect());
  const scroller = scrollerOf(item);
  const scrolled = scroller.scrollTop;
  const start = event.clientY;
  let y = start;
  let to = from;

  const draw = () => {
    const by = y - start + scroller.scrollTop - scrolled;
    const middle = boxes[from].top + boxes[from].height / 2 + by;
    to = boxes.filter((box, place) => place !== from && box.top + box.height / 2 < middle).length;
    const height = boxes[from].height;
    items.forEach((other, place) => {
      const shift = place === from ? by : place > from && place <= to ? -height : place < from && place >= to ? height : 0;
      other.style.transform = shift ? `translateY(${shift}px)` : "";
    });
  };
  const timer = setInterval(() => {
    const box = scroller === document.documentElement ? { top: 0, bottom: innerHeight } : scroller.getBoundingClientRect();
    const by = y < box.top + edge ? -step : y > box.bottom - edge ? step : 0;
    if (!by) return;
    scroller.scrollTop += by;
    draw();
  }, 16);
  const stop = new AbortController();
  const end = (isDropped) => {
    stop.abort();
    clearInterval(timer);
    item.classList.remove("dragged");
    for (const other of items) other.style.transform = "";
    if (isDropped && to !== from) moved(from, to);
  };
  /** @type {(type: string, act: (event: any) => unknown, target?: EventTarget) => void} */
  const on = (type, act, target = handle) => target.addEventListener(type, act, { signal: stop.signal });
  on("pointermove", (moves) => {
    y = moves.clientY;
    draw();
  });
  on("pointerup", () => end(true));
  on("pointercancel", () => end(false));
  on("lostpointercapture", () => end(false));
  on("keydown", (pressed) => pressed.key === "Escape" && end(false), document);
  item.classList.add("dragged");
  handle.setPointerCapture(event.pointerId);
}
