"""The page of contacts in a real browser, as a person uses it.

Run by PageTests.swift while hub serves a store of its own: HUB is the program, HUB_WEB_LISTEN where the page is. With
HUB_SCREENSHOTS=FOLDER pictures of the page are left there.
"""

import json
import os
import subprocess
import sys
import unittest

from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException, ElementNotInteractableException, NoSuchElementException,
    StaleElementReferenceException)
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

HOSTILE = '<img src=x onerror="window.hostile=1">'
PATIENCE = 30
# What a look at the page meets while the page is drawing itself anew.
NOT_YET = (ElementClickInterceptedException, ElementNotInteractableException, NoSuchElementException,
           StaleElementReferenceException)


def hub(*words, text=None):
    """The output of a command."""
    done = subprocess.run([os.environ["HUB"], *words], input=text, capture_output=True, text=True, check=True)
    return done.stdout


def start_browser():
    options = Options()
    for word in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-proxy-server",
                 "--window-size=1200,800", "--user-data-dir=" + os.path.join(os.environ["HOME"], "chromium")]:
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


class ContactsPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = start_browser()
        cls.addClassCleanup(cls.browser.quit)
        cls.browser.get(hub("web", "contacts").strip())
        cls.home = "http://" + os.environ["HUB_WEB_LISTEN"] + "/contacts"

    def setUp(self):
        self.resize(1200, 800)
        self.scheme("light")
        self.open()

    def tearDown(self):
        wrong = [line["message"] for line in self.browser.get_log("browser") if line["level"] in ("SEVERE", "WARNING")]
        self.assertEqual(wrong, [], "the console is quiet")

    # What the tests do

    def open(self, address=""):
        self.browser.get(self.home + address)
        self.wait(lambda: self.names(), "a list")

    def resize(self, width, height):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def scheme(self, name):
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": name}]})

    def press(self, *keys):
        # To the page, not to an element, which may be drawn anew this very moment.
        ActionChains(self.browser).send_keys(*keys).perform()

    def click(self, selector):
        self.wait(lambda: self.one(selector).click() is None, f"a click on {selector}")

    def enter(self, selector):
        self.wait(lambda: self.one(selector).send_keys(Keys.ENTER) is None, f"Enter on {selector}")

    def search(self, words):
        field = self.one("#query")
        field.clear()
        field.send_keys(words)

    def picture(self, name):
        folder = os.environ.get("HUB_SCREENSHOTS")
        if folder:
            self.browser.save_screenshot(os.path.join(folder, name + ".png"))

    # What the tests see

    def one(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def names(self):
        return self.browser.execute_script(
            "return [...document.querySelectorAll('#list .name')].map((name) => name.textContent)")

    def focused(self):
        """The words of the focused element, or its id where it has one."""
        return self.browser.execute_script(
            "const it = document.activeElement; return it.id || it.querySelector('.name')?.textContent || it.tagName")

    def details(self):
        return self.one("#details").text

    def style(self, selector, name):
        return self.browser.execute_script(
            "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]", selector, name)

    def wait(self, condition, what):
        def holds(_):
            try:
                return condition()
            except NOT_YET:
                return False
        return WebDriverWait(self.browser, PATIENCE, 0.05).until(holds, what)

    def wait_equal(self, look, expected):
        try:
            self.wait(lambda: look() == expected, "")
        except Exception:
            self.assertEqual(look(), expected)

    # The tests

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
            found = [row["name"] for row in json.loads(hub("contacts", "search", words, "--json"))]
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
        self.press(Keys.ESCAPE, Keys.ESCAPE)
        self.wait(lambda: len(self.names()) == 50, "the whole list again")
        self.assertEqual(self.one("#query").get_attribute("value"), "")

    def test_a_phone_shows_one_pane_at_a_time(self):
        self.resize(360, 740)
        self.assertFalse(self.one("#details").is_displayed())
        self.assertFalse(self.one(".keys").is_displayed())
        self.picture("phone-list")
        self.search("nowak")
        self.wait_equal(self.names, ["Łukasz Nowak"])
        self.click("#list a")
        self.wait(lambda: "lukasz@nowak.pl" in self.details(), "the details")
        self.assertFalse(self.one("#list").is_displayed())
        self.picture("phone-details")
        width = self.browser.execute_script("return document.documentElement.scrollWidth")
        self.assertLessEqual(width, 360, "nothing is wider than the phone")
        self.click(".back")
        self.wait(lambda: self.one("#list").is_displayed(), "the list again")

    def test_the_panes_scroll_apart_and_the_keys_stay_in_sight(self):
        nav = self.one(".contacts nav")
        self.browser.execute_script("arguments[0].scrollTop = 500", nav)
        self.assertGreater(self.browser.execute_script("return arguments[0].scrollTop", nav), 0)
        self.assertEqual(self.browser.execute_script("return document.scrollingElement.scrollTop"), 0)
        edges = self.browser.execute_script(
            "return ['.bar', '.keys'].map((name) => document.querySelector(name).getBoundingClientRect())")
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
            paper = luminance(self.style("html", "backgroundColor"))
            papers.append(paper)
            for selector in ["#list .name", "#list .email", "#details h2", "#details dt", "#details dd a", "#count",
                             ".keys", ".logout button", "#query"]:
                ink = luminance(self.style(selector, "color"))
                self.assertGreaterEqual(contrast(ink, paper), 4.5, f"{selector} in {name} (WCAG 2.2, 1.4.3)")
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
        self.click(".logout button")
        self.wait(lambda: "Logged out" in self.browser.title, "the last page")
        self.picture("logged-out")
        self.browser.get(self.home)
        self.assertIn("hub web", self.one("main").text)
        self.picture("login-needed")
        self.browser.get_log("browser")


def luminance(color):
    """The relative luminance of a CSS colour (WCAG 2.2)."""
    parts = [float(part) / 255 for part in color[color.index("(") + 1:-1].split(",")[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    """The contrast ratio of two luminances (WCAG 2.2)."""
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "--verbose", *sys.argv[1:]])
