"""An empty hub leads a person to the first contact, the first voice record, the first note, the first habit and the market."""

import os

from page import Page, hub, run


PLUGINS = ["contacts", "dictofun", "mintee", "notes"]


class FirstUse(Page):
    plugin = "contacts"

    def setUp(self):
        type(self).home = "http://" + os.environ["HUB_WEB_LISTEN"]
        super().setUp()

    def ready(self):
        return len(self.invited()) > 0

    def invited(self):
        """The plugins that invite to a first step."""
        return [it.get_attribute("aria-labelledby").removeprefix("first-") for it in self.browser.find_elements("css selector", ".invitation")]

    def test_each_plugin_offers_a_first_step(self):
        self.assertEqual(sorted(self.invited()), sorted([*PLUGINS, "market"]))
        for width in [360, 1440]:
            self.resize(width, 740)
            self.open("/")
            self.assert_fits(width)
            self.picture(f"first-use-{width}")
            for plugin in PLUGINS:
                self.open("/")
                self.click(f'[aria-labelledby="first-{plugin}"] .main')
                self.wait(lambda: f"/{plugin}" in self.browser.current_url, plugin)
                self.wait(lambda: any(it.is_displayed() for it in self.browser.find_elements("css selector", "main :is(input, textarea, .state .main)")), "a field or a button")
        # Once the market was opened, there is nothing to invite to.
        self.open("/")
        self.click('[aria-labelledby="first-market"] .main')
        self.wait(lambda: self.one(".board").is_displayed(), "the board")

    def test_an_empty_list_leaves_its_room_to_the_first_step(self):
        for width in [360, 768, 1440]:
            self.resize(width, 740)
            for plugin, words in [("contacts", "Your contacts"), ("notes", "Your notes"), ("dictofun", "Your voice memos")]:
                self.browser.get(f"{self.home}/{plugin}")
                self.shows("#details .state", words)
                self.wait(lambda: self.one("#details .state .main").is_displayed(), "the first step")
                self.wait(lambda: not self.one("#query").is_displayed(), "no list without rows")
                self.assert_fits(width)
        self.browser.get(self.home + "/contacts")
        self.shows("#details .state", "Your contacts")
        hub("contacts", "new", "First Person")
        self.wait(lambda: self.one(".list-row .title").is_displayed(), "the list, once it has a row")
        self.shows("#details .state", "No contact selected")
        hub("undo")
        self.shows("#details .state", "Your contacts")

    def test_zz_a_file_that_is_dropped_on_the_invitation_is_imported(self):
        self.browser.execute_script("""
            const files = new DataTransfer();
            files.items.add(new File(["BEGIN:VCARD\\r\\nVERSION:4.0\\r\\nFN:Ada Dropped\\r\\nEND:VCARD\\r\\n"], "people.vcf", { type: "text/vcard" }));
            const card = document.querySelector('[aria-labelledby="first-contacts"]');
            for (const type of ["dragenter", "dragover", "drop"]) card.dispatchEvent(new DragEvent(type, { dataTransfer: files, bubbles: true, cancelable: true }));""")
        self.shows("#hub-toast", "people.vcf imported.")
        self.wait(lambda: "contacts" not in self.invited(), "no invitation to contacts any more")
        self.assertIn("Ada Dropped", hub("contacts", "list"))


if __name__ == "__main__":
    run()
