// Charts that are read at a glance: svg with the value below on hover, touch and arrow keys, and a table of the same values.
import { number } from "/assets/components/format.js";
import { keys } from "/assets/components/keys.js";
import { h, patch } from "/assets/components/patch.js";

const height = 200;
// On a phone the drawing is as wide as the window, so that its words need no other size.
const isNarrow = matchMedia("(max-width: 37.5rem)");
const widthNow = () => (isNarrow.matches ? 340 : 640);
isNarrow.addEventListener("change", () =>
  document.querySelectorAll(".chart-drawing").forEach((drawing) => drawing.dispatchEvent(new Event("redraw"))),
);
const inset = { left: 56, right: 14, top: 22, bottom: 30 };

/**
 * Steps of 1, 2 or 5 from 0 or below to `top` or above.
 * @param {number} bottom
 * @param {number} top
 * @param {number} [count]
 * @returns {number[]}
 */
function ticks(bottom, top, count = 4) {
  const rough = Math.max((top - bottom) / count, Number.MIN_VALUE);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  const found = [];
  for (let place = Math.floor(bottom / step); place <= Math.ceil(top / step) && found.length < 50; place++) found.push(place * step);
  return found;
}

/**
 * The frame of every chart: caption, drawing, value line, table. `points` are in reading order. Which point is read stays in the
 * elements, so that a redraw does not end the reading.
 * @param {{ title: string, points: { words: string, cells: Hub.Child[] }[], columns: string[], draw: () => Hub.Child,
 *   legend?: Hub.Child, note?: string | null, kind: string, state?: string | null, step?: number, scrolls?: boolean }} properties
 * @returns {Hub.Description}
 */
