// The list of all analyses: which are on the home page, and in which order.
import { button, make } from "/assets/dom.js";
import { sendJSON } from "/assets/hub.js";
import { tell, tellError } from "/assets/toast.js";
import { elsewhere } from "/mintee/page.js";

/** The list; `refresh` draws it again, `remove(analysis)` deletes one. */
export function arrangement(all, refresh, remove) {
  if (!all.length) return null;
  const home = all.filter(({ order }) => order >= 0).map(({ id }) => id);
  let dragged = null;

  async function order(ids, words) {
    try {
      const { operation } = await sendJSON("PUT", "/api/mintee/analyses/order", { ids });
      tell(words, { operation });
    } catch (error) {
      tellError(error);
    }
    await refresh();
  }

  const moved = (id, place) => {
    const ids = home.filter((other) => other !== id);
    ids.splice(place, 0, id);
    return ids;
  };

  function row(analysis, place) {
    const { id, name } = analysis;
    const isHome = analysis.order >= 0;
    const mark = make("input", { type: "checkbox", id: `home-${id}`, "data-focus": `home-${id}`, change: () =>
      order(mark.checked ? [...home, id] : home.filter((other) => other !== id),
        `${name} is ${mark.checked ? "on" : "off"} the home page.`) });
    mark.checked = isHome;
    const step = (words, shape, by) => make("button", { type: "button", "aria-label": `${words} ${name}`, "data-focus": `${shape}${id}`,
      disabled: !isHome || home[place + by] === undefined, click: () => order(moved(id, place + by), `${name} is number ${place + by + 1}.`),
      text: shape });
    const element = make("li", { class: isHome ? "card" : "card off", "data-item": "", "data-id": id, tabindex: "-1",
      draggable: isHome ? "true" : null,
      dragstart: (event) => { dragged = analysis; event.dataTransfer.setData("text/plain", name); event.dataTransfer.effectAllowed = "move"; },
      dragover: (event) => { if (isHome && dragged && dragged.id !== id) { event.preventDefault(); element.classList.add("target"); } },
      dragleave: () => element.classList.remove("target"), dragend: () => { dragged = null; },
      drop: (event) => {
        event.preventDefault();
        element.classList.remove("target");
        order(moved(dragged.id, place), `${dragged.name} is number ${place + 1}.`);
      } },
    make("span", { class: "grip", "aria-hidden": "true", text: isHome ? "⠿" : "" }),
    make("div", { class: "about" },
      make("a", { href: elsewhere({ view: "analysis", id }), "data-open": "", text: name }),
      make("span", { class: "hint", text: `${analysis.type === "box" ? "Box" : "Line"} · ${analysis.range} · ${analysis.tags.join(", ") || "no tags"}` })),
    make("span", { class: "choice" }, mark, make("label", { for: mark.id, text: "Home page" })),
    make("span", { class: "actions" }, step("Move up", "↑", -1), step("Move down", "↓", 1),
      make("a", { class: "button", href: elsewhere({ view: "editanalysis", id }), "data-key": "e", "aria-keyshortcuts": "e", text: "Edit" }),
      button("Delete", "#", () => remove(analysis), { class: "danger", "data-key": "#" })));
    return element;
  }

  return make("section", { "aria-label": "All analyses" }, make("h3", { text: "All analyses" }), make("ol", { class: "cards arrange" }, ...all.map(row)));
}
