// Search over everything: results as one types, by plugin, moved through by the arrow keys. Before, and after them, what can be done.
import { openAdd } from "/assets/add.js";
import { counted } from "/assets/components/format.js";
import { icon } from "/assets/components/icons.js";
import { keys } from "/assets/components/keys.js";
import { marked } from "/assets/components/marks.js";
import { create, h, patch } from "/assets/components/patch.js";
import { getJSON } from "/assets/hub.js";
import { recentItems } from "/assets/recent.js";

/** @typedef {{ title: string, detail?: string, path?: string, picture?: Node | Hub.Description, act?: () => unknown }} Choice */
/** @typedef {{ title: string, choices: Choice[] }} Group */

/** @type {HTMLDialogElement | null} */
let shown = null;
const hint = "Type a name, a number or a word.";

/** @type {{ words: string, icon: string, path: string, body?: string }[]} */
const additions = JSON.parse(document.body?.dataset.additions ?? "[]");

/** @type {() => HTMLAnchorElement[]} the pages of the navigation and of the menu */
const pages = () => [...document.querySelectorAll(".places a, #menu a")].map((link) => /** @type {HTMLAnchorElement} */ (link));

/** @type {(link: Element | null | undefined) => Node | undefined} */
const pictureOf = (link) => link?.querySelector(".icon")?.cloneNode(true);
/** @type {(plugin: string) => Node | undefined} the icon of a plugin is in the navigation already */
const pluginPicture = (plugin) => pictureOf(document.querySelector(`.places a[href="/${CSS.escape(plugin)}"]`));

/** @type {(choice: Choice, words: string[], number: number) => Hub.Description} */
function option({ title, detail = "", path, picture, act }, words, number) {
  const properties = { class: "hit", role: "option", id: `hit-${number}`, tabindex: "-1", "aria-selected": "false" };
  const content = [
    picture,
    h("span", { class: "title", dir: "auto" }, marked(title, words)),
    h("span", { class: "detail", dir: "auto" }, marked(detail, words)),
  ];
  return path ? h("a", { ...properties, href: path }, content) : h("button", { ...properties, type: "button", onclick: act }, content);
}

/** @type {(text: string) => Group} what can be done with the words, or without any */
function actions(text) {
  const adding = additions.map((one) => {
    const picture = icon(one.icon);
    if (!one.body) return { title: `New: ${one.words}`, path: one.path, picture };
    return {
      title: text ? `Add “${text}” as ${one.words.toLowerCase()}` : `New: ${one.words}`,
      picture,
      act: () => openAdd(one.words, text),
    };
  });
  if (!text) return { title: "Add", choices: adding };
  const begins = (title) => title.toLowerCase().startsWith(text.toLowerCase());
  const going = pages()
    .map((link) => ({
      title: `Go to ${link.textContent}`,
      path: link.getAttribute("href") ?? "/",
      picture: pictureOf(link),
      name: link.textContent ?? "",
    }))
    .filter(({ name }) => begins(name));
  const made = adding.filter(({ title, act }) => act || begins(title.slice(5)));
  return { title: "Actions", choices: [...going, ...made] };
}

/** @type {() => Group[]} */
function beforeWords() {
  const recent = recentItems().map(({ plugin, title, path }) => ({ title, path, picture: pluginPicture(plugin) }));
  return [{ title: "Recent", choices: recent }, actions("")].filter(({ choices }) => choices.length > 0);
}

