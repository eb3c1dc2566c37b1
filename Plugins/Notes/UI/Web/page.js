// The page of notes: what its address may say, and the view that is shown.
import { splitPage } from "/assets/components/split.js";

/** The page itself. */
export const page = splitPage({
  path: "/notes",
  title: "Notes",
  all: "All notes",
  kept: ["q", "tag", "folder", "show"],
  fields: { q: "", tag: "", folder: "", show: "", id: null, view: null, title: "", heading: "" },
});

export const { state, address, elsewhere, note, go, takeFocus, show, redraw, refresh, backLink, heading, arrange, setEmpty } = page;
