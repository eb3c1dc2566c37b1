// Where others write in a text: their carets and selections lie over it.
import { colorOf } from "/assets/components/avatar.js";
import { create, h } from "/assets/components/patch.js";

/**
 * A layer over `host` with people. Each has a `key`, who it is, the name to show, `start` and `end` of the selection, whose end is the
 * caret, and how often they moved, `moves`. `nodeAt(place)` gives the node of the page and the offset in it.
 * @param {HTMLElement} host
 * @param {(place: number) => { node: Node, offset: number }} nodeAt
 * @returns {{ show: (people: Notes.ShownPerson[]) => void, arrange: () => void }}
 */
export function peerLayer(host, nodeAt) {
  const layer = create(h("div", { class: "carets", "aria-hidden": "true" }));
  host.append(layer);
  /** @type {Notes.ShownPerson[]} */
  let people = [];
  // An element of its own for each place: its name is shown for some seconds.
  const carets = new Map();

  const makeCaret = ({ who, name }) =>
    create(h("span", { class: `peer color-${colorOf(who)}` }, h("span", { class: "peer-caret" }), h("span", { class: "peer-name" }, name)));

  function rangeOf(start, end) {
    const [from, to] = [nodeAt(Math.min(start, end)), nodeAt(Math.max(start, end))];
    const range = document.createRange();
    range.setStart(from.node, from.offset);
    range.setEnd(to.node, to.offset);
    return range;
  }

  /** The place of a caret; that of an empty line is where its line break is. */
  function caretBox(place) {
    const range = rangeOf(place, place);
    const box = range.getClientRects()[0] ?? range.getBoundingClientRect();
    if (box.height) return box;
    const { node } = nodeAt(place);
    return (node instanceof Element ? node : node.parentElement)?.getBoundingClientRect() ?? box;
  }

  function arrange() {
    if (!people.length && !layer.childElementCount) return;
    const around = layer.getBoundingClientRect();
    const wanted = new Set(people.map(({ key, moves }) => `${key} ${moves}`));
    for (const [key, element] of carets) {
      if (wanted.has(key)) continue;
      element.remove();
      carets.delete(key);
    }
    layer.querySelectorAll(".selected").forEach((it) => it.remove());
    for (const person of people) {
      const { key, moves, who, start, end } = person;
      if (start !== end) {
        for (const box of rangeOf(start, end).getClientRects()) {
          const style = {
            left: `${box.left - around.left}px`,
            top: `${box.top - around.top}px`,
            width: `${box.width}px`,
            height: `${box.height}px`,
          };
          layer.prepend(create(h("span", { class: `selected color-${colorOf(who)}`, style })));
        }
      }
      const name = `${key} ${moves}`;
      if (!carets.has(name)) carets.set(name, layer.appendChild(makeCaret(person)));
      const box = caretBox(end);
      Object.assign(carets.get(name).style, {
        left: `${box.left - around.left}px`,
        top: `${box.top - around.top}px`,
        height: `${box.height}px`,
      });
    }
  }

  return {
    show(now) {
      people = now;
      arrange();
    },
    arrange,
  };
}
