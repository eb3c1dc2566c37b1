// Updates elements in place from a description of what they should be. A redraw keeps the focus, the caret, the selection,
// the scroll position, open parts and playing sounds, because nothing is replaced that stays.

/** What was last described of an element: its description, and its listeners by type. */
const known = new WeakMap();
const svg = "http://www.w3.org/2000/svg";
// Users change these too, so they are set only when the description changes.
const live = new Set(["value", "checked", "open", "selected", "indeterminate", "muted"]);

/**
 * Describes an element. Properties are attributes, except: `key` identifies it among its siblings, functions named `on…` are
 * listeners, `style` is an object, `created(element)` is called once, and with `keep` the children are made once and then left
 * alone. Children are descriptions, words, elements, and lists of them; null and false are skipped.
 */
export function h(name, properties, ...children) {
  return { name, properties: properties ?? {}, children: children.flat(Infinity).filter((child) => child || child === 0) };
}

/** Makes the children of `parent` what `children` describe. */
export function patch(parent, ...children) {
  const rescue = rememberFocus(parent);
  arrange(
    parent,
    children.flat(Infinity).filter((child) => child || child === 0),
  );
  rescue?.();
}

/** Updates the one child of `parent` that has the key of `description`; returns whether there is one. */
export function patchChild(parent, description) {
  for (const child of parent.children) {
    if (sameKey(known.get(child)?.description, description)) {
      const rescue = rememberFocus(child);
      update(child, description);
      rescue?.();
      return true;
    }
  }
  return false;
}

/** Makes the element that `description` describes. */
export function create(description, namespace = null) {
  if (description instanceof Node) return description;
  if (typeof description !== "object") return document.createTextNode(description);
  const own = description.name === "svg" ? svg : namespace;
  const element = own ? document.createElementNS(own, description.name) : document.createElement(description.name);
  known.set(element, { description: { name: description.name, properties: {}, children: [] }, listeners: {} });
  update(element, description, true);
  description.properties.created?.(element);
  return element;
}

const sameKey = (one, other) => one?.name === other.name && (one.properties.key ?? null) === (other.properties.key ?? null);

function update(element, description, isNew = false) {
  const state = known.get(element);
  const before = state.description;
  if (before === description) return;
  state.description = description;
  const { properties } = description;
  // A select takes its value after its options are there.
  const isLate = (name) => name === "value" && description.name === "select";
  for (const name of Object.keys(before.properties)) {
    if (!(name in properties)) setProperty(element, state, name, null, before.properties[name]);
  }
  for (const name of Object.keys(properties)) {
    if (properties[name] !== before.properties[name] && !isLate(name)) {
      setProperty(element, state, name, properties[name], before.properties[name]);
    }
  }
  if (isNew || !properties.keep) arrange(element, description.children);
  if (isLate("value") && properties.value !== before.properties.value && "value" in properties) element.value = properties.value ?? "";
}

function setProperty(element, state, name, value, before) {
  if (name === "key" || name === "keep" || name === "created") return;
  if (name.startsWith("on")) {
    const type = name.slice(2);
    if (!(type in state.listeners)) element.addEventListener(type, (event) => state.listeners[type]?.call(element, event));
    state.listeners[type] = value;
  } else if (live.has(name) && name in element) {
    element[name] = name === "value" ? (value ?? "") : Boolean(value);
  } else if (name === "style") {
    for (const property of Object.keys(before ?? {})) if (!(property in (value ?? {}))) element.style.removeProperty(property);
    for (const [property, words] of Object.entries(value ?? {})) element.style.setProperty(property, words);
  } else if (value === null || value === undefined || value === false) {
    element.removeAttribute(name);
  } else {
    element.setAttribute(name, value === true ? "" : value);
  }
}

