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

function avoidFocus() {
  const focused = document.activeElement;
  if (!box.hasChildNodes() || !focused || box.contains(focused) || focused === document.body) return;
  box.classList.remove("above");
  const [own, other] = [box.getBoundingClientRect(), focused.getBoundingClientRect()];
  const covers = own.top < other.bottom && other.top < own.bottom && own.left < other.right && other.left < own.right;
  box.classList.toggle("above", covers && other.height < innerHeight / 2);
}

document.addEventListener("focusin", () => requestAnimationFrame(avoidFocus));
