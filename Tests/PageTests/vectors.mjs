// Cases that a test in Swift reads too: both sides must agree on them.
import { readFileSync } from "node:fs";

/** The cases of Vectors/NAME.json. */
export const vectors = (name) => JSON.parse(readFileSync(new URL(`Vectors/${name}.json`, import.meta.url), "utf8"));
