"""hub stops and comes back: pages open from what the browser keeps, ticks wait and are sent once, and logging out leaves nothing behind.

This script starts and stops hub itself.
"""

import json

from page import hub, run
from served import Served


class Away(Served):
    plugin = "mintee"
    start = None

    @classmethod
    def prepare(cls):
        hub("mintee", "new", "Water", "--on", "daily: 6 <= x <= 10")
        hub("mintee", "new", "Read", "--on", "daily")
        cls.note = json.loads(hub("notes", "new", "Packing", "--json"))["id"]

    def tearDown(self):
        # What cannot be reached is in the console, as it should be.
        self.browser.get_log("browser")

    def ready(self):
        return self.one("h1").is_displayed()

    def titles(self, selector):
        return [it.text for it in self.browser.find_elements("css selector", selector)]

    def value(self):
        return json.loads(hub("mintee", "today", "--json=name,value,state"))

    def test_hub_goes_and_comes_back(self):
        self.open("/")
        self.browser.execute_async_script("navigator.serviceWorker.ready.then(arguments[0])")
        # The first page was there before its service worker.
        self.open("/notes?id=" + self.note)
        self.shows("#details", "Packing")
        self.open("/mintee")
        self.shows("#main", "Water")
        self.open("/")
        self.wait(lambda: "Water" in self.titles(".due .title"), "the tasks")
        self.stop()
        # Reading: each page opens, also one that was not opened before.
        for path, words in [("/notes?id=" + self.note, "Packing"), ("/mintee", "Water"), ("/", "Read")]:
            self.browser.get(self.home + path)
            self.shows("#main", words)
            self.shows("#hub-notice", "Hub cannot be reached.")
        self.browser.get(self.home + "/contacts")
        self.wait(self.ready, "the frame of a page that was not opened before")
        # Ticks wait, and each says so.
        self.browser.get(self.home + "/")
        self.click('[aria-label="One more: Water"]')
        self.shows(".counter output", "1")
        self.click('[aria-label="One more: Water"]')
        self.shows(".counter output", "2")
        self.shows(".waits", "waiting")
        self.browser.get(self.home + "/mintee")
        self.shows(".task .extra", "Waits to be sent")
        self.shows("#hub-outbox", "2 waiting")
        self.picture("away")
        # Meanwhile somebody else counts too: all of it is there in the end.
        hub("mintee", "up", "Water", "4")
        self.serve()
        self.wait(lambda: not self.titles("#hub-outbox button"), "all is sent")
        self.assertEqual(next(it["value"] for it in self.value() if it["name"] == "Water"), 6)
        # Logging out leaves neither pages nor answers behind.
        self.open("/")
        self.browser.execute_script("document.querySelector('form.logout button').click()")
        self.shows("h1", "Logged out")
        self.wait(lambda: self.browser.execute_async_script(
            "const done = arguments[0]; caches.keys().then((names) => done(names.every((name) => name.startsWith('hub-files-'))))"), "the empty caches")


if __name__ == "__main__":
    run()
