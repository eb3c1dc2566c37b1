"""An empty hub leads a person to the first contact, the first voice record, the first habit and the market."""

import os

from page import Page, run


PLUGINS = ["contacts", "dictofun", "mintee"]


class FirstUse(Page):
    plugin = "contacts"

    def setUp(self):
        type(self).home = "http://" + os.environ["HUB_WEB_LISTEN"]
        super().setUp()

    def ready(self):
        return len(self.browser.find_elements("css selector", ".invitation")) == len(PLUGINS) + 1

    def test_each_plugin_offers_a_first_step(self):
        for width in [360, 1440]:
            self.resize(width, 740)
            self.open("/")
            self.assert_fits(width)
            self.picture(f"first-use-{width}")
            for plugin in PLUGINS:
                self.open("/")
                self.click(f'[aria-labelledby="first-{plugin}"] .main')
                self.wait(lambda: f"/{plugin}" in self.browser.current_url, plugin)
                self.wait(lambda: any(it.is_displayed() for it in self.browser.find_elements("css selector", "main input")), "a field")
        # Once the market was opened, there is nothing to invite to.
        self.open("/")
        self.click('[aria-labelledby="first-market"] .main')
        self.wait(lambda: self.one(".board").is_displayed(), "the board")


if __name__ == "__main__":
    run()
