"""What the tests of the page of Mintee share: tasks with a past, and what can be done and seen on the page."""

import datetime
import json

from selenium.webdriver.support.ui import Select

from page import Page, hub

HOSTILE = '<img src=x onerror="window.hostile=1">'
THEMES = ["System Default", "Jungle", "Ocean"]
# What must be readable in every theme.
READABLE = ["#view h2", ".views a", ".views a[aria-current]", ".bar h1", ".button.new", ".places a", ".places a[aria-current]"]


def mintee(*words, codes=(0,)):
    return hub("mintee", *words, codes=codes)


def day(offset=0):
    """A day by its distance from today, as yyyy-MM-dd."""
    return (datetime.datetime.now(datetime.timezone.utc).date() + datetime.timedelta(days=offset)).isoformat()


def due(date="today"):
    """What the command says is due, by name."""
    return {row["name"]: row for row in json.loads(mintee("today", date, "--json=name,value,state,note,skip,target,streak,id"))}


def tasks():
    return {row["name"]: row for row in json.loads(mintee("list", "--json"))}


def shown(name):
    return json.loads(mintee("show", name, "--json"))


def make(name, *words):
    """Makes a task, and gives its id."""
    mintee("new", name, *words)
    return tasks()[name]["id"]


def fill(name, values, last=0):
    """Enters values for days in a row of which the last one has this distance from today; None leaves a day alone."""
    for place, value in enumerate(values):
        if value is not None:
            mintee("set", name, str(value), "--date", day(last - len(values) + 1 + place))


class MinteePage(Page):
    plugin = "mintee"

    def ready(self):
        return self.one("#view h2").is_displayed()

    def tearDown(self):
        # What the page still asks for belongs to no test.
        self.browser.get("about:blank")
        super().tearDown()

    def heading(self):
        return self.one("#view h2").text

    def cards(self):
        """The names on the cards that are shown."""
        return self.browser.execute_script(
            "return [...document.querySelectorAll('#view .task h3')].map((name) => name.textContent)")

    def card(self, name):
        """The selector of a task's card."""
        return f'.task[data-id="{tasks()[name]["id"]}"]'

    def set_date(self, selector, date):
        """Chooses a date, as the picker does."""
        self.wait(lambda: self.one(selector).is_displayed(), selector)
        self.browser.execute_script(
            "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input', { bubbles: true }));"
            "arguments[0].dispatchEvent(new Event('change', { bubbles: true }))", self.one(selector), date)

    def choose(self, selector, words):
        self.wait(lambda: Select(self.one(selector)).select_by_visible_text(words) is None, words)

    def focus(self, selector):
        self.wait(lambda: self.browser.execute_script("arguments[0].focus()", self.one(selector)) is None, selector)

    def in_all_looks(self, name, selectors):
        """Looks at what is shown in each theme, in light and dark: it must be readable."""
        for theme in THEMES:
            mintee("theme", theme)
            self.wait(lambda: self.theme() == theme, theme)
            self.to_the_top()
            for scheme in ["light", "dark"]:
                self.scheme(scheme)
                self.assert_readable(READABLE + selectors, f"in {theme}, {scheme}")
                self.picture(f"mintee-{name}-{theme.split()[0].lower()}-{scheme}")
        mintee("theme", THEMES[0])
        self.scheme("light")
        self.wait(lambda: self.theme() == THEMES[0], THEMES[0])

    def to_the_top(self):
        self.browser.execute_script("document.querySelector('main').scrollTo(0, 0)")

    def theme(self):
        return self.browser.execute_script("return document.documentElement.dataset.theme")

    def on_a_phone(self, name):
        """Looks at what is shown on a phone of 360 pixels: nothing is wider."""
        self.resize(360, 740)
        self.to_the_top()
        self.assert_fits(360)
        self.assertFalse(self.browser.execute_script(
            "return document.scrollingElement.scrollHeight > document.scrollingElement.clientHeight"), "one thing scrolls")
        self.picture(f"mintee-{name}-phone")
        self.scheme("dark")
        self.picture(f"mintee-{name}-phone-dark")
        self.scheme("light")
