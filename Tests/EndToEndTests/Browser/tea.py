"""The page of the toy plugin: list, chart, one tea, its form, history and trash, by keyboard and at every width.

List, item, trash and history are those of every entity: the plugin has scripts for brewing, the chart and the form alone.

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
        return self.one(".split").is_displayed() and len(self.browser.find_elements("css selector", "#details > *")) > 0

    def heading(self):
        return self.one("main h2").text

    def names(self):
        return [it.text for it in self.browser.find_elements("css selector", "#teas .title")]

    def add(self, name, grams):
        self.press("n")
        self.wait(lambda: self.focus_is_in('[data-field="name"]'), "the form")
        self.press(name, Keys.TAB)
        self.fill('[data-field="grams"] input', grams)
        self.chord(Keys.ENTER)
        self.wait_equal(self.heading, name)
        self.shows("#hub-toast", f"{name} added.")
        self.wait(lambda: name in self.names(), "the list")
        self.press(Keys.ESCAPE)

    def choose(self, label, words):
        self.click(f'[aria-label="{label}"]')
        items = lambda: [it for it in self.browser.find_elements("css selector", ".action-menu > *") if it.text.startswith(words)]
        self.wait(items, words)
        items()[0].click()

    def test_a_page_of_components_lists_shows_edits_and_draws(self):
        self.refusals = [404, 409, 412, 422]
        self.shows(".state", "No teas yet")
        self.add("Sencha", "100")
        self.add("Assam", "15")
        self.wait_equal(self.names, ["Sencha", "Assam"])
        self.wait_equal(lambda: len(self.browser.find_elements("css selector", ".bars .bar.bad")), 1)
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
        self.click("#teas [data-index='1']")
        self.wait_equal(self.heading, "Assam")
        self.choose("More actions", "Brew")
        self.shows("#hub-toast", "A pot of Assam.")
        self.shows(".lines", "10")
        self.chord("z")
        self.shows(".lines", "15")
        self.click("#teas [data-index='0']")
        self.wait_equal(self.heading, "Sencha")
        self.shows(".lines", "100")
        self.press("e")
        self.wait(lambda: self.focus_is_in('[data-field="name"]'), "the form")
        self.press(Keys.END, " Uji")
        self.chord(Keys.ENTER)
        self.wait_equal(self.heading, "Sencha Uji")
        self.history_leads_back()
        self.trash_restores_and_is_emptied()
        for address in ["", "?view=new", "?view=trash"]:
            self.open(address)
            self.wait(lambda: not self.browser.find_elements("css selector", ".state.waiting"), "what is shown")
            self.assert_accessible_in_both_schemes(address)
            self.assert_fits_all_widths(address, self.ready)
            self.assert_targets(address)

    def history_leads_back(self):
        self.press("h")
        self.wait_equal(self.heading, "History of Sencha Uji")
        self.shows(".history", "Created")
        self.click(".history li:last-child .actions button:last-child")
        self.wait_equal(self.heading, "History of Sencha")
        self.assertEqual(len(self.browser.find_elements("css selector", ".history li")), 3)
        self.picture("tea-history")
        self.press(Keys.ESCAPE)
        self.wait_equal(self.heading, "Sencha")

    def trash_restores_and_is_emptied(self):
        self.press("#")
        self.shows("#hub-toast", "Sencha moved to the trash.")
        self.wait_equal(self.names, ["Assam"])
        self.choose("Trash", "Trash")
        self.wait_equal(self.heading, "Trash")
        self.picture("tea-trash")
        self.click('[aria-label="Restore Sencha"]')
        self.shows("#hub-toast", "Sencha restored.")
        self.shows("#details .state", "The trash is empty")
        self.wait(lambda: "Sencha" in self.names(), "the list")
        self.chord("z")
        self.shows(".trash", "Sencha")
        self.click("#details .danger")
        self.wait(lambda: self.one("#empty-trash").is_displayed(), "the question")
        self.click("#empty-trash .danger")
        self.shows("#hub-toast", "permanently deleted")
        self.shows("#details .state", "The trash is empty")


if __name__ == "__main__":
    run()
