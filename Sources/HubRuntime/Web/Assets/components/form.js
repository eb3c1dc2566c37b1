// A form of fields: saves, shows errors where one looks, takes in what was changed elsewhere, and never loses typed words.
import { mark, unmark, unmarkAll, wordsOf } from "/assets/problems.js";
import { sentence } from "/assets/components/format.js";
import { isHeld, keys } from "/assets/components/keys.js";
import { create, h, patch } from "/assets/components/patch.js";
import { keyed } from "/assets/components/shortcuts.js";

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
/**
 * Whether a part is a field, and not an element between fields.
 * @param {Hub.Field | HTMLElement} part
 * @returns {part is Hub.Field}
 */
const isField = (part) => !(part instanceof Node);
/** Whether a field has something to show; a box that is not checked has nothing. */
const isFilled = (value) => value !== false && !isEmpty(value);
const isEmpty = (value) => value === "" || value === null || value === undefined || (Array.isArray(value) && !value.length);

/**
 * A form. `fields` are those of fields.js, or elements such as headings between them; a field with `isMore` is folded away while it
 * is empty. `values` are by name. `save(values, revision)` sends them and may throw HubError, whose problems name fields;
 * `reload()` gives `{values, revision}` as they are now, after an edit conflict. `saved(answer)` and `cancel()` lead on.
 *
 * Gives `element`, `isDirty()`, `submit()`, `focus()`, and `isOpen()`, whether it is on the page and not saved yet.
 * @template Saved
 * @param {Hub.FormProperties<Saved>} properties
 * @returns {Hub.Form}
 */
