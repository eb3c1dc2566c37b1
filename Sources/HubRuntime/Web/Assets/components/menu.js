// A button with a menu of actions.
import { icon } from "/assets/components/icons.js";
import { keys } from "/assets/components/keys.js";
import { create, h } from "/assets/components/patch.js";

/**
 * A button that opens a menu. `items()` gives the entries when it opens: `words`, and `act` or `href`; may have `picture`, an icon,
 * `isDanger` and `isChecked`; null is a line between groups. The button shows `words`, or `picture` with `label` as its name.
 * @param {Hub.MenuButtonProperties} properties
 * @returns {Hub.Description}
 */
export function menuButton({ label, words = null, picture = "more", items, properties = {} }) {
  return h(
    "button",
    {
      type: "button",
      class: words ? "menu-button" : "icon-button menu-button",
      "aria-haspopup": "menu",
      "aria-expanded": "false",
      "aria-label": words ? null : label,
      title: words ? null : label,
      onclick: (event) => openMenu(event.currentTarget, label, items()),
      ...properties,
    },
    words ? [h("span", null, words), icon("down", { size: "small" })] : icon(picture),
  );
}

/**
 * Opens a menu below `button`; also for menus of the right mouse button, with `at` as {x, y}.
 * @param {HTMLElement} button
 * @param {string} label
 * @param {Hub.MenuItems} items
 * @param {{ x: number, y: number } | null} [at]
 */
function openMenu(button, label, items, at = null) {
  const menu = create(
    h(
      "div",
      { class: "action-menu", role: "menu", popover: "auto", "aria-label": label },
      items.map((item) => {
        if (item === null) return h("hr", { role: "separator" });
        const role = item.isChecked === undefined ? "menuitem" : "menuitemradio";
        return h(
          item.href ? "a" : "button",
          {
            role,
            tabindex: "-1",
            type: item.href ? null : "button",
            href: item.href,
            class: item.isDanger ? "danger" : null,
            "aria-checked": item.isChecked === undefined ? null : String(item.isChecked),
            onclick: () => {
              menu.hidePopover();
              item.act?.();
            },
          },
          item.isChecked === undefined ? item.picture && icon(item.picture) : item.isChecked ? icon("check") : h("span", { class: "icon" }),
          h("span", null, item.words),
        );
      }),
    ),
  );
  (button.closest("dialog") ?? document.body).append(menu);
  menu.addEventListener("toggle", (event) => {
    button.setAttribute("aria-expanded", String(event.newState === "open"));
    if (event.newState === "open") return;
    const hadFocus = menu.contains(document.activeElement) || document.activeElement === document.body;
    menu.remove();
    if (hadFocus && button.isConnected) button.focus();
  });
  menu.addEventListener(
    "keydown",
    keys((event) => moveIn(menu, event)),
  );
  menu.showPopover();
  const { left, right, top, bottom } = button.getBoundingClientRect();
  position(menu, at ?? { x: left, y: bottom, right, top });
  menu.querySelector("[role^=menuitem]")?.focus();
}

function moveIn(menu, event) {
  const items = [...menu.querySelectorAll("[role^=menuitem]")];
  const place = items.indexOf(document.activeElement);
  const to = { ArrowDown: place + 1, ArrowUp: place - 1 + items.length, Home: 0, End: items.length - 1 }[event.key];
  if (event.key === "Tab") return menu.hidePopover();
  const typed =
    event.key.length === 1 && !event.ctrlKey
      ? (items.find((item, at) => at > place && starts(item, event.key)) ?? items.find((item) => starts(item, event.key)))
      : null;
  if (to === undefined && !typed) return;
  event.preventDefault();
  (typed ?? items[to % items.length]).focus();
}

const starts = (item, letter) => item.textContent.trim().toLowerCase().startsWith(letter.toLowerCase());

// Below what opened it, or above when there is no room, and never beyond the window.
function position(menu, { x, y, right = x, top = y }) {
  const { width, height } = menu.getBoundingClientRect();
  const start = x + width > innerWidth - 8 ? Math.max(8, right - width) : x;
  const below = y + height > innerHeight - 8 ? Math.max(8, top - height - 4) : y + 4;
  menu.style.setProperty("left", `${start}px`);
  menu.style.setProperty("top", `${below}px`);
}
