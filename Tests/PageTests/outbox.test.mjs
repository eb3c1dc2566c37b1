import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import vm from "node:vm";
import { filled, makeQueue, operationID } from "/assets/components/queue.js";

const words = (all) => all.map((entry) => [entry.words, entry.problem]);

/** A queue beside a server that may be away, lose an answer, or refuse. */
function queueBeside() {
  const held = new Map();
  const refused = [];
  const server = { isAway: false, losesAnswers: 0, refuses: null, done: [] };
  const send = async ({ url, operation }) => {
    if (server.isAway) throw Object.assign(new Error("hub cannot be reached"), { code: "offline", status: 0 });
    if (server.refuses === url) throw Object.assign(new Error("no such task"), { code: "task-not-found", status: 404 });
    // As hub does it: an operation that the log has is not done again.
    if (!server.done.some((one) => one.operation === operation)) server.done.push({ url, operation });
    if (server.losesAnswers-- > 0) throw Object.assign(new Error("hub cannot be reached"), { code: "offline", status: 0 });
    return { body: {}, next: null, operation };
  };
  const queue = makeQueue({
    storage: { getItem: (name) => held.get(name) ?? null, setItem: (name, text) => void held.set(name, text) },
    send,
    changed: () => {},
    done: () => {},
    refused: ({ words }, problem) => refused.push([words, problem]),
  });
  return { queue, server, refused };
}

test("a change that cannot be sent is kept, and sent once in its order", async () => {
  const { queue: outbox, server } = queueBeside();
  server.isAway = true;
  assert.equal(await outbox.deliver("POST", "/api/a", { do: "up" }, "Water: one more."), null);
  assert.equal(await outbox.deliver("POST", "/api/a", { do: "up" }, "Water: one more."), null);
  assert.deepEqual(words(outbox.waiting()), [
    ["Water: one more.", null],
    ["Water: one more.", null],
  ]);
  // The answer of the first is lost: hub has done it, and the page does not know.
  server.isAway = false;
  server.losesAnswers = 1;
  await outbox.flush();
  assert.equal(outbox.waiting().length, 2);
  await outbox.flush();
  assert.deepEqual(outbox.waiting(), []);
  assert.equal(server.done.length, 2, "each change is done once");
  assert.equal(new Set(server.done.map(({ operation }) => operation)).size, 2);
});

test("a change that hub refuses stays with the reason, and does not hold up others", async () => {
  const { queue: outbox, server, refused } = queueBeside();
  server.isAway = true;
  await outbox.deliver("POST", "/api/gone", {}, "Read: done.");
  await outbox.deliver("POST", "/api/b", {}, "Walk: done.");
  server.isAway = false;
  server.refuses = "/api/gone";
  assert.equal(await outbox.flush(), 1);
  assert.deepEqual(words(outbox.waiting()), [["Read: done.", "No such task."]]);
  assert.deepEqual(refused, [["Read: done.", "No such task."]]);
  assert.deepEqual(
    server.done.map(({ url }) => url),
    ["/api/b"],
  );
  // What is new is sent at once: a refused one does not wait.
  await outbox.deliver("POST", "/api/c", {}, "Run: done.");
  assert.deepEqual(
    server.done.map(({ url }) => url),
    ["/api/b", "/api/c"],
  );
});

test("an error that is no missing connection is thrown, and nothing is kept", async () => {
  const { queue: outbox, server } = queueBeside();
  server.refuses = "/api/x";
  await assert.rejects(outbox.deliver("POST", "/api/x", {}, "X."), { message: "no such task" });
  assert.deepEqual(outbox.waiting(), []);
});

test("the ids of operations have the form that hub checks", async () => {
  for (let round = 0; round < 50; round++) assert.match(operationID(), /^[0-9][a-hjkmnp-tv-z][0-9a-hjkmnp-tv-z]{18}$/);
});

test("what is added fills the body that the plugin declares, whatever is typed", async () => {
  const values = { text: '"$key\\', today: "2026-11-28", key: "k" };
  assert.deepEqual(filled('{"form":[{"value":"$text"}],"n":1,"dates":["$today"],"key":"$key","price":"$5"}', values), {
    form: [{ value: '"$key\\' }],
    n: 1,
    dates: ["2026-11-28"],
    key: "k",
    price: "$5",
  });
});