export function makeForm({
  fields: parts,
  values = {},
  revision = null,
  save,
  reload = null,
  saved,
  cancel,
  words = "Save",
  label = null,
  noun = "This",
}) {
  const fields = parts.filter(isField);
  let base = {};
  let state = { revision, isBusy: false, isDone: false };
  const summary = create(h("div", { class: "summary", role: "alert", tabindex: "-1", hidden: true }));
  const news = create(h("div", { class: "news" }));
  const button = create(h("button", { type: "submit", class: "main", ...keyed("Mod+Enter") }, words));
  const bar = create(
    h(
      "div",
      { class: "form-bar" },
      summary,
      h("div", { class: "actions" }, button, h("button", { type: "button", onclick: cancel, ...keyed("Escape") }, "Cancel")),
    ),
  );
  const more = fields.filter((field) => field.isMore);
  const element = create(
    h("form", { class: "form", novalidate: true, "aria-label": label, onsubmit: send, oninput: onInput, onkeydown: keys(onKey) }),
  );
  for (const field of fields) if (field.name && field.name in values) field.write(values[field.name]);
  const folded = create(
    h(
      "details",
      { class: "more" },
      h("summary", null, "More fields"),
      more.map((field) => field.element),
    ),
  );
  folded.open = more.some((field) => isFilled(field.read()));
  const inSight = parts.map((part) => (isField(part) ? (part.isMore ? null : part.element) : part)).filter(Boolean);
  element.append(news, ...inSight, ...(more.length ? [folded] : []), bar);
  const read = () => Object.fromEntries(fields.map((field) => [field.name, field.read()]));
  base = read();
  /** @type {Hub.Values | null} null when the form is to be saved whatever it holds */
  let untouched = base;

  const isOpen = () => !state.isDone && element.isConnected;
  const isDirty = () => isOpen() && !same(read(), untouched);

  function onInput({ target }) {
    if (target.ariaInvalid) unmark(target);
  }

  function onKey(event) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      if (!isHeld(event)) element.requestSubmit();
    } else if (event.key === "Escape" && !event.defaultPrevented) {
      event.preventDefault();
      cancel();
    }
  }

  async function send(event) {
    event?.preventDefault();
    if (state.isBusy) return;
    state.isBusy = true;
    button.setAttribute("aria-busy", "true");
    summary.hidden = true;
    unmarkAll(element);
    try {
      const answer = await save(read(), state.revision);
      // It stays to be seen until the next view is drawn, but takes no words any more.
      state.isDone = true;
      element.inert = true;
      await saved(answer);
    } catch (error) {
      if (error.code === "edit-conflict" && reload) await meetNews();
      else show(error);
    } finally {
      state.isBusy = false;
      button.removeAttribute("aria-busy");
    }
  }

  // Every mistake is named beside Save and at its field; the focus goes to the first of them.
  function show(error) {
    /** @type {HTMLElement[]} */
    const marked = [];
    const place = ({ field }) => fields.findIndex((one) => one.name === field);
    const lines = (error.problems ?? [])
      .toSorted((one, other) => place(one) - place(other))
      .map((problem) => {
        const field = fields[place(problem)];
        const input = field?.input(problem.index ?? 0);
        if (!input) return h("li", null, sentence(wordsOf(problem)));
        mark(input, sentence(wordsOf(problem)));
        marked.push(input);
        return h(
          "li",
          null,
          h(
            "a",
            {
              href: `#${input.id}`,
              onclick: (event) => {
                event.preventDefault();
                reveal(input);
              },
            },
            field.label,
          ),
          ": ",
          sentence(problem.message),
        );
      });
    // What is not an answer of hub, nor the lack of one, is a mistake of the page.
    if (!marked.length && error.status === undefined) throw error;
    patch(
      summary,
      h(
        "p",
        null,
        h("strong", null, "Not saved. "),
        lines.length ? null : sentence(error.message),
        " ",
        lines.length ? null : error.hint && sentence(error.hint),
      ),
      lines.length > 0 && h("ul", null, lines),
      !lines.length &&
        error.details?.length > 0 &&
        h(
          "ul",
          null,
          error.details.map((line) => h("li", null, sentence(line))),
        ),
    );
    summary.hidden = false;
    if (marked.length) reveal(marked[0]);
    else summary.focus();
  }

  function reveal(input) {
    if (folded.contains(input)) folded.open = true;
    input.focus();
    input.closest(".field")?.scrollIntoView({ block: "center" });
  }

  async function meetNews() {
    if (!reload) return;
    try {
      const now = await reload();
      takeIn(now.values);
      state.revision = now.revision;
    } catch (error) {
      show(error);
    }
  }

  // Takes over what was changed elsewhere, unless it would overwrite typed words.
  function takeIn(values) {
    const lines = [];
    for (const field of fields) {
      if (!field.name || !(field.name in values)) continue;
      lines.push(meet(field, base[field.name], values[field.name]));
      base = { ...base, [field.name]: values[field.name] };
    }
    untouched = null;
    if (folded.querySelector("input") && more.some((field) => isFilled(field.read()))) folded.open = true;
    patch(
      news,
      h(
        "section",
        { class: "newer", role: "alert", tabindex: "-1" },
        h("h3", null, `Not saved yet: ${noun} was changed elsewhere meanwhile`),
        h("ul", null, lines),
        h("p", null, "Everything you typed is still here. Review it, then save again."),
      ),
    );
    news.firstElementChild.focus();
    news.scrollIntoView({ block: "nearest" });
  }

  function meet(field, before, theirs) {
    if (same(before, theirs)) return null;
    const say = (value) => (isEmpty(value) ? "nothing" : field.words(value));
    const change = `${field.label}: ${say(before)} → ${say(theirs)}`;
    const mine = field.read();
    if (field.isList) {
      const has = (list, value) => list.some((other) => same(other, value));
      const removed = before.filter((value) => !has(theirs, value));
      const kept = mine.filter((value) => !has(removed, value));
      field.write([...kept, ...theirs.filter((value) => !has(before, value) && !has(kept, value))]);
      return h("li", null, `${change}. It is in the form now.`);
    }
    if (same(mine, before)) {
      field.write(theirs);
      return h("li", null, `${change}. It is in the form now.`);
    }
    if (same(mine, theirs)) return null;
    return h(
      "li",
      null,
      `${change}. Your value is kept: ${say(mine)}. `,
      h(
        "button",
        {
          type: "button",
          onclick: () => {
            field.write(theirs);
            field.focus();
          },
        },
        "Use theirs",
      ),
    );
  }

  return { element, isDirty, isOpen, fields, submit: () => element.requestSubmit(), focus: () => fields[0].focus(), read };
}
