// Updates elements in place from a description of what they should be. A redraw keeps the focus, the caret, the selection,
// the scroll position, open parts and playing sounds, because nothing is replaced that stays.

/**
 * What was last described of an element: its description, and its listeners by type.
 * @typedef {{ description: Hub.Description, listeners: Record<string, (event: Event) => unknown> }} Drawn
 */

/** @type {WeakMap<Node, Drawn>} */
const known = new WeakMap();
const svg = "http://www.w3.org/2000/svg";
// Users change these too, so they are set only when the description changes.
const live = new Set(["value", "checked", "open", "selected", "indeterminate", "muted"]);

/**
 * The children that are shown.
 * @param {Hub.Child[]} children
 * @returns {Hub.Content[]}
 */
function flat(children) {
  /** @type {any[]} a list of any depth, which `flat` has no type for */
  const all = children;
  return all.flat(Infinity).filter((child) => child || child === 0);
}

/**
 * Describes an element. Properties are attributes, except: `key` identifies it among its siblings, functions named `on…` are
 * listeners, `style` is an object, `created(element)` is called once, and with `keep` the children are made once and then left
 * alone. Children are descriptions, words, elements, and lists of them; null and false are skipped.
 * @param {string} name
 * @param {Hub.Properties | null} [properties]
 * @param {...Hub.Child} children
 * @returns {Hub.Description}
 */
export function h(name, properties, ...children) {
  return { name, properties: properties ?? {}, children: flat(children) };
}

/**
 * Makes the children of `parent` what `children` describe.
 * @param {Element} parent
 * @param {...Hub.Child} children
 */
export function patch(parent, ...children) {
  const rescue = rememberFocus(parent);
  arrange(parent, flat(children));
  rescue?.();
}

/**
 * Updates the one child of `parent` that has the key of `description`; returns whether there is one.
 * @param {Element} parent
 * @param {Hub.Description} description
 * @returns {boolean}
 */
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

/**
 * Makes the element that `description` describes.
 * @param {Hub.Content} description
 * @param {string | null} [namespace]
 * @returns {any} an element of the kind that the description names, which a type cannot follow
 */
export function create(description, namespace = null) {
  if (description instanceof Node) return description;
  if (typeof description !== "object") return document.createTextNode(String(description));
  const own = description.name === "svg" ? svg : namespace;
  const element = own ? document.createElementNS(own, description.name) : document.createElement(description.name);
  known.set(element, { description: { name: description.name, properties: {}, children: [] }, listeners: {} });
  update(element, description, true);
  description.properties.created?.(element);
  return element;
}

/**
 * @param {Hub.Description | undefined} one
 * @param {Hub.Description} other
 * @returns {boolean}
 */
const sameKey = (one, other) => one?.name === other.name && (one.properties.key ?? null) === (other.properties.key ?? null);

/**
 * @param {any} element of a kind that only the description knows
 * @param {Hub.Description} description
 * @param {boolean} [isNew]
 */
