// What the modules under test expect of a browser. A test that needs more brings it itself.
import { File } from "node:buffer";
import { webcrypto } from "node:crypto";

const define = (name, value) => Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

/** The attributes of the element html, which carry the settings. */
export const html = { dataset: {}, lang: "en" };

define("document", { documentElement: html });
define("navigator", { languages: ["en-US"], platform: "Linux" });
define("Node", class Node {});
// Node has had these for all modules only since its version 20, and Debian 12 brings 18.
define("crypto", webcrypto);
define("File", File);
