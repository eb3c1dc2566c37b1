// The tags of a form: chips, and a field that offers those that there are.
import { make } from "/assets/dom.js";
import { getJSON } from "/assets/hub.js";
import { mark, unmark } from "/assets/problems.js";

const collator = new Intl.Collator("en", { sensitivity: "base" });

/** The tags of a task. */
export function makeTags(tags) {
  let chosen = [...tags].sort(collator.compare);
  let latest = 0;
  const chips = make("ul", { class: "chips", "aria-label": "Tags of the task" });
  const offers = make("ul", { class: "chips tag-offers", "aria-label": "Tags to choose from", role: "group" });
  const field = make("input", { id: "tag", autocomplete: "off", maxlength: "200", placeholder: "Add a tag…",
    input: () => { unmark(field); offer(); }, focus: () => offer(), keydown: (event) => {
      if (event.key !== "Enter" && event.key !== ",") return;
      if (event.ctrlKey) return;
      event.preventDefault();
      add(field.value);
    } });
  const element = make("div", { class: "field", "data-field": "tags" }, make("label", { for: "tag", text: "Tags" }), chips,
    make("div", { class: "inputs" }, make("div", { class: "cell" }, field),
      make("button", { type: "button", id: "add-tag", text: "Add tag", click: () => add(field.value) })), offers);

  function add(typed) {
    const tag = typed.split(/\s+/).filter(Boolean).join(" ");
    if (!tag) return;
    if (chosen.some((other) => collator.compare(other, tag) === 0)) {
      mark(field, `“${tag}” stands here already`);
      return field.focus();
    }
    chosen = [...chosen, tag].sort(collator.compare);
    field.value = "";
    draw();
    offer();
    field.focus();
  }

  function draw() {
    chips.hidden = !chosen.length;
    chips.replaceChildren(...chosen.map((tag) => make("li", {}, tag, make("button", { type: "button", class: "remove",
      "aria-label": `Remove the tag ${tag}`, text: "×", click: () => {
        chosen = chosen.filter((other) => other !== tag);
        draw();
        field.focus();
      } }))));
  }

  // What matches is decided where tags are kept: neither case nor accents count.
  async function offer() {
    const ticket = ++latest;
    try {
      const found = await getJSON("/api/mintee/tags?" + new URLSearchParams({ q: field.value.trim() }));
      if (ticket !== latest) return;
      const free = found.filter(({ tag }) => !chosen.some((other) => collator.compare(other, tag) === 0)).slice(0, 12);
      offers.replaceChildren(...free.map(({ tag }) => make("li", {},
        make("button", { type: "button", text: `+ ${tag}`, click: () => add(tag) }))));
    } catch {
      offers.replaceChildren();
    }
  }

  draw();
  // What still stands in the field when the form is saved is meant as a tag too.
  const pending = () => field.value.split(/\s+/).filter(Boolean).join(" ");
  return { element, first: () => field, read: () => (pending() ? [...chosen, pending()] : chosen) };
}