function update(element, description, isNew = false) {
  const state = known.get(element);
  if (!state || state.description === description) return;
  const before = state.description;
  state.description = description;
  const { properties } = description;
  // A select takes its value after its options are there.
  /** @type {(name: string) => boolean} */
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

/**
 * @param {any} element of a kind that only the description knows
 * @param {Drawn} state
 * @param {string} name
 * @param {any} value that of the property
 * @param {any} before the value that it had
 */
function setProperty(element, state, name, value, before) {
  if (name === "key" || name === "keep" || name === "created") return;
  if (name.startsWith("on")) {
    const type = name.slice(2);
    if (!(type in state.listeners))
      element.addEventListener(type, (/** @type {Event} */ event) => state.listeners[type]?.call(element, event));
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

/**
 * Finds for each description the child that is it already, makes the others, and puts all in order.
 * @param {Element} parent
 * @param {Hub.Content[]} wanted
 */
function arrange(parent, wanted) {
  const only = parent.firstChild;
  if (wanted.length === 1 && typeof wanted[0] !== "object" && only instanceof Text && !only.nextSibling) {
    if (only.data !== String(wanted[0])) only.data = String(wanted[0]);
    return;
  }
  const old = [...parent.childNodes];
  const [keyed, plain] = [new Map(), new Map()];
  for (const node of old) {
    const description = known.get(node)?.description;
    const key = description?.properties.key ?? null;
    if (description && key !== null) keyed.set(`${description.name} ${key}`, node);
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

/**
 * @param {Map<string, ChildNode[]>} map
 * @param {string} name
 * @returns {ChildNode[]}
 */
function listOf(map, name) {
  const list = map.get(name) ?? [];
  map.set(name, list);
  return list;
}

/**
 * @param {Map<string, ChildNode[]>} map
 * @param {string} name
 * @param {Set<unknown>} given
 * @returns {ChildNode | null}
 */
function nextOf(map, name, given) {
  const list = map.get(name) ?? [];
  for (let node = list.shift(); node; node = list.shift()) if (!given.has(node)) return node;
  return null;
}

/**
 * @param {Map<string, ChildNode[]>} plain
 * @param {string | number} words
 * @returns {Text}
 */
function text(plain, words) {
  const node = /** @type {Text | undefined} */ (plain.get("#text")?.shift());
  if (!node) return document.createTextNode(String(words));
  if (node.data !== String(words)) node.data = String(words);
  return node;
}

/**
 * Moves as few nodes as it can, and never one that has the focus or plays: the others move around it.
 * @param {Element} parent
 * @param {ChildNode[]} nodes
 */
function order(parent, nodes) {
  const children = parent.childNodes;
  if (children.length === nodes.length && nodes.every((node, place) => node === children[place])) return;
  /** @type {Map<Node, number>} */
  const places = new Map([...children].map((node, place) => [node, place]));
  /** @type {(node: Node) => number} */
  const placeOf = (node) => places.get(node) ?? -1;
  const present = nodes.filter((node) => places.has(node));
  const stays = new Set(isRising(present, placeOf) ? present : longestRising(present, placeOf));
  let next = null;
  for (const node of nodes.toReversed()) {
    if (!stays.has(node)) move(parent, node, next);
    next = node;
  }
}

/**
 * @param {Node[]} nodes
 * @param {(node: Node) => number} placeOf
 * @returns {boolean}
 */
const isRising = (nodes, placeOf) => nodes.every((node, place) => place === 0 || placeOf(nodes[place - 1]) < placeOf(node));

/**
 * @param {Element} parent
 * @param {Node} node
 * @param {Node | null} next
 */
function move(parent, node, next) {
  if (parent.moveBefore && node.parentNode === parent) parent.moveBefore(node, next);
  else parent.insertBefore(node, next);
}

/**
 * @param {Node} node
 * @returns {boolean}
 */
const isPinned = (node) =>
  node instanceof Element && (node.contains(document.activeElement) || [node, ...node.querySelectorAll("audio, video")].some(isPlaying));

/**
 * @param {Element} node
 * @returns {boolean}
 */
const isPlaying = (node) => node instanceof HTMLMediaElement && !node.paused;

/**
 * The most nodes that are in order already, among them the first pinned one.
 * @param {Node[]} nodes
 * @param {(node: Node) => number} placeOf
 * @returns {Node[]}
 */
function longestRising(nodes, placeOf) {
  const pinned = nodes.findIndex(isPinned);
  /** @type {(node: Node, place: number) => boolean} */
  const fits = (node, place) => pinned < 0 || place === pinned || place < pinned === placeOf(node) < placeOf(nodes[pinned]);
  /** @type {Node[]} */
  const ends = [];
  /** @type {Map<Node, Node | null>} */
  const before = new Map();
  for (const node of nodes.filter(fits)) {
    const place = placeOf(node);
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (placeOf(ends[middle]) < place) low = middle + 1;
      else high = middle;
    }
    before.set(node, ends[low - 1] ?? null);
    ends[low] = node;
  }
  /** @type {Node[]} */
  const found = [];
  for (let node = ends.at(-1) ?? null; node; node = before.get(node) ?? null) found.push(node);
  return found;
}

const focusable = "a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex]";

/**
 * Returns what gives the focus to the neighbour of the focused part if that part goes: the next one, else the one before, else
 * what holds both.
 * @param {Element} parent
 * @returns {(() => void) | null}
 */
function rememberFocus(parent) {
  const focused = document.activeElement;
  if (!focused || focused === parent || !parent.contains(focused)) return null;
  /** @type {Element[]} */
  const neighbours = [];
  for (let node = focused; node !== parent && node.parentElement; node = node.parentElement) {
    const siblings = [...node.parentElement.children];
    const place = siblings.indexOf(node);
    neighbours.push(...siblings.slice(place + 1), ...siblings.slice(0, place).reverse(), node.parentElement);
  }
  return () => {
    if (focused.isConnected) return;
    for (const node of neighbours) {
      if (!node.isConnected) continue;
      const target = node.matches(focusable) ? /** @type {HTMLElement} */ (node) : node.querySelector(focusable);
      if (target?.checkVisibility()) return target.focus();
    }
    parent.closest("[tabindex]")?.focus();
  };
}
