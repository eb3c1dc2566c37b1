// Keeps the pages and the last answers of hub, for the time when it cannot be reached. Runs in a thread of its own, for all tabs.
// hub fills in the version of its files, their addresses and those of the pages.
/** @type {any} the scope of a service worker, which the types of pages lack */
const scope = self;
/** @type {any} with a badge, which only some browsers have */
const device = scope.navigator;
const version = "$version";
const files = ["$files"];
const pages = ["$pages"];

const fileCache = `hub-files-${version}`;
const pageCache = "hub-pages";
const answerCache = "hub-answers";
const maximum = 400;
// What is larger, such as a sound, is not kept.
const largest = 1 << 20;

scope.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(fileCache)
      .then((cache) => cache.addAll(files))
      .then(() => scope.skipWaiting()),
  );
});

scope.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) {
        if (name.startsWith("hub-files-") && name !== fileCache) await caches.delete(name);
      }
      await scope.clients.claim();
      // A page that was not opened yet can be opened too. Without a login there is none.
      for (const page of pages) await keepPage(page, await fetch(page).catch(() => null));
    })(),
  );
});

scope.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.method === "POST" && url.pathname === "/share") event.respondWith(keepShared(request));
  if (request.method !== "GET") return;
  if (url.pathname.startsWith("/static/")) event.respondWith(fileAt(request));
  else if (request.mode === "navigate" && pages.includes(url.pathname)) event.respondWith(page(request, url));
  else if (url.pathname.startsWith("/api/") && isKept(request, url)) event.respondWith(answer(event, request, url));
});

// Streams, logins and parts of sounds are read from hub alone.
const isKept = (request, url) =>
  !["/api/live", "/api/sessions", "/api/search"].includes(url.pathname) &&
  !request.headers.has("Range") &&
  !url.searchParams.has("ticket") &&
  !(request.headers.get("Accept") ?? "").includes("event-stream");

// A stream has no length, and a sound is too long.
const isSmall = ({ headers }) => headers.has("Content-Length") && Number(headers.get("Content-Length")) <= largest;

async function fileAt(request) {
  return (await caches.match(request, { cacheName: fileCache })) ?? fetch(request);
}

async function keepPage(path, response) {
  if (response?.ok && !response.redirected) await (await caches.open(pageCache)).put(path, response.clone());
}

// A page is the same for all its addresses: its script reads the rest.
async function page(request, url) {
  try {
    const response = await fetch(request);
    if (response.status === 403) await forget();
    await keepPage(url.pathname, response);
    return response;
  } catch (error) {
    const kept = await caches.match(url.pathname, { cacheName: pageCache });
    if (kept) return kept;
    throw error;
  }
}

async function answer(event, request, url) {
  const address = url.pathname + url.search;
  let response;
  try {
    response = await fetch(request);
  } catch (error) {
    const kept = await caches.match(address, { cacheName: answerCache });
    if (!kept || request.signal.aborted) throw error;
    return kept;
  }
  if (response.status === 403) event.waitUntil(forgetIfLoggedOut(response.clone()));
  else if (response.ok && isSmall(response)) event.waitUntil(keepAnswer(address, response.clone()));
  return response;
}

let count = 0;

async function keepAnswer(address, response) {
  const body = await response.blob();
  const headers = new Headers(response.headers);
  headers.set("Hub-Kept", new Date().toISOString());
  const cache = await caches.open(answerCache);
  // The newest are last.
  await cache.delete(address);
  await cache.put(address, new Response(body, { headers }));
  if (count++ % 50) return;
  const all = await cache.keys();
  for (const old of all.slice(0, Math.max(0, all.length - maximum))) await cache.delete(old);
}

// A browser that is logged out keeps nothing that is personal.
async function forgetIfLoggedOut(response) {
  const body = await response.json().catch(() => null);
  if (body?.code !== "login-needed") return;
  await forget();
}

async function forget() {
  await caches.delete(answerCache);
  await caches.delete(pageCache);
}

// What another app of the device shares: it is kept here, and the page of it asks where it belongs. It needs no login for that.
async function keepShared(request) {
  const form = await request.formData();
  const cache = await caches.open("hub-shared");
  for (const old of await cache.keys()) await cache.delete(old);
  const files = form.getAll("files").filter((file) => file instanceof File && file.size > 0);
  for (const [index, file] of files.entries()) await cache.put(`/share/${index}`, new Response(file));
  const words = [form.get("text"), form.get("url")].filter((part) => part && part !== form.get("title"));
  const about = {
    title: form.get("title") ?? "",
    // Some apps give the address in the text, and once more.
    text: words.filter((part, place) => !words.slice(0, place).some((other) => other.includes(part))).join("\n"),
    files: files.map(({ name, type }) => ({ name, type })),
  };
  await cache.put("/share/about", new Response(JSON.stringify(about)));
  return Response.redirect("/share", 303);
}

scope.addEventListener("push", (event) => event.waitUntil(announce(event.data)));

// A browser takes the subscription away from a page that shows nothing.
async function announce(data) {
  /** @type {any} */
  let message = {};
  try {
    message = data.json().notification;
  } catch {
    // Not from hub.
  }
  const { title = "hub", body = "", tag = "hub", navigate = "/" } = message ?? {};
  await scope.registration.showNotification(title, { body, tag, icon: "/assets/icon-192.png", data: { path: navigate } });
  await device.setAppBadge?.((await scope.registration.getNotifications()).length);
}

scope.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.path ?? "/"));
});

// A page that is open may hold what was typed: it is shown only if it is the one that is meant.
async function open(path) {
  const { href } = new URL(path, location.origin);
  const windows = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = windows.find(({ url }) => url === href);
  await (shown ? shown.focus() : scope.clients.openWindow(href));
  const left = (await scope.registration.getNotifications()).length;
  await (left ? device.setAppBadge?.(left) : device.clearAppBadge?.());
}
