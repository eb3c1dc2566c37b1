// Search over everything: results as one types, by plugin, moved through by the arrow keys.
import { keys } from "/assets/components/keys.js";
import { create, h, patch } from "/assets/components/patch.js";
import { counted } from "/assets/components/format.js";
import { getJSON } from "/assets/hub.js";

let shown = null;

// The icon of a plugin is in the navigation already.
const icon = (plugin) => document.querySelector(`.places a[href="/${CSS.escape(plugin)}"] .icon`)?.cloneNode(true);

function option(hit, plugin, number) {
  return h(
    "a",
    { class: "hit", href: hit.path, role: "option", id: `hit-${number}`, tabindex: "-1", "aria-selected": "false" },
    icon(plugin),
    h("span", { class: "title" }, hit.title),
    h("span", { class: "detail" }, hit.detail),
  );
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
      autocomplete: "off",
      spellcheck: "false",
      autofocus: true,
    }),
  );
  const list = create(h("div", { id: "hits", role: "listbox", "aria-label": "Results" }));
  const state = create(h("p", { class: "state", role: "status" }, "Type a name, a number or a word."));
  const cancel = h("button", { class: "close", "aria-label": "Cancel search (Esc)" }, h("kbd", null, "Esc"), h("span", null, "Cancel"));
  const dialog = create(
    h("dialog", { class: "search", "aria-label": "Search" }, h("form", { method: "dialog", class: "field" }, input, cancel), list, state),
  );
  let place = -1;
  let latest = 0;
  let pending = Promise.resolve();

  const options = () => [...list.querySelectorAll("a")];

  function choose(next) {
    const all = options();
    place = all.length ? (next + all.length) % all.length : -1;
    all.forEach((item, index) => item.setAttribute("aria-selected", String(index === place)));
    if (place < 0) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", all[place].id);
    all[place].scrollIntoView({ block: "nearest" });
  }

  function draw(groups, words) {
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
          group.hits.map((hit) => option(hit, group.plugin, number++)),
        ),
      ),
    );
    state.textContent = number ? counted(number, "result") : words ? `Nothing matches “${words}”.` : "Type a name, a number or a word.";
    state.classList.toggle("visually-hidden", number > 0);
    choose(0);
  }

  async function find() {
    const words = input.value.trim();
    const ticket = ++latest;
    if (!words) return draw([], "");
    try {
      const groups = await getJSON("/api/search?" + new URLSearchParams({ q: words }));
      if (ticket === latest) draw(groups, words);
    } catch (error) {
      if (ticket !== latest) return;
      list.replaceChildren();
      state.classList.remove("visually-hidden");
      state.textContent = [error.message, error.hint].filter(Boolean).join(" ");
    }
  }

  input.addEventListener("input", () => {
    pending = find();
  });
  const onKey = async (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) {
      event.preventDefault();
      choose(place + by);
    } else if (event.key === "Enter" && document.activeElement === input) {
      event.preventDefault();
      // Who types faster than the answer comes means what was typed.
      await pending;
      options()[Math.max(place, 0)]?.click();
    }
  };
  dialog.addEventListener("keydown", keys(onKey));
  // A click beside the dialog, or on a result of the page that is shown, ends it.
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog || event.target.closest("a")) dialog.close();
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    shown = null;
  });
  shown = dialog;
  document.body.append(dialog);
  dialog.showModal();
}
