"""What the tests of the page of Mintee share: tasks with a past, and what can be done and seen on the page."""

import datetime
import json

from selenium.webdriver.support.ui import Select

from page import Page, hub

HOSTILE = '<img src=x onerror="window.hostile=1">'
THEMES = ["System Default", "Jungle", "Ocean"]
# The ids of the tasks that a script made, by name.
task_ids = {}
# What must be readable in every theme.
READABLE = ["#view h2", ".views a", ".bar h1", "#new .button", ".places a", ".places a[aria-current]"]


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
    task_ids[name] = json.loads(mintee("new", name, *words, "--json"))["id"]
    return task_ids[name]


def fill(name, values, last=0):
    """Enters values for days in a row of which the last one has this distance from today; None leaves a day alone."""
    for place, value in enumerate(values):
        if value is not None:
            mintee("set", name, str(value), "--date", day(last - len(values) + 1 + place))


class MinteePage(Page):
    plugin = "mintee"

    def ready(self):
        return self.one("#view h2").is_displayed()

    def heading(self):
        return self.one("#view h2").text

    def rows(self):
        """The names of the tasks that are shown."""
        return self.browser.execute_script(
            "return [...document.querySelectorAll('#view .task .title')].filter((it) => it.checkVisibility()).map((it) => it.textContent)")

    def row(self, name):
        """The selector of a task's row."""
        return f'.task[data-id="{task_ids.get(name) or tasks()[name]["id"]}"]'

    def choose_in_menu(self, opener, words):
        """Opens a menu and chooses an entry."""
        self.click(opener)
        self.wait(lambda: self.one(".action-menu").is_displayed(), "the menu")
        self.browser.execute_script(
            "[...document.querySelectorAll('.action-menu [role^=menuitem]')].find((it) => it.textContent.trim() === arguments[0]).click()", words)

    def in_menu(self, name, words):
        """Chooses an entry of a row's menu."""
        self.choose_in_menu(self.row(name) + " .menu-button", words)

    def press_button(self, words, within="#view"):
        """Clicks the button with these words or this name."""
        self.wait(lambda: self.browser.execute_script(
            "const it = [...document.querySelectorAll(arguments[0] + ' :is(button, a)')].find((it) => it.checkVisibility()"
            " && [it.getAttribute('aria-label'), it.textContent.trim()].includes(arguments[1])); it?.click(); return it !== undefined", within, words), words)

    def field(self, name, part="input"):
        """The selector of a form's field."""
        return f'[data-field="{name}"] {part}'

    def set_field_date(self, name, date):
        """Fills the three parts of a date, as typing does."""
        year, month, number = date.split("-")
        self.wait(lambda: self.one(self.field(name, ".year")).is_displayed(), name)
        self.choose_value(self.field(name, ".month"), str(int(month)))
        self.fill(self.field(name, ".day"), str(int(number)))
        self.fill(self.field(name, ".year"), year)
        self.focus('[data-field="name"] input')

    def choose_value(self, selector, value):
        self.wait(lambda: Select(self.one(selector)).select_by_value(value) is None, value)

    def set_date(self, selector, date):
        """Chooses a date, as the picker does."""
        self.wait(lambda: self.one(selector) is not None, selector)
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
        return self.browser.execute_script("return document.documentElement.dataset.theme") or THEMES[0]

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