/** The service worker, with caches and a network of its own. */
async function worker() {
  const stores = new Map();
  const net = { isAway: false, answers: new Map(), asked: [] };
  const pathOf = (request) => (typeof request === "string" ? request : request.url.replace("http://hub", ""));
  const open = (name) => {
    const store = stores.get(name) ?? new Map();
    stores.set(name, store);
    return {
      addAll: async (paths) => paths.forEach((path) => store.set(path, new Response(path))),
      put: async (request, response) => void store.set(pathOf(request), response),
      delete: async (request) => store.delete(pathOf(request)),
      keys: async () => [...store.keys()],
    };
  };
  const listeners = {};
  const self = {
    addEventListener: (type, act) => (listeners[type] = act),
    skipWaiting: async () => {},
    clients: {
      claim: async () => {},
      matchAll: async () => windows,
      openWindow: async (url) => void windows.push({ url, focus: async () => {} }),
    },
    registration: {
      showNotification: async (title, { tag, ...others }) => void shown.set(tag, { title, ...others }),
      getNotifications: async () => [...shown.values()],
    },
    navigator: { setAppBadge: async (count) => void (net.badge = count), clearAppBadge: async () => void (net.badge = 0) },
  };
  const shown = new Map();
  const windows = [];
  const fetch = async (request) => {
    const path = pathOf(request);
    net.asked.push(path);
    if (net.isAway) throw new TypeError("Failed to fetch");
    const [status, body] = net.answers.get(path) ?? [200, `{"of":"${path}"}`];
    return new Response(body, { status, headers: { "Content-Type": "application/json", "Content-Length": String(body.length) } });
  };
  const caches = {
    open: async (name) => open(name),
    keys: async () => [...stores.keys()],
    delete: async (name) => stores.delete(name),
    match: async (request, { cacheName }) => stores.get(cacheName)?.get(pathOf(request))?.clone(),
  };
  const source = await readFile(new URL("../../Sources/HubRuntime/Web/Assets/service-worker.js", import.meta.url), "utf8");
  const text = source.replace("$version", "v2").replace('"$files"', '"/static/v2/assets/hub.js"').replace('"$pages"', '"/", "/notes"');
  vm.runInNewContext(text, { self, caches, fetch, Response, Headers, URL, Date, Number, File, JSON, location: { origin: "http://hub" } });
  const lifecycle = async (type) => {
    let work;
    listeners[type]({ waitUntil: (promise) => (work = promise) });
    await work;
  };
  const get = async (path, { method = "GET", mode = "cors", headers = {} } = {}) => {
    const work = [];
    let answer = null;
    const request = { url: "http://hub" + path, method, mode, headers: new Headers(headers), signal: { aborted: false } };
    listeners.fetch({ request, respondWith: (promise) => (answer = promise), waitUntil: (promise) => work.push(promise) });
    const response = await answer;
    await Promise.all(work);
    return response;
  };
  const push = async (text) => {
    const work = [];
    listeners.push({ data: { json: () => JSON.parse(text) }, waitUntil: (promise) => work.push(promise) });
    await Promise.all(work);
  };
  const press = async (tag) => {
    const work = [];
    const notification = { data: shown.get(tag).data, close: () => shown.delete(tag) };
    listeners.notificationclick({ notification, waitUntil: (promise) => work.push(promise) });
    await Promise.all(work);
  };
  const share = async (form) => {
    let answer = null;
    const request = { url: "http://hub/share", method: "POST", formData: async () => form };
    listeners.fetch({ request, respondWith: (promise) => (answer = promise) });
    return answer;
  };
  return { stores, net, lifecycle, get, push, press, share, shown, windows };
}

test("pages and answers are read while hub is away, and say from when they are", async () => {
  const { net, lifecycle, get, stores } = await worker();
  stores.set("hub-files-v1", new Map());
  await lifecycle("install");
  await lifecycle("activate");
  assert.deepEqual([...stores.keys()].sort(), ["hub-files-v2", "hub-pages"], "files of other versions are gone");
  assert.equal((await get("/api/notes/n1")).headers.get("Hub-Kept"), null);
  net.isAway = true;
  assert.equal(await (await get("/notes?id=n1", { mode: "navigate" })).text(), '{"of":"/notes"}');
  const kept = await get("/api/notes/n1");
  assert.equal(await kept.text(), '{"of":"/api/notes/n1"}');
  assert.ok(Date.parse(kept.headers.get("Hub-Kept")) > 0);
  await assert.rejects(get("/api/notes/n2"), TypeError);
  assert.equal(await (await get("/static/v2/assets/hub.js")).text(), "/static/v2/assets/hub.js");
});

