// What the modules under test expect of a browser. A test that needs more brings it itself.
const define = (name, value) => Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

/** The attributes of the element html, which carry the settings. */
export const html = { dataset: {}, lang: "en" };

define("document", { documentElement: html });
define("navigator", { languages: ["en-US"], platform: "Linux" });
define("Node", class Node {});
