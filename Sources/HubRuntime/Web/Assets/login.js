// The key of the session lies in the storage of the page. Unlike a cookie, that is not shared with what other programs
// serve on other ports of this host.
/** @type {HTMLMetaElement | null} */
const field = document.querySelector('meta[name="hub-key"]');
const given = field?.content;
if (given) localStorage.setItem("hub-key", given);
if (given === "") localStorage.removeItem("hub-key");

for (const form of document.querySelectorAll("form.logout")) {
  form.addEventListener("formdata", (event) => event.formData.set("key", localStorage.getItem("hub-key") ?? ""));
}

/** @type {HTMLAnchorElement | null} */
const next = document.querySelector("a.next");
if (next) location.replace(next.href);
