"""An empty hub leads a person to the first contact, the first note and the first habit."""

import os

from page import Page, run


class FirstUse(Page):
    plugin = "contacts"

    def setUp(self):
        type(self).home = "http://" + os.environ["HUB_WEB_LISTEN"]
        super().setUp()

    def ready(self):
        return len(self.browser.find_elements("css selector", ".invitation")) == 3

    def test_each_plugin_offers_a_first_step(self):
        for width in [360, 1440]:
            self.resize(width, 740)
            self.open("/")
            self.assert_fits(width)
            self.picture(f"first-use-{width}")
            for plugin in ["contacts", "notes", "mintee"]:
                self.open("/")
                self.click(f'[aria-labelledby="first-{plugin}"] .main')
                self.wait(lambda: f"/{plugin}" in self.browser.current_url, plugin)
                self.wait(lambda: any(it.is_displayed() for it in self.browser.find_elements("css selector", "main :is(input, textarea)")), "a field")


if __name__ == "__main__":
    run()
