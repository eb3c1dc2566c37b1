"""The list, the search and the details, as a person uses them."""

import json

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from contacts_page import ContactsPage
from page import hub, luminance, run

HOSTILE = '<img src=x onerror="window.hostile=1">'


class ListPage(ContactsPage):
    def test_the_list_is_sorted_as_the_command_sorts_it(self):
        listed = [row["name"] for row in json.loads(hub("contacts", "list", "--json"))]
        self.assertEqual(self.names(), listed[:50])
        self.assertEqual(self.one("#count").text, str(len(listed)))
        self.picture("list")

    def test_more_continues_the_list_without_repeating(self):
        listed = [row["name"] for row in json.loads(hub("contacts", "list", "--json"))]
        self.assertGreater(len(listed), 50)
        self.click("#more")
        self.wait_equal(self.names, listed)
        self.assertFalse(self.one("#more").is_displayed())

    def test_search_as_you_type_finds_what_the_command_finds(self):
        for words in ["lukasz", "234 567", "example.org", "person 1", "ŁUK"]:
            # The page shows the best 50.
            found = [row["name"] for row in json.loads(hub("contacts", "search", words, "--json", "--limit", "50"))]
            self.search(words)
            self.wait_equal(self.names, found)
            self.assertIn("q=", self.browser.current_url)
        self.picture("search")

    def test_a_search_without_hits_says_so(self):
        self.search("qqqq")
        self.wait_equal(lambda: self.one("#empty").text, "No contact matches “qqqq”.")
        self.assertEqual(self.names(), [])

    def test_a_contact_shows_all_that_is_known(self):
        self.search("nowak")
        self.wait_equal(self.names, ["Łukasz Nowak"])
        self.click("#list a")
        self.wait(lambda: "1985-03-31" in self.details(), "the details")
        for text in ["Łukasz Nowak", "phone mobile", "+48 601 234 567", "lukasz@nowak.pl"]:
            self.assertIn(text, self.details())
        self.assertEqual(self.one("#details a[href^='tel:']").get_attribute("href"), "tel:+48601234567")
        self.assertEqual(self.browser.title, "Łukasz Nowak · Contacts")
        self.picture("details")
        self.browser.back()
        self.wait(lambda: "Choose a contact" in self.details(), "the first view")

    def test_the_address_names_the_contact(self):
        contact = json.loads(hub("contacts", "search", "nowak", "--json"))[0]
        self.open("?id=" + contact["id"])
        self.wait(lambda: "lukasz@nowak.pl" in self.details(), "the details")
        self.browser.get(hub("web", "contacts:" + contact["id"]).strip())
        self.wait(lambda: "lukasz@nowak.pl" in self.details(), "the details by the link")

    def test_a_change_by_a_command_appears_by_itself(self):
        self.search("zofia")
        self.wait_equal(self.names, [])
        made = hub("contacts", "new", "Zofia Nowa", "phone=+48 22 111 22 33", "--json=id")
        identifier = json.loads(made)["id"] if made.strip().startswith("{") else made.split()[0]
        self.wait_equal(self.names, ["Zofia Nowa"])
        self.enter("#list a")
        self.wait(lambda: "+48 22 111 22 33" in self.details(), "the details")
        hub("contacts", "set", identifier, "note=met on the train")
        self.wait(lambda: "met on the train" in self.details(), "the new note")
        self.wait_equal(self.focused, "Zofia Nowa")
        hub("contacts", "rm", identifier, "--yes")
        self.wait_equal(self.names, [])

    def test_the_keyboard_does_everything(self):
        first, second = self.names()[:2]
        self.wait_equal(self.focused, "query")
        self.press(Keys.ARROW_DOWN)
        self.wait_equal(self.focused, first)
        self.press(Keys.ARROW_DOWN)
        self.wait_equal(self.focused, second)
        self.press(Keys.ENTER)
        self.wait(lambda: second in self.details(), "the second contact")
        self.press(Keys.ESCAPE)
        self.wait(lambda: "Choose a contact" in self.details(), "the first view")
        self.wait_equal(self.focused, second)
        self.press(Keys.ARROW_UP)
        self.wait_equal(self.focused, first)
        self.press(Keys.ARROW_UP)
        self.wait_equal(self.focused, "query")
        self.press(Keys.ARROW_DOWN, "/")
        self.wait_equal(self.focused, "query")
        self.press("nowak", Keys.ENTER)
        self.wait(lambda: "lukasz@nowak.pl" in self.details(), "the best hit")
        self.press(Keys.ESCAPE)
        self.wait_equal(self.focused, "Łukasz Nowak")
        self.press(Keys.ESCAPE)
        self.wait(lambda: len(self.names()) == 50, "the whole list again")
        self.assertEqual(self.one("#query").get_attribute("value"), "")

    def test_a_phone_shows_one_pane_at_a_time(self):
        self.resize(360, 740)
        self.assertFalse(self.one("#details").is_displayed())
        self.assert_fits(360)
        self.picture("phone-list")
        self.search("nowak")
        self.wait_equal(self.names, ["Łukasz Nowak"])
        self.click("#list a")
        self.wait(lambda: "lukasz@nowak.pl" in self.details(), "the details")
        self.assertFalse(self.one("#list").is_displayed())
        self.picture("phone-details")
        self.assert_fits(360)
        self.click(".back")
        self.wait(lambda: self.one("#list").is_displayed(), "the list again")

    def test_the_panes_scroll_apart_and_the_bar_stays_in_sight(self):
        nav = self.one(".contacts nav")
        self.browser.execute_script("arguments[0].scrollTop = 500", nav)
        self.assertGreater(self.browser.execute_script("return arguments[0].scrollTop", nav), 0)
        self.assertEqual(self.browser.execute_script("return document.scrollingElement.scrollTop"), 0)
        edges = self.browser.execute_script(
            "return ['.bar', '.side'].map((name) => document.querySelector(name).getBoundingClientRect())")
        self.assertGreaterEqual(edges[0]["top"], 0)
        self.assertLessEqual(edges[1]["bottom"], 800)

    def test_dark_and_light_are_both_readable(self):
        papers = []
        for name in ["light", "dark"]:
            self.scheme(name)
            self.search("nowak")
            self.wait_equal(self.names, ["Łukasz Nowak"])
            self.press(Keys.ENTER)
            self.wait(lambda: "lukasz@nowak.pl" in self.details(), "the details")
            papers.append(luminance(self.style("html", "backgroundColor")))
            self.assert_readable(
                ["#list .name", "#list .email", "#details h2", "#details dt", "#details dd a", "#count",
                 ".places a", ".places a[aria-current]", ".bar h1", "#query", ".views a", ".button", ".danger", ".button kbd"], f"in {name}")
            self.picture(name)
        self.assertGreater(papers[0], 0.8)
        self.assertLess(papers[1], 0.1)

    def test_a_hostile_name_is_only_text(self):
        self.search("img")
        self.wait_equal(self.names, [HOSTILE])
        self.click("#list a")
        self.wait(lambda: self.one("#details h2").text == HOSTILE, "the name as text")
        self.assertIsNone(self.browser.execute_script("return window.hostile ?? null"))
        self.assertEqual(self.browser.find_elements(By.CSS_SELECTOR, "main img"), [])

    def test_zz_logging_out_ends_it(self):
        self.click("#menu-button")
        self.click(".logout button")
        self.wait(lambda: "Logged out" in self.browser.title, "the last page")
        self.picture("logged-out")
        self.browser.get(self.home)
        self.assertIn("hub web", self.one("main").text)
        self.picture("login-needed")
        self.browser.get_log("browser")


if __name__ == "__main__":
    run()
