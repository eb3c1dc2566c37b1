"""Links between things: where a person is named, whom a note names, and what search offers besides results."""

import json

from access import Access
from page import Page, hub, run
from selenium.webdriver.common.keys import Keys


class Links(Page, Access):
    plugin = "contacts"
    start = None

    @classmethod
    def setUpClass(cls):
        cls.person = json.loads(hub("contacts", "new", "Zofia Kowalska", "--json"))["id"]
        hub("contacts", "new", "Zofia", "--json")
        cls.note = json.loads(hub("notes", "new", "Trip", "-m", "Lunch with Zofia Kowalska in Łódź.", "--json"))["id"]
        hub("notes", "new", "Apart", "-m", "Zofia knows Mr Kowalska.")
        hub("mintee", "new", "Call Zofia Kowalska", "--on", "daily")
        super().setUpClass()
        cls.home = cls.home.rsplit("/", 1)[0]

    def ready(self):
        return self.one("h1").is_displayed()

    def titles(self, selector):
        return [it.text for it in self.browser.find_elements("css selector", selector)]

    def test_a_contact_shows_where_it_is_named_and_a_note_whom_it_names(self):
        self.open(f"/contacts?id={self.person}")
        self.wait_equal(lambda: sorted(self.titles(".item-links strong")), ["Call Zofia Kowalska", "Trip"])
        self.assert_accessible("a contact with links")
        self.assert_targets("a contact with links", 24)
        self.picture("links-contact")
        self.click(f".item-links a[href='/notes?id={self.note}']")
        self.wait_equal(lambda: self.titles(".item-links strong"), ["Zofia Kowalska"])
        self.picture("links-note")
        self.click(".item-links a")
        self.wait(lambda: self.browser.current_url.endswith(f"/contacts?id={self.person}"), "the contact")

    def test_search_offers_recent_items_actions_and_filters_and_marks_its_words(self):
        self.open(f"/contacts?id={self.person}")
        self.wait(lambda: "Zofia" in self.browser.execute_script("return localStorage.getItem('hub-recent') ?? ''"), "a look at the contact")
        self.chord("k")
        self.wait(lambda: "Zofia Kowalska" in self.titles("#hits .title"), "what was looked at last")
        self.assertIn("New: Note", self.titles("#hits .title"))
        self.fill("#search-words", "zofia")
        self.wait(lambda: self.titles(".search-filters button")[:1] == ["All"], "the filters")
        self.wait(lambda: "Zofia" in self.titles("#hits mark"), "marked words")
        self.picture("links-search")
        self.assert_accessible("the search")
        self.click(".search-filters button:nth-child(2)")
        self.wait(lambda: len(self.titles("#hits [role=group] h2")) == 2, "one plugin and the actions")
        self.fill("#search-words", "qqqq")
        self.shows("dialog.search .state", "Nothing matches “qqqq”.")
        self.wait(lambda: "Add “qqqq” as note" in self.titles("#hits .title"), "what can be done with the words")
        self.press(Keys.ARROW_UP, Keys.ARROW_DOWN)
        self.browser.execute_script("[...document.querySelectorAll('#hits .hit')].find((it) => it.textContent.includes('as note')).click()")
        self.wait_equal(lambda: self.value("#add-text"), "qqqq")
        self.press(Keys.ENTER)
        self.shows("#hub-toast", "“qqqq” added.")


if __name__ == "__main__":
    run()
