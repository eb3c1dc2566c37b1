// Possible duplicates, with the matching fields and what a merge would do.
import { avatar } from "/assets/components/avatar.js";
import { counted, listed, number, sentence } from "/assets/components/format.js";
import { h } from "/assets/components/patch.js";
import { keyed } from "/assets/components/shortcuts.js";
import { empty } from "/assets/components/states.js";
import { tell, tellError, undoable } from "/assets/components/undoable.js";
import { getJSON, sendJSON } from "/assets/hub.js";
import { fieldWords } from "/contacts/labels.js";
import { photoOf } from "/contacts/people.js";
import { mergeWords } from "/contacts/selection.js";
import { address, article, go, heading, redraw, refresh, show, state } from "/contacts/page.js";

const pageSize = 50;
let count = pageSize;
// Groups that were decided here; the search still finds them until it has run again.
let decided = new Set();
let busy = new Set();
let isMerging = false;

const keyOf = (group) => group.contacts.map(({ id }) => id).join(" ");

/**
 * Whether hub has not answered a decision yet.
 * @returns {boolean}
 */
export const isDeciding = () => busy.size > 0;

/** Shows the groups. */
export function drawDuplicates() {
  [count, decided, busy, isMerging] = [pageSize, new Set(), new Set(), false];
  let waiting = null;
  show({
    topics: ["domain.contacts/*"],
    read: async (signal) => {
      const answer = await getJSON(
        "/api/contacts/duplicates/known?" +
          new URLSearchParams({ limit: String(count + decided.size), ...(state.all ? { all: "1" } : {}) }),
        { signal },
      );
      clearTimeout(waiting);
      // The search goes on in the background.
      if (answer.searching)
        waiting = setTimeout(() => {
          if (!signal.aborted) refresh();
        }, 700);
      else decided = new Set();
      return answer;
    },
    draw,
  });
}

function draw({ groups, total, certain, searching }) {
  const open = groups.filter((group) => !decided.has(keyOf(group))).slice(0, count);
  const left = Math.max(0, total - (groups.length - groups.filter((group) => !decided.has(keyOf(group))).length));
  return [
    heading("Duplicates"),
    h(
      "p",
      { class: "hint", key: "about" },
      "Contacts that may be the same person. A merge loses nothing: the contact that you keep takes over all values.",
    ),
    h(
      "div",
      { class: "toolbar", key: "tools" },
      h(
        "label",
        { class: "check grow" },
        h("input", {
          type: "checkbox",
          checked: Boolean(state.all),
          onchange: (event) => go({ view: "duplicates", all: event.target.checked ? "1" : null }),
        }),
        h("span", null, "Also similar names"),
      ),
      certain > 0 &&
        h(
          "button",
          { type: "button", disabled: isMerging, "aria-busy": isMerging ? "true" : null, onclick: mergeSafe },
          isMerging ? "Merging…" : "Merge all very likely ones",
        ),
    ),
    h(
      "p",
      { class: "hint", key: "count", role: "status" },
      searching && !total
        ? "Looking for duplicates…"
        : [
            open.length < left ? `${number(open.length)} of ${counted(left, "group")}` : counted(left, "group"),
            searching && " · looking for more…",
          ],
    ),
    h("ul", { class: "cards duplicates", key: "groups" }, open.map(card)),
    open.length < left &&
      h(
        "button",
        {
          type: "button",
          key: "more",
          onclick: () => {
            count += pageSize;
            refresh();
          },
        },
        "Show more",
      ),
    !left &&
      !searching &&
      empty("No duplicates", {
        picture: "check",
        words: state.all ? null : "Tick the box above to see contacts that only have similar names.",
      }),
  ];
}

