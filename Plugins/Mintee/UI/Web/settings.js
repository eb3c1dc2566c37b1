// The looks of the page.
import { make } from "/assets/dom.js";
import { getJSON, sendJSON } from "/assets/hub.js";
import { notice } from "/assets/page.js";
import { tell, tellError } from "/assets/toast.js";
import { begin, heading, redraw } from "/mintee/page.js";

const about = { "System Default": "as the rest of hub", Jungle: "green and gold", Ocean: "blue and amber" };

/** Dresses the page in a theme, by its name. */
function dress(name) { document.documentElement.dataset.theme = name; }

/** Dresses the page in the theme that is kept. */
export async function showTheme() {
  try {
    dress((await getJSON("/api/mintee/theme")).theme);
  } catch {
    return; // The line at the foot tells that hub does not answer.
  }
}

/** Shows the choice of themes. */
export async function drawSettings() {
  const isHere = begin();
  try {
    const [kept, breaches] = await Promise.all([getJSON("/api/mintee/theme"), getJSON("/api/mintee/check")]);
    if (!isHere()) return;
    const choices = kept.themes.map((name) => {
      const input = make("input", { type: "radio", name: "theme", value: name, id: `theme-${name.replaceAll(" ", "-")}`, "data-focus": name, change: () => choose(name) });
      input.checked = name === kept.theme;
      return make("li", { class: name === kept.themes[0] ? "card theme house" : "card theme", "data-theme": name }, make("span", { class: "choice" }, input,
        make("label", { for: input.id }, make("strong", { text: name }), make("span", { class: "hint", text: about[name] ?? "" }))),
      make("span", { class: "swatch", "aria-hidden": "true" }, make("span", { class: "panel", text: "Aa" }), make("span", { class: "accent", text: "Aa" }),
        make("span", { class: "item", text: "Aa" })));
    });
    redraw(heading("Settings"), make("section", { "aria-labelledby": "presentation" }, make("h3", { id: "presentation", text: "Presentation" }),
      make("fieldset", { class: "choices" }, make("legend", { text: "Theme" }), make("ul", { class: "cards themes" }, ...choices))),
    health(breaches));
  } catch (error) {
    if (isHere()) redraw(heading("Settings"), notice(error.message));
  }
}

// Whether everything that is kept keeps the rules.
function health(breaches) {
  const line = ({ rule, subject, detail, text }) => make("li", { text: [rule, subject, detail, text].filter(Boolean).join(" · ") });
  return make("section", { "aria-labelledby": "health" }, make("h3", { id: "health", text: "Rules" }),
    breaches.length ? make("ul", { class: "mark" }, ...breaches.map(line)) : make("p", { text: "✓ All rules hold." }));
}

async function choose(name) {
  try {
    const { body, operation } = await sendJSON("PUT", "/api/mintee/theme", { theme: name });
    dress(body.theme);
    tell(`Theme set to ${body.theme}.`, { operation });
  } catch (error) {
    tellError(error);
  }
}
