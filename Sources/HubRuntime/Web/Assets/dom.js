// Small parts that every view is made of.

/** An element with properties (`class`, `text`, others as attributes; functions as listeners) and children. */
export function make(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "class") made.className = value;
    else if (key === "text") made.textContent = value;
    else if (typeof value === "function") made.addEventListener(key, value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** A key as it is shown on a button; fingers do not see it. */
export const key = (name) => make("kbd", { text: name, "aria-hidden": "true" });

/** A button with the key that presses it. */
export function button(words, name, act, properties = {}) {
  return make("button", { type: "button", "aria-keyshortcuts": name, click: act, ...properties }, words + " ", key(name));
}

/** Returns a time relative to now, in words. */
export function age(moment) {
  const seconds = (new Date(moment) - Date.now()) / 1000;
  const words = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto" });
  for (const [unit, length] of [
    ["day", 86400],
    ["hour", 3600],
    ["minute", 60],
  ]) {
    if (Math.abs(seconds) >= length) return words.format(Math.round(seconds / length), unit);
  }
  return "just now";
}