/** Opens the search, or returns to it. */
export function openSearch() {
  if (shown) return;
  const input = create(
    h("input", {
      type: "search",
      id: "search-words",
      role: "combobox",
      placeholder: "Search everything",
      "aria-label": "Search everything",
      "aria-expanded": "true",
      "aria-controls": "hits",
      "aria-autocomplete": "list",
      dir: "auto",
      autocomplete: "off",
      spellcheck: "false",
      autofocus: true,
    }),
  );
  const list = create(h("div", { id: "hits", role: "listbox", "aria-label": "Results" }));
  const filters = create(h("div", { class: "search-filters", role: "group", "aria-label": "Search in" }));
  const state = create(h("p", { class: "state", role: "status" }, hint));
  const cancel = h("button", { class: "close", "aria-label": "Cancel search (Esc)" }, h("kbd", null, "Esc"), h("span", null, "Cancel"));
  const dialog = /** @type {HTMLDialogElement} */ (
    create(
      h(
        "dialog",
        { class: "search", "aria-label": "Search" },
        h("form", { method: "dialog", class: "field" }, input, cancel),
        filters,
        list,
        state,
      ),
    )
  );
  let place = -1;
  let latest = 0;
  let pending = Promise.resolve();
  // The plugin that is searched; empty for all.
  let only = "";

  const options = () => /** @type {HTMLElement[]} */ ([...list.querySelectorAll("[role=option]")]);

  /** @param {number} next */
  function choose(next) {
    const all = options();
    place = all.length ? (next + all.length) % all.length : -1;
    mark(all);
  }

  /** @param {HTMLElement[]} all */
  function mark(all) {
    all.forEach((item, index) => item.setAttribute("aria-selected", String(index === place)));
    if (place < 0) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", all[place].id);
    all[place].scrollIntoView({ block: "nearest" });
  }

  /** @type {(groups: Group[], words: string[]) => void} */
  function drawGroups(groups, words) {
    let number = 0;
    // Each result is new: which one is chosen is in its attributes.
    list.replaceChildren();
    patch(
      list,
      groups.map((group) =>
        h(
          "div",
          { role: "group", "aria-label": group.title },
          h("h2", { "aria-hidden": "true" }, group.title),
          group.choices.map((choice) => option(choice, words, number++)),
        ),
      ),
    );
  }

  /** @type {(groups: { plugin: string, title: string }[]) => void} */
  function drawFilters(groups) {
    const known = only && !groups.some(({ plugin }) => plugin === only) ? [{ plugin: only, title: nameOf(only) }, ...groups] : groups;
    const choice = (plugin, words) =>
      h(
        "button",
        { type: "button", class: "chip", key: plugin, "aria-pressed": String(plugin === only), onclick: () => filter(plugin) },
        words,
      );
    patch(filters, known.length > 1 || only ? [choice("", "All"), ...known.map(({ plugin, title }) => choice(plugin, title))] : []);
  }

  /** @param {string} plugin */
  const nameOf = (plugin) => document.querySelector(`.places a[href="/${CSS.escape(plugin)}"]`)?.textContent ?? plugin;

  /** @param {string} plugin */
  function filter(plugin) {
    only = plugin;
    input.focus();
    pending = find();
  }

  /** @type {{ plugin: string, title: string }[]} the plugins that had hits without a filter */
  let all = [];

  async function find() {
    const text = input.value.trim();
    const words = text.split(/\s+/).filter(Boolean);
    const ticket = ++latest;
    if (!text) {
      [all, only] = [[], ""];
      drawFilters([]);
      drawGroups(beforeWords(), []);
      state.textContent = hint;
      state.classList.toggle("visually-hidden", options().length > 0);
      place = -1;
      return mark(options());
    }
    try {
      const groups = await getJSON("/api/search?" + new URLSearchParams(only ? { q: text, in: only } : { q: text }));
      if (ticket !== latest) return;
      if (!only) all = groups;
      const count = groups.reduce((sum, { hits }) => sum + hits.length, 0);
      drawFilters(all);
      drawGroups(
        [
          ...groups.map(({ plugin, title, hits }) => ({ title, choices: hits.map((hit) => ({ ...hit, picture: pluginPicture(plugin) })) })),
          actions(text),
        ],
        words,
      );
      state.textContent = count ? counted(count, "result") : `Nothing matches “${text}”.`;
      state.classList.toggle("visually-hidden", count > 0);
      choose(0);
    } catch (error) {
      if (ticket !== latest) return;
      drawGroups([actions(text)], words);
      state.classList.remove("visually-hidden");
      state.textContent = [error.message, error.hint].filter(Boolean).join(" ");
      place = -1;
    }
  }

  input.addEventListener("input", () => {
    pending = find();
  });
  const onKey = async (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) {
      event.preventDefault();
      choose(place < 0 && by < 0 ? -1 : place + by);
    } else if (event.key === "Enter" && document.activeElement === input) {
      event.preventDefault();
      // Who types faster than the answer comes means what was typed.
      await pending;
      if (input.value.trim() || place >= 0) options()[Math.max(place, 0)]?.click();
    }
  };
  dialog.addEventListener("keydown", keys(onKey));
  // A click beside the dialog, or on a result of the page that is shown, ends it.
  dialog.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (target === dialog || target.closest("[role=option]")) dialog.close();
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    shown = null;
  });
  shown = dialog;
  document.body.append(dialog);
  dialog.showModal();
  pending = find();
}
