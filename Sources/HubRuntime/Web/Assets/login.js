// The key of the session lies in the storage of the page. Unlike a cookie, that is not shared with what other programs
// serve on other ports of this host.
/** @type {HTMLMetaElement | null} */
const field = document.querySelector('meta[name="hub-key"]');
const given = field?.content;
if (given) localStorage.setItem("hub-key", given);
if (given === "") {
  for (const name of ["hub-key", "hub-recent", "hub-push"]) localStorage.removeItem(name);
  forgetAnswers();
}

// Who logs out leaves nothing personal behind: what the service worker keeps goes with the key.
async function forgetAnswers() {
  if (!globalThis.caches) return;
  for (const name of ["hub-answers", "hub-pages", "hub-shared"]) await caches.delete(name);
}

for (const form of document.querySelectorAll("form.logout")) {
  form.addEventListener("formdata", (event) => event.formData.set("key", localStorage.getItem("hub-key") ?? ""));
}

/** @type {HTMLAnchorElement | null} */
const next = document.querySelector("a.next");
if (next) location.replace(next.href);