function card(group) {
  const key = keyOf(group);
  const isBusy = busy.has(key);
  const name = `keep ${key}`;
  return h(
    "li",
    {
      class: "card",
      key,
      "data-item": "",
      tabindex: "-1",
      "aria-label": listed(group.contacts.map((contact) => contact.name)),
      inert: isBusy,
      "aria-busy": isBusy ? "true" : null,
      "data-group": key,
      onchange: (event) => {
        const plan = event.currentTarget.querySelector("details");
        if (event.target.type === "radio") plan.open = false;
      },
    },
    h("p", null, h("strong", null, sentence(group.tier).slice(0, -1)), h("span", { class: "hint" }, ` · ${group.evidence.join(", ")}`)),
    h(
      "fieldset",
      { class: "plain" },
      h("legend", null, "Keep"),
      h(
        "ul",
        { class: "members" },
        group.contacts.map((contact, place) =>
          h(
            "li",
            { key: contact.id },
            h(
              "label",
              { class: "check" },
              h("input", { type: "radio", name, value: contact.id, checked: place === 0 }),
              avatar(contact.name, { photo: photoOf(contact), size: "small" }),
              h(
                "span",
                null,
                h("strong", null, contact.name || "(no name)"),
                h("small", null, [contact.phone, contact.email].filter(Boolean).join(" · ")),
              ),
            ),
            h(
              "a",
              { class: "open", href: address({ id: contact.id, view: null, all: null }), "aria-label": `Open ${contact.name}` },
              "Open",
            ),
          ),
        ),
      ),
    ),
    h(
      "details",
      { ontoggle: (event) => showPlan(event.currentTarget) },
      h("summary", null, "What a merge changes"),
      h("ul", { class: "plan", "aria-live": "polite", keep: true }),
    ),
    h(
      "div",
      { class: "actions" },
      h(
        "button",
        { type: "button", class: "main", "data-act": "merge", ...keyed("m"), onclick: (event) => merge(choice(event.target), group) },
        "Merge",
      ),
      h("button", { type: "button", "data-act": "apart", ...keyed("x"), onclick: () => keepApart(group) }, "Not the same"),
    ),
  );
}

// The choice of the user: the contact to keep, and those to merge into it.
function choice(element) {
  const radios = [...element.closest("[data-item]").querySelectorAll("input[type=radio]")];
  return { keep: radios.find((radio) => radio.checked).value, drop: radios.filter((radio) => !radio.checked).map((radio) => radio.value) };
}

async function showPlan(details) {
  if (!details.open) return;
  const list = details.querySelector("ul");
  try {
    const { body } = await sendJSON("POST", "/api/contacts/merge", { ...choice(details), dry_run: true });
    const lines = mergeWords(body);
    list.replaceChildren(
      ...(lines.length ? lines : ["nothing new"]).map((line) =>
        Object.assign(document.createElement("li"), { textContent: sentence(line) }),
      ),
    );
  } catch (error) {
    list.replaceChildren(Object.assign(document.createElement("li"), { textContent: sentence(error.message) }));
  }
}

// The card is dropped at once; it comes back when the change fails.
async function decide(group, send, words) {
  const key = keyOf(group);
  if (busy.has(key)) return;
  busy.add(key);
  decided.add(key);
  redraw();
  try {
    const { body, operation } = await send();
    tell(words(body), { operation });
  } catch (error) {
    decided.delete(key);
    tellError(error);
  } finally {
    busy.delete(key);
    redraw();
  }
}

function merge(chosen, group) {
  return decide(
    group,
    () => sendJSON("POST", "/api/contacts/merge", chosen),
    (merged) => {
      const fields = [...new Set(merged.changes.map(({ field }) => fieldWords(field).toLowerCase()))];
      const taken = fields.length ? `, which takes over ${listed(fields)}` : "";
      return `${listed(merged.dropped.map((contact) => contact.name))} merged into ${merged.name}${taken}.`;
    },
  );
}

function keepApart(group) {
  return decide(
    group,
    () => sendJSON("POST", "/api/contacts/duplicates/apart", { ids: group.contacts.map(({ id }) => id) }),
    () => `${listed(group.contacts.map((contact) => contact.name))} are marked as different people.`,
  );
}

async function mergeSafe() {
  if (isMerging) return;
  isMerging = true;
  redraw();
  await undoable("POST", "/api/contacts/duplicates/merge", {}, ({ contacts }) =>
    contacts ? `${counted(contacts, "contact")} merged into others.` : "None can be merged without a decision.",
  );
  isMerging = false;
  refresh();
}

/** What was undone is open again. */
export function forgetDecisions() {
  decided = new Set();
  if (article.querySelector(".duplicates")) refresh();
}
