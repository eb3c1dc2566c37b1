"""An empty hub leads a person to the first contact and the first habit."""

import os

from page import Page, hub, run


class FirstUse(Page):
    plugin = "contacts"

    def setUp(self):
        type(self).home = "http://" + os.environ["HUB_WEB_LISTEN"]
        super().setUp()

    def ready(self):
        return len(self.browser.find_elements("css selector", ".invitation")) == 2

    def test_each_plugin_offers_a_first_step(self):
        for width in [360, 1440]:
            self.resize(width, 740)
            self.open("/")
            self.assert_fits(width)
            self.picture(f"first-use-{width}")
            for plugin in ["contacts", "mintee"]:
                self.open("/")
                self.click(f'[aria-labelledby="first-{plugin}"] .main')
                self.wait(lambda: f"/{plugin}" in self.browser.current_url, plugin)
                self.wait(lambda: self.one("main form input").is_displayed(), "a field")

    def test_zz_a_file_that_is_dropped_on_the_invitation_is_imported(self):
        self.browser.execute_script("""
            const files = new DataTransfer();
            files.items.add(new File(["BEGIN:VCARD\\r\\nVERSION:4.0\\r\\nFN:Ada Dropped\\r\\nEND:VCARD\\r\\n"], "people.vcf", { type: "text/vcard" }));
            const card = document.querySelector('[aria-labelledby="first-contacts"]');
            for (const type of ["dragenter", "dragover", "drop"]) card.dispatchEvent(new DragEvent(type, { dataTransfer: files, bubbles: true, cancelable: true }));""")
        self.shows("#hub-toast", "people.vcf imported.")
        self.wait(lambda: len(self.browser.find_elements("css selector", ".invitation")) == 1, "no invitation to contacts any more")
        self.assertIn("Ada Dropped", hub("contacts", "list"))


if __name__ == "__main__":
    run()
