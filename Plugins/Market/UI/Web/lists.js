// The watchlists: which tokens they hold, and the bar that chooses among them.
import { menuButton } from "/assets/components/menu.js";
import { create, h } from "/assets/components/patch.js";
import { undoable } from "/assets/components/undoable.js";
import { ask, makeDialog } from "/assets/dialog.js";
import { getJSON } from "/assets/hub.js";
import { address, go, state } from "/market/page.js";

/** The list that a star is about. */
export const favorites = "favorites";

let lists = [];

/** Reads the lists. */
export async function readLists() {
  lists = await getJSON("/api/market/watchlists").catch(() => lists);
}

/**
 * The names of the lists.
 * @returns {string[]}
 */
export const listNames = () => [...new Set([favorites, ...lists.map(({ name }) => name)])];

/**
 * The ids of a list in its order.
 * @param {string} name
 * @returns {string[]}
 */
export const listItems = (name) => lists.find((list) => list.name === name)?.tokens ?? [];

const send = (name, change, words) => undoable("PUT", `/api/market/watchlists/${encodeURIComponent(name)}`, change, words);

/**
 * Adds a token to a list or takes it out.
 * @param {string} name
 * @param {Market.Named} token
 * @param {boolean} isIn
 */
export function setListed(name, { id, name: token }, isIn) {
  return send(name, isIn ? { add: [id] } : { remove: [id] }, `${token} ${isIn ? "added to" : "removed from"} ${name}.`);
}

/**
 * Adds a token to the favorites or takes it out.
 * @param {Market.Named} token
 * @param {boolean} isIn
 */
export const setFavorite = (token, isIn) => setListed(favorites, token, isIn);

function move({ id, name: token }, by) {
  const name = state.list ?? favorites;
  const at = listItems(name).indexOf(id);
  return send(name, { add: [id], place: Math.max(1, at + 1 + by) }, `${token} moved ${by < 0 ? "up" : "down"}.`);
}

async function newList() {
  const input = create(h("input", { type: "text", id: "list-name", autocomplete: "off", required: true, maxlength: "100" }));
  const dialog = makeDialog(
    "new-list",
    "New list",
    create(
      h(
        "form",
        {
          method: "dialog",
          class: "form",
          onsubmit: () => {
            dialog.returnValue = "made";
          },
        },
        h("div", { class: "field" }, h("label", { for: "list-name" }, "Name"), input),
        h(
          "div",
          { class: "actions" },
          h("button", { type: "button", onclick: () => dialog.close("") }, "Cancel"),
          h("button", { class: "main", value: "made" }, "Create"),
        ),
      ),
    ),
  );
  const answer = await ask(dialog);
  if (answer === "made" && input.value.trim()) go({ view: "lists", list: input.value.trim() });
}

let hits = [];

async function offer(event) {
  const words = event.currentTarget.value.trim();
  hits = words ? await getJSON("/api/market/search?" + new URLSearchParams({ q: words })).catch(() => []) : [];
  const options = document.getElementById("add-token-list");
  options?.replaceChildren(...hits.map((hit) => create(h("option", { value: hit.id }, `${hit.name} ${hit.symbol}`))));
}

async function add(event) {
  event.preventDefault();
  const input = event.currentTarget.querySelector("input");
  const words = input.value.trim();
  if (!words) return;
  const found = await getJSON("/api/market/search?" + new URLSearchParams({ q: words, all: "1" })).catch(() => []);
  const hit = found.find(({ id, symbol }) => id === words || symbol.toLowerCase() === words.toLowerCase()) ??
    found[0] ?? { id: words, name: words };
  if (await setListed(state.list ?? favorites, hit, true)) input.value = "";
}

/** What the board shows for lists: the chooser, and the menu of a row. */
export const listTools = {
  chooser() {
    const chosen = state.list ?? favorites;
    const names = listNames().includes(chosen) ? listNames() : [...listNames(), chosen];
    return h(
      "div",
      { class: "list-tools", key: "lists" },
      h(
        "nav",
        { class: "chips", "aria-label": "Lists" },
        names.map((name) =>
          h(
            "a",
            {
              class: "chip",
              key: name,
              href: address({ view: "lists", list: name === favorites ? null : name, id: null }),
              "aria-current": name === chosen ? "page" : null,
            },
            name === favorites ? "Favorites" : name,
          ),
        ),
        h("button", { type: "button", class: "chip", key: "+", onclick: newList }, "New list…"),
      ),
      h(
        "form",
        { class: "add-token", key: `add ${chosen}`, onsubmit: add },
        h("label", { class: "visually-hidden", for: "add-token" }, "Add a token"),
        h("input", {
          id: "add-token",
          type: "text",
          placeholder: "Add a token",
          autocomplete: "off",
          list: "add-token-list",
          oninput: offer,
        }),
        h("datalist", { id: "add-token-list", keep: true }),
        h("button", null, "Add"),
      ),
    );
  },
  /**
   * The menu of a row.
   * @param {Market.Token} row
   * @param {Market.Token[]} rows
   * @param {string} tabindex
   */
  menu(row, rows, tabindex) {
    const at = listItems(state.list ?? favorites).indexOf(row.id);
    return menuButton({
      label: `${row.name}: move or remove`,
      properties: { tabindex },
      items: () => [
        ...(at > 0 && !state.sort ? [{ words: "Move up", picture: "up", act: () => move(row, -1) }] : []),
        ...(at < rows.length - 1 && !state.sort ? [{ words: "Move down", picture: "down", act: () => move(row, 1) }] : []),
        { words: "Remove from this list", picture: "close", act: () => setListed(state.list ?? favorites, row, false) },
      ],
    });
  },
};
