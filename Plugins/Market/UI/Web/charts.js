// Charts of the past, with the choice of their time.
import { locale, momentWords } from "/assets/components/format.js";
import { lineChart } from "/assets/components/chart.js";
import { h } from "/assets/components/patch.js";
import { empty, failed } from "/assets/components/states.js";
import { view } from "/assets/components/view.js";
import { getJSON } from "/assets/hub.js";
import { drawn, percent, short } from "/market/money.js";
import { note, state } from "/market/page.js";

const spans = [
  ["1", "1 D", "1 day"],
  ["7", "7 D", "7 days"],
  ["30", "1 M", "30 days"],
  ["90", "3 M", "90 days"],
  ["365", "1 Y", "1 year"],
  ["max", "Max", "all time"],
];

function labelOf(time, days) {
  /** @type {Intl.DateTimeFormatOptions} */
  const options =
    days === "1"
      ? { hour: "2-digit", minute: "2-digit" }
      : days === "365" || days === "max"
        ? { month: "short", year: "numeric" }
        : { day: "numeric", month: "short" };
  return new Intl.DateTimeFormat(locale, options).format(time);
}

/**
 * A chart that reads `url(days)`; `title` is its name, `topics` what it follows, and `remark(data)` is shown below it. It keeps its
 * own data, so the view around it may be drawn as often as it likes.
 * @param {Market.PastChart} properties
 * @returns {Hub.Description}
 */
export function pastChart({ key, url, title, currency, otherwise = "7", topics = [], remark = () => null, nothing }) {
  const days = () => spans.find(([name]) => name === state.days)?.[0] ?? otherwise;
  /** @type {Hub.View} */
  let shown;
  /** @type {number | null} */
  let maximum = null;
  let later = 0;
  function choose(name) {
    note({ days: name === otherwise ? null : name });
    shown.redraw();
    shown.refresh();
  }
  function chart(data) {
    // Its hint is a command line; the page has the view of the sources.
    if (data.error) return failed({ message: data.error.message, status: data.error.status }, () => shown.refresh());
    const values = data.points.map(([, value]) => value);
    if (values.length < 2) return empty(nothing, { picture: "chart" });
    const [first, last] = [values.find((value) => value > 0) ?? 0, values.at(-1)];
    const returns = data.time_weighted_percent;
    const rise = returns !== undefined ? returns : first > 0 ? (last / first - 1) * 100 : null;
    const words = spans.find(([name]) => name === data.days)?.[2] ?? "";
    return [
      lineChart({
        title: `${title}, ${words}`,
        labels: data.points.map(([time]) => labelOf(time, data.days)),
        names: data.points.map(([time]) => momentWords(time)),
        series: [{ name: title, values }],
        columns: ["Time", title],
        note: rise === null ? null : `${percent(rise)} ${data.days === "max" ? "over" : "in"} ${words}`,
        say: (value) => drawn(value, currency),
        axis: (value) => short(value, currency),
        state: rise === null ? null : rise < 0 ? "bad" : "good",
      }),
      remark(data),
    ];
  }
  return h("section", {
    class: "past",
    key,
    keep: true,
    created(element) {
      shown = view(element, {
        topics,
        read: async (signal) => {
          const asked = days();
          clearTimeout(later);
          try {
            const data = await getJSON(url(asked), { signal });
            maximum = data.maximum_days ?? maximum;
            // What the provider allows no call for now comes with the next ones.
            if (data.pending?.length)
              later = setTimeout(() => {
                if (element.isConnected) shown.refresh();
              }, 20_000);
            return { days: asked, ...data };
          } catch (error) {
            if (error.name === "AbortError" || error.code === "login-needed") throw error;
            return { days: asked, error };
          }
        },
        draw: (data) => [
          h(
            "div",
            { class: "chips spans", role: "group", "aria-label": "Time", key: "spans" },
            spans
              .filter(([name]) => maximum === null || Number(name) <= maximum || name === days())
              .map(([name, short, words]) =>
                h(
                  "button",
                  {
                    type: "button",
                    class: "chip",
                    key: name,
                    "aria-label": words,
                    "aria-pressed": String(name === days()),
                    onclick: () => choose(name),
                  },
                  short,
                ),
              ),
          ),
          chart(data),
        ],
      });
    },
  });
}