function figure({ title, points, columns, draw, legend = null, note = null, kind, state = null, step = 1, scrolls = false }) {
  function choose(drawing, place) {
    const at = place === null ? null : Math.max(0, Math.min(place, points.length - 1));
    drawing.dataset.at = at ?? "";
    drawing.nextElementSibling.textContent = at === null ? (note ?? "") : points[at].words;
    for (const mark of drawing.querySelectorAll(".at")) mark.classList.remove("at");
    if (at !== null) drawing.querySelectorAll(`[data-place="${at}"]`).forEach((mark) => mark.classList.add("at"));
  }

  function onPointer(event) {
    const place = event.target.closest("[data-place]")?.dataset.place;
    if (place !== undefined) choose(event.currentTarget, Number(place));
  }

  function onKey(event) {
    const drawing = event.currentTarget;
    const from = Number(drawing.dataset.at || 0);
    const last = points.length - 1;
    const to = { ArrowRight: from + step, ArrowLeft: from - step, ArrowDown: from + 1, ArrowUp: from - 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose(drawing, drawing.dataset.at ? to : last);
    if (scrolls) drawing.querySelector(".at")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    drawing.parentElement.querySelector("[aria-live]").textContent = drawing.nextElementSibling.textContent;
  }

  return h(
    "figure",
    { class: ["chart", kind, state].filter(Boolean).join(" "), key: title },
    h("figcaption", null, h("span", null, title), legend),
    h(
      "div",
      {
        class: scrolls ? "chart-drawing scroll" : "chart-drawing",
        created: scrolls ? showEnd : undefined,
        tabindex: "0",
        role: "img",
        "aria-label": [title, note, "Use the arrow keys to read the values."].filter(Boolean).join(". "),
        onpointermove: onPointer,
        onpointerdown: onPointer,
        onkeydown: keys(onKey),
        onredraw: (event) => patch(event.currentTarget, draw()),
        onblur: (event) => choose(event.currentTarget, null),
        onpointerleave: (event) => {
          if (event.pointerType === "mouse") choose(event.currentTarget, null);
        },
      },
      draw(),
    ),
    h("output", { class: "chart-value", keep: true }, note ?? ""),
    h("span", { class: "visually-hidden", "aria-live": "polite", keep: true }),
    h(
      "details",
      { class: "chart-table" },
      h("summary", null, "Show as table"),
      h(
        "div",
        { class: "scroll" },
        h(
          "table",
          null,
          h(
            "thead",
            null,
            h(
              "tr",
              null,
              columns.map((words) => h("th", { scope: "col" }, words)),
            ),
          ),
          h(
            "tbody",
            null,
            points.map(({ cells }) =>
              h(
                "tr",
                null,
                cells.map((words, place) => h(place ? "td" : "th", { scope: place ? null : "row", class: place ? "number" : null }, words)),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

// The words of the axis have the room that the longest of them needs.
function scale(bottom, top, width, say = (value) => number(value, { notation: "compact" })) {
  const steps = ticks(bottom, top);
  const [low, high] = [steps[0], steps[steps.length - 1]];
  const words = steps.map((value) => say(value));
  const left = Math.max(isNarrow.matches ? 0 : inset.left, 12 + 7.5 * Math.max(...words.map(({ length }) => length)));
  const y = (value) => height - inset.bottom - ((value - low) / (high - low || 1)) * (height - inset.top - inset.bottom);
  const grid = steps.map((value, place) =>
    h(
      "g",
      { class: "grid" },
      h("line", { x1: left, x2: width - inset.right, y1: y(value), y2: y(value) }),
      h("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, words[place]),
    ),
  );
  return { y, grid, left };
}

const extent = (values) => [Math.min(0, ...values), Math.max(1e-9, ...values)];

// Values far from 0 that hardly differ would be a flat line if the axis began at 0.
function closeExtent(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low > 0 && high > low && (high - low) / high < 0.4 ? [low - (high - low) * 0.2, high] : extent(values);
}

// As many labels below as fit. One that would leave the drawing ends at its edge.
function below(points, x, width) {
  const every = Math.ceil(points.length / (isNarrow.matches ? 5 : 7));
  return points.map((point, place) => {
    if (place % every !== 0) return null;
    const isCut = x(place) + 4 * point.label.length > width;
    return h("text", { class: "below", x: isCut ? width : x(place), y: height - 8, "text-anchor": isCut ? "end" : "middle" }, point.label);
  });
}

// A wide drawing may become narrow when a phone is turned.
const picture = (width, ...children) =>
  h("svg", { viewBox: `0 0 ${width} ${height}`, class: width > 400 ? "wide" : null, "aria-hidden": "true" }, children);

/**
 * Bars. `rows` are {label, value, words, state}; `state` good, bad or null colours a bar and gives it a pattern; `target` is
 * {value, words}; `say(value)` is a value in words, `axis(value)` one beside the drawing.
 * @param {Hub.BarChart} chart
 * @returns {Hub.Description}
 */
export function barChart({ title, rows, targets = [], columns = ["", "Value"], note = null, say = number, axis }) {
  const points = rows.map((row) => ({ ...row, words: row.words ?? `${row.label}: ${say(row.value)}`, cells: [row.label, say(row.value)] }));
  return figure({
    title,
    points,
    columns,
    note,
    kind: "bars",
    draw() {
      const width = widthNow();
      const [bottom, top] = extent([...rows.map(({ value }) => value), 0, ...targets.map(({ value }) => value)]);
      const { y, grid, left } = scale(bottom, top, width, axis);
      const slot = (width - left - inset.right) / Math.max(rows.length, 1);
      const x = (place) => left + slot * (place + 0.5);
      const bar = Math.min(40, slot * 0.7);
      return picture(
        width,
        grid,
        points.map((point, place) =>
          h(
            "g",
            { "data-place": place },
            h("rect", { class: "area", x: x(place) - slot / 2, y: inset.top, width: slot, height: height - inset.top - inset.bottom }),
            h("rect", {
              class: `bar ${point.state ?? ""}`,
              x: x(place) - bar / 2,
              y: Math.min(y(point.value), y(0)),
              width: bar,
              height: Math.max(Math.abs(y(point.value) - y(0)), point.value ? 1.5 : 0),
              rx: 2,
            }),
          ),
        ),
        targets.map((target) =>
          h(
            "g",
            { class: "target" },
            h("line", { x1: left, x2: width - inset.right, y1: y(target.value), y2: y(target.value) }),
            h("text", { x: width - inset.right, y: y(target.value) - 8, "text-anchor": "end" }, target.words),
          ),
        ),
        below(points, x, width),
      );
    },
  });
}

/**
 * Lines. `labels` are those of the horizontal axis, `names` the same in full for reading; `series` are {name, values}, where null
 * is a gap; `say(value)` is a value in words, `axis(value)` one beside the drawing; `state` good or bad colours a single line.
 * Where one reads, a line crosses the drawing.
 * @param {Hub.LineChart} chart
 * @returns {Hub.Description}
 */
export function lineChart({
  title,
  labels,
  names = labels,
  series,
  columns = null,
  note = null,
  state = null,
  say = null,
  base = null,
  axis,
}) {
  const told = say ?? ((value) => number(value, { maximumFractionDigits: 2 }));
  const words = (value) => (value === null ? "–" : told(value));
  const points = labels.map((label, place) => ({
    label,
    words: `${names[place]}: ${series
      .map(({ name, values }) => (series.length > 1 ? `${name} ${words(values[place])}` : words(values[place])))
      .join(", ")}`,
    cells: [names[place], ...series.map(({ values }) => words(values[place]))],
  }));
  const legend =
    series.length > 1
      ? h(
          "span",
          { class: "legend" },
          series.map(({ name }, place) => h("span", { class: `series-${place % 6}` }, h("i", null), name)),
        )
      : null;
  return figure({
    title,
    points,
    columns: columns ?? ["", ...series.map(({ name }) => name)],
    note,
    legend,
    kind: "lines",
    state,
    draw() {
      const width = widthNow();
      const values = series.flatMap((one) => one.values.filter((value) => value !== null));
      const [bottom, top] = base === null ? closeExtent(values) : extent([base, ...values]);
      const { y, grid, left } = scale(bottom, top, width, axis);
      const slot = (width - left - inset.right) / Math.max(labels.length - 1, 1);
      const x = (place) => left + slot * place;
      return picture(
        width,
        grid,
        series.map(({ values }, at) =>
          h("path", {
            class: `line series-${at % 6}`,
            d: values
              .map((value, place) =>
                value === null
                  ? ""
                  : `${place === 0 || values[place - 1] === null ? "M" : "L"}${x(place).toFixed(1)} ${y(value).toFixed(1)}`,
              )
              .join(""),
          }),
        ),
        points.map((_, place) =>
          h(
            "g",
            { "data-place": place },
            h("rect", { class: "area", x: x(place) - slot / 2, y: inset.top, width: slot, height: height - inset.top - inset.bottom }),
            h("line", { class: "hair", x1: x(place), x2: x(place), y1: inset.top, y2: height - inset.bottom }),
            series.map(
              ({ values }, at) =>
                values[place] !== null && h("circle", { class: `dot series-${at % 6}`, cx: x(place), cy: y(values[place]), r: 3.5 }),
            ),
          ),
        ),
        below(points, x, width),
      );
    },
  });
}

// The newest days are at the end: they are seen first, and still when the window becomes narrow.
function showEnd(box) {
  let hidden = 0;
  box.addEventListener("scroll", () => {
    hidden = box.scrollWidth - box.clientWidth - box.scrollLeft;
  });
  new ResizeObserver(() => {
    box.scrollLeft = box.scrollWidth - box.clientWidth - hidden;
  }).observe(box);
}

/**
 * A square for each day, a column for each week. `days` are {day, share, words, cells} in order, without gaps; `share` is 0 to 1,
 * or null for a day without a value, `color` may replace its tint. `offset` is the place of the first day in its week; `weekdays`
 * are the names of the days.
 * @param {Hub.HeatMap} chart
 * @returns {Hub.Description}
 */
export function heatMap({
  title,
  days,
  offset = 0,
  weekdays = [],
  months = [],
  columns = ["Day", "Value"],
  note = null,
  isCompact = false,
  scaleWords = null,
}) {
  // What the tints mean, from none to all.
  const legend =
    scaleWords &&
    h(
      "span",
      { class: "legend shades" },
      h("span", null, scaleWords[0]),
      h(
        "svg",
        { viewBox: "0 0 72 12", "aria-hidden": "true" },
        [0, 1, 2, 3, 4].map((level) => h("rect", { class: `shade level-${level}`, x: level * 15, y: 0, width: 12, height: 12, rx: 2.5 })),
      ),
      h("span", null, scaleWords[1]),
    );
  const [size, gap] = [12, 3];
  const weeks = Math.ceil((days.length + offset) / 7);
  // A few weeks have room to be larger; their words are as large as those of other charts.
  const isShort = !isCompact && weeks <= 16;
  const isFew = isShort && weeks <= 10;
  const [left, top] = [isCompact ? 0 : isFew ? 22 : 30, 16];
  const width = (left + weeks * (size + gap)) / 16;
  return figure({
    title,
    points: days,
    columns,
    note,
    legend,
    kind: "heat",
    step: 7,
    scrolls: true,
    draw: () =>
      h(
        "svg",
        {
          viewBox: `0 0 ${left + weeks * (size + gap)} ${top + 7 * (size + gap)}`,
          "aria-hidden": "true",
          class: isFew ? "few" : isShort ? "short" : null,
          style: { width: isShort ? `min(${width * 1.6}rem, max(100%, ${width}rem))` : `${width}rem` },
        },
        isCompact
          ? null
          : weekdays.map((words, place) => (place % 2 === 0 ? h("text", { x: 0, y: top + place * (size + gap) + 10 }, words) : null)),
        months.map(({ label, place }) => h("text", { x: left + Math.floor((place + offset) / 7) * (size + gap), y: 10 }, label)),
        days.map((day, place) => {
          const at = place + offset;
          const level =
            day.share === null || day.share === undefined ? "none" : day.share <= 0 ? "0" : String(Math.ceil(Math.min(day.share, 1) * 4));
          return h("rect", {
            "data-place": place,
            class: `day level-${level}`,
            x: left + Math.floor(at / 7) * (size + gap),
            y: top + (at % 7) * (size + gap),
            width: size,
            height: size,
            rx: 2.5,
            style: day.color ? { fill: day.color } : null,
          });
        }),
      ),
  });
}
