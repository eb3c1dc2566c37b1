// A list of any length that draws only the rows in sight and reads pages as they are needed. It is one tab stop; arrows move,
// Space and Shift select, Enter opens.
import { isHeld, keys } from "/assets/components/keys.js";
import { create, h, patch } from "/assets/components/patch.js";

const pageSize = 100;
// Rows drawn beyond the window on each side.
const margin = 8;
/** @type {(top: number) => Record<string, string>} the place of a row, and its place among all others for paper, where they flow */
const placed = (top) => ({ transform: `translateY(${top}px)`, order: String(Math.round(top)) });

/**
 * A windowed list. `load(offset, limit, signal)` gives `{rows, total}`, and `groups` when there are headings: `{label, start}` in
 * order. `row(item, {index, isSelected})` describes the content of a row, `id(item)` identifies it. `open(item)` is called for Enter and a
 * click; `selected(ids)` when the selection changes. An element of class `pick` in a row selects it.
 * @template Item
 * @param {Hub.ListProperties<Item>} properties
 * @returns {Hub.List<Item>}
 */
export function windowedList({ label, load, row, id, open, selected = () => {}, allIDs = null, canSelect = true, drawn = () => {} }) {
  const element = create(
    h("div", {
      class: "windowed",
      role: "listbox",
      "aria-label": label,
      "aria-multiselectable": canSelect ? "true" : null,
      onkeydown: keys(onKey),
      onclick: onClick,
      oncontextmenu: onContext,
      onfocusin: onFocus,
    }),
  );
  let [pages, waiting] = [new Map(), new Map()];
  let total = 0;
  /** @type {Hub.Group[]} */
  let groups = [];
  // Whether the rows have been read; until then `total` means nothing.
  let isKnown = false;
  let [active, anchor] = [0, 0];
  /** @type {string | null} */
  let current = null;
  let selection = new Set();
  let [rowHeight, groupHeight] = [56, 32];
  let [reading, refreshed] = [new AbortController(), Promise.resolve()];
  let [isDrawing, isPatching, isPrinting] = [false, false, false];

  // Places

  const itemAt = (index) => pages.get(Math.floor(index / pageSize))?.[index % pageSize] ?? null;
  const topOf = (index) => index * rowHeight + groupsBefore(index + 1) * groupHeight;
  const height = () => total * rowHeight + groups.length * groupHeight;

  // The number of groups that begin before `index`.
  function groupsBefore(index) {
    let [low, high] = [0, groups.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (groups[middle].start < index) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function indexAt(y) {
    let [low, high] = [0, Math.max(0, total - 1)];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (topOf(middle) <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  function scroller() {
    for (let node = element.parentElement; node; node = node.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(node).overflowY)) return node;
    }
    return document.scrollingElement;
  }

  // The part of the list that is in sight.
  function sight() {
    const box = scroller();
    const isPage = box === document.scrollingElement;
    const own = element.getBoundingClientRect();
    const [top, bottom] = isPage ? [0, innerHeight] : [box.getBoundingClientRect().top, box.getBoundingClientRect().bottom];
    return { from: Math.max(0, top - own.top), to: Math.max(0, bottom - own.top) };
  }

  // Reading

  async function readPage(page) {
    if (pages.has(page) || waiting.has(page)) return waiting.get(page);
    const { signal } = reading;
    const take = async () => {
      try {
        const answer = await load(page * pageSize, pageSize, signal);
        if (signal.aborted) return;
        pages.set(page, answer.rows);
        total = answer.total;
        if (answer.groups) groups = answer.groups;
        draw();
      } catch (error) {
        if (!signal.aborted && error.name !== "AbortError") throw error;
      }
    };
    const read = take().finally(() => {
      if (waiting.get(page) === read) waiting.delete(page);
    });
    waiting.set(page, read);
    return read;
  }

  /** Reads the rows in sight again, and keeps the place, the selection and the focus. Ends with the last of several readings. */
  function refresh() {
    reading.abort();
    reading = new AbortController();
    waiting.clear();
    const { signal } = reading;
    refreshed = readAgain(signal).catch((error) => {
      if (signal.aborted) return refreshed;
      draw();
      throw error;
    });
    return refreshed;
  }

  async function readAgain(signal) {
    const fresh = new Map();
    let answer = null;
    for (let page = missing(fresh); page !== undefined; page = missing(fresh)) {
      answer = await load(page * pageSize, pageSize, signal);
      signal.throwIfAborted();
      fresh.set(page, answer.rows);
    }
    // The rows as they are now: people move on while the rows are read.
    const [held, start] = [active, anchor].map((index) => itemAt(index) && id(itemAt(index)));
    const hadFocus = element.contains(document.activeElement);
    pages = fresh;
    total = answer?.total ?? total;
    isKnown = true;
    groups = answer?.groups ?? groups;
    const moved = held && find(held);
    const inside = (index) => Math.max(0, Math.min(index, total - 1));
    [active, anchor] = [moved ?? inside(active), (start && find(start)) ?? inside(anchor)];
    draw();
    if (hadFocus) focusRow({ isQuiet: moved !== null });
  }

  // A page that is in use now, and is not among `fresh`.
  function missing(fresh) {
    const { from, to } = sight();
    const used = total ? [indexAt(from), indexAt(to), active, anchor].map((index) => Math.floor(index / pageSize)) : [0];
    return used.find((page) => !fresh.has(page));
  }

  /** Shows another list from its beginning: other words, another filter. */
  async function reset() {
    [active, anchor, total, groups, isKnown] = [0, 0, 0, [], false];
    pages = new Map();
    clearSelection();
    const box = scroller();
    const { from } = sight();
    if (from > 0) box.scrollTop -= from;
    await refresh();
  }

  const find = (wanted) => {
    for (const [page, rows] of pages) {
      const place = rows.findIndex((item) => id(item) === wanted);
      if (place >= 0) return page * pageSize + place;
    }
    return null;
  };

  // Drawing

  function measure() {
    const probe = create(h("div", { class: "probe" }, h("div", { class: "list-row" }), h("div", { class: "list-group" })));
    element.append(probe);
    rowHeight = probe.children[0].getBoundingClientRect().height || rowHeight;
    groupHeight = probe.children[1].getBoundingClientRect().height || groupHeight;
    probe.remove();
  }

  function draw() {
    const { from, to } = sight();
    const first = isPrinting ? 0 : Math.max(0, indexAt(from) - margin);
    const last = isPrinting ? total - 1 : Math.min(total - 1, indexAt(to) + margin);
    const shown = [];
    if (total && active < first) shown.push(active);
    for (let index = first; index <= last; index++) if (!isPrinting || itemAt(index)) shown.push(index);
    if (active > last && active < total) shown.push(active);
    element.style.setProperty("height", `${height()}px`);
    const firstGroup = Math.max(0, groupsBefore(first) - 1);
    const headings = groups.slice(firstGroup, groupsBefore(last + 1)).map(({ label: words, start }) =>
      h(
        "div",
        {
          class: "list-group",
          key: `group ${start}`,
          role: "presentation",
          "aria-hidden": "true",
          style: placed(topOf(start) - groupHeight),
        },
        words,
      ),
    );
    isPatching = true;
    patch(element, headings, shown.map(describe));
    isPatching = false;
    for (let page = Math.floor(first / pageSize); !isPrinting && page <= Math.floor(Math.max(last, 0) / pageSize); page++) {
      if (total && !pages.has(page)) readPage(page).catch(() => {});
    }
    drawn({ first: indexAt(from), last: Math.min(last, indexAt(to)), total, isKnown });
  }

  function describe(index) {
    const item = itemAt(index);
    const name = item && id(item);
    return h(
      "div",
      {
        key: index,
        role: "option",
        class: item ? "list-row" : "list-row waiting",
        id: `${element.id || "list"}-${index}`,
        "data-id": name,
        "data-index": index,
        tabindex: index === active ? "0" : "-1",
        "aria-posinset": index + 1,
        "aria-setsize": total,
        "aria-selected": selection.has(name) ? "true" : "false",
        "aria-current": item && name === current ? "true" : null,
        style: placed(topOf(index)),
      },
      item && row(item, { index, isSelected: selection.has(name) }),
    );
  }

  const elementAt = (index) => element.querySelector(`[data-index="${index}"]`);

  // Moving

  function reveal(index) {
    const box = scroller();
    const { from, to } = sight();
    const [top, bottom] = [topOf(index) - groupHeight, topOf(index) + rowHeight];
    const foot = Number.parseFloat(getComputedStyle(box).scrollPaddingBottom) || 0;
    if (top < from) box.scrollTop -= from - top;
    else if (bottom > to - foot) box.scrollTop += bottom - to + foot;
  }

  function focusRow({ isQuiet = false } = {}) {
    if (!isQuiet) reveal(active);
    draw();
    elementAt(active)?.focus({ preventScroll: true });
  }

  /** Focuses the row at `index`. */
  function focusIndex(index) {
    if (!total) return;
    active = Math.max(0, Math.min(index, total - 1));
    focusRow();
  }

  /** Focuses the row of `wanted`; the first in sight when it is not loaded. */
  function focusID(wanted) {
    focusIndex(find(wanted) ?? Math.min(active, total - 1));
  }

  // Selecting

  function select(ids) {
    selection = new Set(ids);
    element.classList.toggle("selecting", selection.size > 0);
    draw();
    selected(selection);
  }

  function toggle(index) {
    const item = itemAt(index);
    if (!item || !canSelect) return;
    const ids = new Set(selection);
    if (!ids.delete(id(item))) ids.add(id(item));
    anchor = index;
    select(ids);
  }

  function selectRange(to) {
    const [first, last] = [Math.min(anchor, to), Math.max(anchor, to)];
    const ids = [];
    for (let index = first; index <= last; index++) if (itemAt(index)) ids.push(id(itemAt(index)));
    select(ids);
  }

  function clearSelection() {
    if (selection.size) select([]);
  }

  async function selectAll() {
    if (canSelect) select(allIDs ? await allIDs() : [...pages.values()].flat().map(id));
  }

  // Input

  const rowsInSight = () => Math.max(1, Math.floor((sight().to - sight().from) / rowHeight) - 1);

  function onKey(event) {
    const isMod = event.ctrlKey || event.metaKey;
    const to = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      Home: 0,
      End: total - 1,
      PageDown: active + rowsInSight(),
      PageUp: active - rowsInSight(),
    }[event.key];
    if (to !== undefined) {
      if (event.key === "ArrowUp" && active === 0 && !event.shiftKey) return;
      if (!event.shiftKey) anchor = Math.max(0, Math.min(to, total - 1));
      focusIndex(to);
      if (event.shiftKey && canSelect) selectRange(active);
    } else if (isHeld(event)) return;
    else if (event.key === " " && canSelect) toggle(active);
    else if (event.key === "Enter" && !isMod) openIndex(active);
    else if (event.key.toLowerCase() === "a" && isMod) selectAll();
    else if (event.key === "Escape" && selection.size) clearSelection();
    else return;
    event.preventDefault();
  }

  function openIndex(index) {
    const item = itemAt(index);
    if (item) open(item, index);
  }

  const indexOf = (target) => {
    const found = target.closest("[data-index]");
    return found && element.contains(found) ? Number(found.dataset.index) : null;
  };

  let pointer = "mouse";
  element.addEventListener("pointerdown", (event) => {
    pointer = event.pointerType;
  });

  function onClick(event) {
    const index = indexOf(event.target);
    if (index === null) return;
    active = index;
    if (canSelect && event.shiftKey) selectRange(index);
    else if (canSelect && (event.ctrlKey || event.metaKey || event.target.closest(".pick") || (selection.size && pointer === "touch")))
      toggle(index);
    else {
      anchor = index;
      draw();
      openIndex(index);
    }
  }

  // A long touch begins a selection.
  function onContext(event) {
    if (pointer !== "touch" || !canSelect) return;
    event.preventDefault();
    const index = indexOf(event.target);
    if (index !== null) toggle(index);
  }

  function onFocus(event) {
    const index = indexOf(event.target);
    // A row that goes hands its focus to another one, which is not a move of the user.
    if (isPatching || index === null || index === active) return;
    active = index;
    draw();
  }

  const later = () => {
    if (isDrawing) return;
    isDrawing = true;
    requestAnimationFrame(() => {
      isDrawing = false;
      if (element.isConnected) draw();
    });
  };
  const stop = new AbortController();
  document.addEventListener(
    "scroll",
    (event) => {
      if (event.target?.contains?.(element)) later();
    },
    { capture: true, passive: true, signal: stop.signal },
  );
  // Paper has all rows that are known.
  for (const type of ["beforeprint", "afterprint"]) {
    const onPrint = () => {
      isPrinting = type === "beforeprint";
      if (element.isConnected) draw();
    };
    window.addEventListener(type, onPrint, { signal: stop.signal });
  }
  const observer = new ResizeObserver(() => {
    measure();
    later();
  });

  return {
    element,
    refresh,
    reset,
    focusIndex,
    focusID,
    select,
    selectAll,
    clearSelection,
    reveal,
    /** Begins to follow the size of its place; call it when the element is on the page. */
    start() {
      measure();
      observer.observe(element.parentElement);
      return refresh();
    },
    /** Moves the focus by some rows; the first in sight gets it when none has. */
    step(by) {
      focusIndex(element.contains(document.activeElement) ? active + by : Math.max(active, 0));
    },
    /** Marks the row that is open. */
    markOpen(wanted) {
      current = wanted;
      const place = find(wanted);
      if (place !== null && !element.contains(document.activeElement)) active = place;
      draw();
    },
    /** Shows the row at `index` at the top, as a letter does. */
    jump(index) {
      const box = scroller();
      box.scrollTop += topOf(index) - groupHeight - sight().from;
      active = index;
      draw();
    },
    /** The item of the row with the focus, or null. */
    get focused() {
      return element.contains(document.activeElement) ? itemAt(active) : null;
    },
    get selection() {
      return [...selection];
    },
    get total() {
      return total;
    },
    /** Whether the rows have been read. */
    get isKnown() {
      return isKnown;
    },
    itemOf: (wanted) => itemAt(find(wanted) ?? -1),
    /** The item beside `wanted`, which takes its place when it goes. */
    neighbour(wanted) {
      const place = find(wanted);
      return place === null ? null : (itemAt(place + 1) ?? itemAt(place - 1));
    },
    close() {
      reading.abort();
      observer.disconnect();
      stop.abort();
    },
  };
}

/**
 * The letters beside a list: a click or a finger that moves over them shows their place. Words and arrows find the same by keyboard.
 * @param {Hub.Group[]} groups
 * @param {(index: number) => void} jump
 * @returns {Hub.Description}
 */
export function letterRail(groups, jump) {
  const go = (event) => {
    const letter = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-start]");
    if (letter) jump(Number(letter.dataset.start));
  };
  return h(
    "div",
    {
      class: "letters",
      "aria-hidden": "true",
      onpointerdown: (event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      },
      onpointermove: (event) => {
        if (event.buttons) go(event);
      },
    },
    groups.map(({ label, start }) => h("span", { "data-start": start }, label)),
  );
}
