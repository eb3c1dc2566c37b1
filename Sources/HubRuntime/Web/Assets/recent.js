// What was looked at last, in this browser: search offers it before anything is typed.
const place = "hub-recent";
const maximum = 8;
// A view that is only passed on the way to another one does not count.
const lookTime = 1500;

/**
 * @typedef {{ plugin: string, title: string, path: string }} Recent
 * @returns {Recent[]} the items, the last one first
 */
export function recentItems() {
  try {
    const all = JSON.parse(localStorage.getItem(place) ?? "[]");
    return Array.isArray(all) ? all : [];
  } catch {
    return [];
  }
}

/** @param {Recent} item */
function keep(item) {
  const others = recentItems().filter(({ path }) => path !== item.path);
  try {
    localStorage.setItem(place, JSON.stringify([item, ...others].slice(0, maximum)));
  } catch {
    // The storage of the browser is full.
  }
}

/** Notes each item that is looked at: the page says its name in the title of the window. */
export function startRecent() {
  let seen = "";
  setInterval(() => {
    const id = new URLSearchParams(location.search).get("id");
    const plugin = document.body.dataset.place ?? "";
    const title = document.title.split(" · ")[0];
    const now = `${plugin} ${id} ${title}`;
    if (id && document.visibilityState === "visible" && now === seen && document.title.includes(" · "))
      keep({ plugin, title, path: `/${plugin}?id=${encodeURIComponent(id)}` });
    seen = now;
  }, lookTime);
}
