// Finds the modules of pages by the addresses under which hub serves them: /assets/… and /PLUGIN/….
import { readdir, readFile } from "node:fs/promises";

const root = new URL("../../", import.meta.url);
const plugins = Object.fromEntries((await readdir(new URL("Plugins", root))).map((name) => [name.toLowerCase(), name]));

/** Where the module at `address` is in this repository; null for one of another kind. */
function placeOf(address) {
  const [, first, rest] = /^\/(\w+)\/(.+)$/.exec(address) ?? [];
  if (first === "assets") return new URL(`Sources/HubRuntime/Web/Assets/${rest}`, root).href;
  return Object.hasOwn(plugins, first ?? "") ? new URL(`Plugins/${plugins[first]}/UI/Web/${rest}`, root).href : null;
}

export async function resolve(specifier, context, next) {
  const url = placeOf(specifier);
  return url ? { url, format: "module", shortCircuit: true } : next(specifier, context);
}

// Without a package.json, Node takes a .js file for one of CommonJS.
export async function load(url, context, next) {
  if (!url.startsWith(root.href) || !new URL(url).pathname.endsWith(".js")) return next(url, context);
  return { format: "module", source: await readFile(new URL(new URL(url).pathname, "file:")), shortCircuit: true };
}
