// The page of voice records: what its address may say, and the view that is shown.
import { splitPage } from "/assets/components/split.js";

/** The page itself. */
export const page = splitPage({
  path: "/dictofun",
  title: "Voice memos",
  all: "All records",
  kept: ["q", "tag"],
  fields: { q: "", tag: "", id: null, view: null },
});

export const {
  state,
  article,
  address,
  elsewhere,
  note,
  guardLeaving,
  go,
  expectFocus,
  takeFocus,
  show,
  redraw,
  refresh,
  backLink,
  heading,
  arrange,
  setEmpty,
} = page;
