// Messages on this device: what the desktop shows, by the push service of the browser (Web Push).
import { getJSON, sendJSON } from "/assets/hub.js";

/** Whether messages are wanted here; the browser may forget its subscription, and then makes another. */
const place = "hub-push";

/**
 * What this browser can do: `ready`, `insecure` without a certificate that it trusts, `missing` when it has no messages here, and
 * `denied` when the person has refused them.
 * @returns {"ready" | "insecure" | "missing" | "denied"}
 */
export function pushSupport() {
  if (!isSecureContext) return "insecure";
  if (!("PushManager" in globalThis) || !("Notification" in globalThis) || !navigator.serviceWorker) return "missing";
  return Notification.permission === "denied" ? "denied" : "ready";
}

/** @type {(text: string) => Uint8Array} */
const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

/** The service worker; an error when the browser refuses it, as it does for a certificate that it does not trust. */
async function worker() {
  await navigator.serviceWorker.register("/service-worker.js");
  return navigator.serviceWorker.ready;
}

/**
 * Has this browser get messages; asks the person when the browser wants it. Call it when the person has clicked.
 * @returns {Promise<boolean>} whether it gets messages now; false when the person refused
 */
export async function enablePush() {
  if ((await Notification.requestPermission()) !== "granted") return false;
  const registration = await worker();
  const { key } = await getJSON("/api/push");
  const subscription = await subscribed(registration, key);
  await sendJSON("POST", "/api/push", subscription.toJSON());
  localStorage.setItem(place, "on");
  return true;
}

async function subscribed(registration, key) {
  const wanted = bytes(key);
  const old = await registration.pushManager.getSubscription();
  const known = old?.options.applicationServerKey && new Uint8Array(old.options.applicationServerKey);
  if (old && known?.length === wanted.length && known.every((byte, index) => byte === wanted[index])) return old;
  // The hub at this address has another key: it is another one, or was restored.
  await old?.unsubscribe();
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: wanted });
}

/** Has this browser get no more messages. */
export async function disablePush() {
  localStorage.removeItem(place);
  await sendJSON("DELETE", "/api/push");
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/** Tells hub of a subscription that the browser has renewed, or that ended with an earlier login. */
async function renew() {
  if (localStorage.getItem(place) !== "on" || pushSupport() !== "ready" || Notification.permission !== "granted") return;
  const registration = await navigator.serviceWorker.getRegistration();
  if (!registration) return;
  const { key, is_on: isOn } = await getJSON("/api/push");
  const endpoint = (await registration.pushManager.getSubscription())?.endpoint;
  const subscription = await subscribed(registration, key);
  if (!isOn || subscription.endpoint !== endpoint) await sendJSON("POST", "/api/push", subscription.toJSON());
}

/** What was announced has been seen once hub is looked at. */
async function clear() {
  if (document.visibilityState !== "visible") return;
  const registration = await navigator.serviceWorker?.getRegistration();
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
  await /** @type {any} */ (navigator).clearAppBadge?.();
}

/** Keeps the subscription up to date, and clears the badge. */
export function startPush() {
  renew().catch(() => {});
  clear().catch(() => {});
  document.addEventListener("visibilitychange", () => clear().catch(() => {}));
}
