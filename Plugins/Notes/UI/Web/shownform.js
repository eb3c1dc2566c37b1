// A text as a field shows it: without carriage returns, which no field has.

/**
 * The shown form of a text; `place` leads from it to the text, `shownPlace` back.
 * @param {string} text
 * @returns {Notes.ShownForm}
 */
export function shownForm(text) {
  if (!text.includes("\r")) return { shown: text, place: (at) => at, shownPlace: (at) => at };
  // `places[i]` is where the unit i that is shown is in the text.
  /** @type {number[]} */
  const places = [];
  let shown = "";
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\r" && text[at + 1] === "\n") continue;
    places.push(text[at] === "\n" && text[at - 1] === "\r" ? at - 1 : at);
    shown += text[at] === "\r" ? "\n" : text[at];
  }
  places.push(text.length);
  return {
    shown,
    place: (at) => places[at],
    shownPlace: (at) =>
      Math.max(
        0,
        places.findIndex((place) => place >= at),
      ),
  };
}

/**
 * The steps over a text as it is shown, as steps over the text itself.
 * @param {Notes.ShownForm} form
 * @param {Notes.Change} change
 * @returns {Notes.Change}
 */
export function inText(form, change) {
  let at = 0;
  return change.map((step) => {
    if (typeof step === "string") return step;
    const from = form.place(at);
    at += Math.abs(step);
    return Math.sign(step) * (form.place(at) - from);
  });
}
