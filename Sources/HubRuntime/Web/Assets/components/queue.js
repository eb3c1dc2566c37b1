// Changes that wait until hub can be reached: kept in their order, sent once. What is shown of them is in outbox.js.
import { sentence } from "/assets/components/format.js";

const place = "hub-outbox";
const maximum = 500;
const letters = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * A new id of an operation, as hub makes them: a digit, a letter, and 18 more characters.
 * @returns {string}
 */
export function operationID() {
  const random = crypto.getRandomValues(new Uint8Array(20));
  return [...random].map((byte, index) => letters[index === 0 ? byte % 10 : index === 1 ? 10 + (byte % 22) : byte % 32]).join("");
}

/**
 * The body of a request from its template.
 * @param {string} template JSON in which `$text`, `$today` and `$key` stand for `values`
 * @param {Record<string, string>} values
 * @returns {object}
 */
export const filled = (template, values) =>
  JSON.parse(template, (_, value) =>
    typeof value === "string" && value.startsWith("$") && Object.hasOwn(values, value.slice(1)) ? values[value.slice(1)] : value,
  );

/** @type {(error: { code?: string }) => boolean} */
const isAway = ({ code }) => code === "offline" || code === "login-needed";

/**
 * The queue in `storage`. `send` sends a change, `changed` is called after each change of the queue, `done` after one was sent and
 * `refused` after hub refused one.
 * @param {Hub.QueueProperties} properties
 * @returns {Hub.Queue}
 */
export function makeQueue({ storage, send, changed, done, refused }) {
  /** @returns {Hub.Waiting[]} */
  function waiting() {
    try {
      const all = JSON.parse(storage.getItem(place) ?? "[]");
      return Array.isArray(all) ? all : [];
    } catch {
      return [];
    }
  }

  /** @param {Hub.Waiting[]} all */
  function save(all) {
    storage.setItem(place, JSON.stringify(all));
    changed();
  }

  /** @param {Hub.Waiting} entry */
  function keep(entry) {
    const all = waiting();
    if (all.length >= maximum) return false;
    try {
      save([...all, entry]);
      return true;
    } catch {
      // The storage of the browser is full.
      return false;
    }
  }

  const next = () => waiting().find(({ problem }) => problem === null);
  /** @type {(operation: string) => void} */
  const discard = (operation) => save(waiting().filter((other) => other.operation !== operation));
  /** @type {(operation: string, problem: string | null) => void} */
  const mark = (operation, problem) => save(waiting().map((other) => (other.operation === operation ? { ...other, problem } : other)));

  return {
    waiting,
    discard,
    retry: (operation) => mark(operation, null),

    async deliver(method, url, value, words) {
      const entry = { operation: operationID(), method, url, value, words, at: new Date().toISOString(), problem: null };
      // What is newer never overtakes what is older.
      if (!next()) {
        try {
          return await send(entry);
        } catch (error) {
          if (!isAway(error) || !keep(entry)) throw error;
        }
      } else if (!keep(entry)) {
        throw Object.assign(new Error("too many changes wait to be sent"), { code: "outbox-full" });
      }
      return null;
    },

    async flush() {
      let count = 0;
      for (let entry = next(); entry; entry = next()) {
        try {
          const answer = await send(entry);
          discard(entry.operation);
          done(entry, answer);
          count += 1;
        } catch (error) {
          if (isAway(error) || error.status >= 500) break;
          const problem = sentence(error.message ?? String(error));
          mark(entry.operation, problem);
          refused(entry, problem);
        }
      }
      return count;
    },
  };
}
