// A short message at the foot of the page. It goes after a while or with the view, and never covers what has the focus.
import { iconButton } from "/assets/components/icons.js";
import { create, h } from "/assets/components/patch.js";

export { tell, tellError, undo as takeBack } from "/assets/components/undoable.js";

const lasts = 10_000;
const box = create(h("div", { id: "hub-toast", role: "status" }));
document.body.append(box);
let timer = null;

/**
 * Shows `words` in place of the last message; `actions` are buttons. An error stays until it is closed.
 * @param {string} words
 * @param {{ actions?: Hub.Description[], isError?: boolean }} options
 */
export function toast(words, { actions = [], isError = false } = {}) {
  box.classList.toggle("wrong", isError);
  const close = create(iconButton("close", "Close", clearToast));
  box.replaceChildren(create(h("span", null, words)), ...actions.map((action) => create(action)), close);
  // What floats at the foot goes above it.
  document.documentElement.style.setProperty("--toast", `${box.offsetHeight}px`);
  avoidFocus();
  wait(isError);
}

/** Takes the message away. */
export function clearToast() {
  clearTimeout(timer);
  const hadFocus = box.contains(document.activeElement);
  box.replaceChildren();
  if (hadFocus) document.querySelector("main h2[tabindex], main [tabindex='0'], main h1[tabindex]")?.focus();
}

// Who reads it or is on it with the pointer or the keyboard has all the time.
function wait(isError) {
  clearTimeout(timer);
  if (isError) return;
  timer = setTimeout(() => {
    if (box.matches(":hover, :focus-within")) wait(false);
    else clearToast();
  }, lasts);
}

/**
 * Whether two elements cover one another.
 * @param {DOMRect} one
 * @param {DOMRect} other
 */
const meets = (one, other) => one.top < other.bottom && other.top < one.bottom && one.left < other.right && other.left < one.right;

// Neither the message nor the button that floats above it covers what has the focus.
function avoidFocus() {
  const focused = document.activeElement;
  if (!focused || box.contains(focused) || focused === document.body) return;
  if (focused.getBoundingClientRect().height >= innerHeight / 2) return;
  if (box.hasChildNodes()) {
    box.classList.remove("above");
    box.classList.toggle("above", meets(box.getBoundingClientRect(), focused.getBoundingClientRect()));
  }
  const button = document.querySelector(".floating");
  // A pointer presses where it is: nothing moves under it.
  if (!button?.checkVisibility() || button.contains(focused) || !focused.matches(":focus-visible")) return;
  if (meets(button.getBoundingClientRect(), focused.getBoundingClientRect())) focused.scrollIntoView({ block: "center" });
}

document.addEventListener("focusin", () => requestAnimationFrame(avoidFocus));