test("changes, streams, searches and parts of sounds pass the service worker", async () => {
  const { get } = await worker();
  for (const [path, options] of [
    ["/api/notes", { method: "POST" }],
    ["/api/live?topics=x", {}],
    ["/api/search?q=x", {}],
    ["/api/dictofun/activity", { headers: { Accept: "text/event-stream" } }],
    ["/api/dictofun/records/r/sound?ticket=t", {}],
    ["/login?code=x", { mode: "navigate" }],
  ])
    assert.equal(await get(path, options), null, path);
});

test("what has no length or is long is not kept, and a kept answer is the newest", async () => {
  const { net, get, stores } = await worker();
  await get("/api/a");
  net.answers.set("/api/a", [200, "{}"]);
  await get("/api/b");
  await get("/api/a");
  assert.deepEqual([...stores.get("hub-answers").keys()], ["/api/b", "/api/a"], "the newest is last");
  net.answers.set("/api/long", [200, "x".repeat((1 << 20) + 1)]);
  await get("/api/long");
  for (let place = 0; place < 460; place++) await get(`/api/n/${place}`);
  const kept = [...stores.get("hub-answers").keys()];
  assert.ok(!kept.includes("/api/long"));
  assert.ok(kept.length <= 450 && kept.at(-1) === "/api/n/459", `${kept.length}`);
});

test("a browser whose session ended keeps no answers and no pages", async () => {
  const { net, lifecycle, get, stores } = await worker();
  await lifecycle("install");
  await lifecycle("activate");
  await get("/api/today");
  net.answers.set("/api/mintee", [403, '{"code":"wrong-origin"}']);
  await get("/api/mintee");
  assert.ok(stores.has("hub-answers"), "another refusal is no log-out");
  net.answers.set("/api/today", [403, '{"code":"login-needed"}']);
  await get("/api/today");
  assert.deepEqual([...stores.keys()], ["hub-files-v2"]);
});

test("a message is shown once for its tag, counted on the badge, and opens its page", async () => {
  const { net, push, press, shown, windows } = await worker();
  const message = (tag, title) =>
    JSON.stringify({ web_push: 8030, notification: { title, body: "3 of 6", navigate: `/mintee?id=${tag}`, tag } });
  await push(message("event-1", "Water"));
  await push(message("event-1", "Water"));
  await push(message("event-2", "Read"));
  assert.deepEqual(
    [...shown.values()].map(({ title, body }) => [title, body]),
    [
      ["Water", "3 of 6"],
      ["Read", "3 of 6"],
    ],
  );
  assert.equal(net.badge, 2);
  await press("event-1");
  assert.deepEqual(
    windows.map(({ url }) => url),
    ["http://hub/mintee?id=event-1"],
  );
  assert.equal(net.badge, 1);
  let isFocused = false;
  windows.push({ url: "http://hub/mintee?id=event-2", focus: async () => (isFocused = true) });
  await press("event-2");
  assert.ok(isFocused && windows.length === 2, "an open page is shown, not loaded");
  assert.equal(net.badge, 0);
  await push("no JSON");
  assert.equal([...shown.values()][0].title, "hub", "a browser wants each message shown");
});

test("what another app shares is kept in the browser, also while hub is away, the last one alone", async () => {
  const { net, share, stores } = await worker();
  net.isAway = true;
  const form = new FormData();
  for (const [name, value] of [
    ["title", "Oslo"],
    ["text", "See https://a.example/1"],
    ["url", "https://a.example/1"],
  ])
    form.set(name, value);
  form.append("files", new File(["sound"], "memo.m4a", { type: "audio/mp4" }));
  form.append("files", new File([], "", { type: "application/octet-stream" }));
  await share(form).catch(() => {});
  const kept = stores.get("hub-shared");
  const about = await kept.get("/share/about").json();
  assert.deepEqual(about, { title: "Oslo", text: "See https://a.example/1", files: [{ name: "memo.m4a", type: "audio/mp4" }] });
  assert.equal(await kept.get("/share/0").text(), "sound");
  const next = new FormData();
  next.set("url", "https://a.example/2");
  await share(next).catch(() => {});
  assert.deepEqual([...kept.keys()], ["/share/about"]);
  assert.equal((await kept.get("/share/about").json()).text, "https://a.example/2");
});
