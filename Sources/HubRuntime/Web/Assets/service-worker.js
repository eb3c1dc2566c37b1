// Keeps the pages and the last answers of hub, for the time when it cannot be reached. Runs in a thread of its own, for all tabs.
// hub fills in the version of its files, their addresses and those of the pages.
/** @type {any} the scope of a service worker, which the types of pages lack */
const scope = self;
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
  if (request.method !== "GET" || url.origin !== location.origin) return;
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