// Finds for each description the child that is it already, makes the others, and puts all in order.
function arrange(parent, wanted) {
  const only = parent.firstChild;
  if (wanted.length === 1 && typeof wanted[0] !== "object" && only?.nodeType === Node.TEXT_NODE && !only.nextSibling) {
    if (only.data !== String(wanted[0])) only.data = wanted[0];
    return;
  }
  const old = [...parent.childNodes];
  const [keyed, plain] = [new Map(), new Map()];
  for (const node of old) {
    const description = known.get(node)?.description;
    const key = description?.properties.key ?? null;
    if (key !== null) keyed.set(`${description.name} ${key}`, node);
    else listOf(plain, description?.name ?? node.nodeName).push(node);
  }
  const namespace = parent.namespaceURI === svg && parent.nodeName !== "foreignObject" ? svg : null;
  const given = new Set(wanted.filter((child) => child instanceof Node));
  const nodes = wanted.map((child) => {
    if (child instanceof Node) return child;
    if (typeof child !== "object") return text(plain, child);
    const key = child.properties.key ?? null;
    const name = `${child.name} ${key}`;
    const found = key === null ? nextOf(plain, child.name, given) : keyed.get(name);
    keyed.delete(name);
    if (!found || !known.has(found)) return create(child, namespace);
    update(found, child);
    return found;
  });
  const stays = new Set(nodes);
  for (const node of old) if (!stays.has(node)) node.remove();
  order(parent, nodes);
}

function listOf(map, name) {
  if (!map.has(name)) map.set(name, []);
  return map.get(name);
}

function nextOf(map, name, given) {
  const list = map.get(name) ?? [];
  while (list.length) {
    const node = list.shift();
    if (!given.has(node)) return node;
  }
  return null;
}

function text(plain, words) {
  const node = plain.get("#text")?.shift();
  if (!node) return document.createTextNode(words);
  if (node.data !== String(words)) node.data = words;
  return node;
}

// Moves as few nodes as it can, and never one that has the focus or plays: the others move around it.
function order(parent, nodes) {
  const children = parent.childNodes;
  if (children.length === nodes.length && nodes.every((node, place) => node === children[place])) return;
  const places = new Map([...children].map((node, place) => [node, place]));
  const present = nodes.filter((node) => places.has(node));
  const stays = new Set(isRising(present, places) ? present : longestRising(present, places));
  let next = null;
  for (const node of nodes.toReversed()) {
    if (!stays.has(node)) move(parent, node, next);
    next = node;
  }
}

const isRising = (nodes, places) => nodes.every((node, place) => place === 0 || places.get(nodes[place - 1]) < places.get(node));

function move(parent, node, next) {
  if (parent.moveBefore && node.parentNode === parent) parent.moveBefore(node, next);
  else parent.insertBefore(node, next);
}

const isPinned = (node) =>
  node.nodeType === Node.ELEMENT_NODE &&
  (node.contains(document.activeElement) || [node, ...node.querySelectorAll("audio, video")].some((it) => it.paused === false));

// The most nodes that are in order already, among them the first pinned one.
function longestRising(nodes, places) {
  const pinned = nodes.findIndex(isPinned);
  const fits = (node, place) => pinned < 0 || place === pinned || place < pinned === places.get(node) < places.get(nodes[pinned]);
  const ends = [];
  const before = new Map();
  for (const node of nodes.filter(fits)) {
    const place = places.get(node);
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (places.get(ends[middle]) < place) low = middle + 1;
      else high = middle;
    }
    before.set(node, ends[low - 1] ?? null);
    ends[low] = node;
  }
  const found = [];
  for (let node = ends.at(-1) ?? null; node; node = before.get(node)) found.push(node);
  return found;
}

const focusable = "a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex]";

// Returns what gives the focus to the neighbour of the focused part if that part goes: the next one, else the one before, else
// what holds both.
function rememberFocus(parent) {
  const focused = document.activeElement;
  if (!focused || focused === parent || !parent.contains(focused)) return null;
  const neighbours = [];
  for (let node = focused; node !== parent; node = node.parentElement) {
    const siblings = [...node.parentElement.children];
    const place = siblings.indexOf(node);
    neighbours.push(...siblings.slice(place + 1), ...siblings.slice(0, place).reverse(), node.parentElement);
  }
  return () => {
    if (focused.isConnected) return;
    for (const node of neighbours) {
      if (!node.isConnected) continue;
      const target = node.matches(focusable) ? node : node.querySelector(focusable);
      if (target?.checkVisibility()) return target.focus();
    }
    parent.closest("[tabindex]")?.focus();
  };
}
