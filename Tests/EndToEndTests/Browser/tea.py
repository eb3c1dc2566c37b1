"""The page of the toy plugin, made of components alone: list, chart, one tea, its form, by keyboard and at every width.

Run by TeaPageTests.swift: TEA_LINK logs in, on a hub that holds nothing.
"""

import os
from urllib.parse import urlsplit

from selenium.webdriver.common.keys import Keys

from access import Access
from page import Page, run, start_browser


class TeaPage(Access, Page):
    @classmethod
    def setUpClass(cls):
        cls.browser = start_browser()
        cls.addClassCleanup(cls.browser.quit)
        link = os.environ["TEA_LINK"]
        cls.browser.get(link)
        parts = urlsplit(link)
        cls.home = f"{parts.scheme}://{parts.netloc}/tea"

    def ready(self):
        return self.one("main h2").is_displayed()

    def heading(self):
        return self.one("main h2").text

    def names(self):
        return [it.text for it in self.browser.find_elements("css selector", ".item-list strong")]

    def add(self, name, grams):
        self.press("n")
        self.wait(lambda: self.focus_is_in('[data-field="name"]'), "the form")
        self.press(name, Keys.TAB)
        self.fill('[data-field="grams"] input', grams)
        self.chord(Keys.ENTER)
        self.wait_equal(self.heading, name)
        self.shows("#hub-toast", f"{name} added.")
        self.press(Keys.ESCAPE)
        self.wait(lambda: name in self.names(), "the list")

    def test_a_page_of_components_lists_shows_edits_and_draws(self):
        self.refusals = [404, 409, 422]
        self.shows(".state", "No teas yet")
        self.add("Sencha", "100")
        self.add("Assam", "15")
        self.wait_equal(self.names, ["Sencha", "Assam"])
        self.assertEqual(len(self.browser.find_elements("css selector", ".bars .bar.bad")), 1, "what runs out is marked")
        self.picture("tea-list")
        self.press("n")
        self.wait(lambda: self.focus_is_in('[data-field="name"]'), "the form")
        self.press("Assam")
        self.chord(Keys.ENTER)
        self.shows(".summary", "A tea named Assam already exists")
        self.press(Keys.ESCAPE)
        self.wait(lambda: self.one("#leave").is_displayed(), "the question")
        self.click("#leave .danger")
        self.wait_equal(self.names, ["Sencha", "Assam"])
        self.click('[aria-label="Brew Assam"]')
        self.shows("#hub-toast", "A pot of Assam.")
        self.shows(".item-list li:last-child .hint", "10 g")
        self.chord("z")
        self.shows(".item-list li:last-child .hint", "15 g")
        self.click(".item-list li:first-child a")
        self.wait_equal(self.heading, "Sencha")
        self.shows(".lines", "100 g")
        self.press("e")
        self.wait(lambda: self.focus_is_in('[data-field="name"]'), "the form")
        self.press(Keys.END, " Uji")
        self.chord(Keys.ENTER)
        self.wait_equal(self.heading, "Sencha Uji")
        for address in ["", "?view=new"]:
            self.open(address)
            self.assert_accessible_in_both_schemes(address)
            self.assert_fits_all_widths(address, self.ready)
            self.assert_targets(address)


if __name__ == "__main__":
    run()
