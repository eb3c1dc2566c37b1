// The tests of the modules of pages that need no browser: all in one process, since each further one costs as much as the tests.
//   node Tests/PageTests/run.mjs
import { register } from "node:module";

register("./modules.mjs", import.meta.url);
await import("./browser.mjs");
// "format" changes the settings of the page, so it is the last.
for (const name of [
  "words",
  "change",
  "markdownstyle",
  "editclient",
  "drafts",
  "live",
  "keys",
  "patch",
  "view",
  "oggopus",
  "outbox",
  "waiting",
  "marks",
  "format",
])
  await import(`./${name}.test.mjs`);
