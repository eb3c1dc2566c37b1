"""What the tests of the page of contacts share."""

import json

from page import Page, hub


class ContactsPage(Page):
    plugin = "contacts"

    def ready(self):
        return self.browser.execute_script("return document.querySelector('.list-row:not(.waiting)') !== null")

    def search(self, words):
        field = self.one("#query")
        field.clear()
        field.send_keys(words)

    def names(self):
        """The names in sight, in their order."""
        return self.browser.execute_script(
            "return [...document.querySelectorAll('.list-row')].sort((one, other) => one.dataset.index - other.dataset.index)"
            ".map((row) => row.querySelector('.title')?.textContent ?? '…')")

    def count(self):
        return self.one(".count").text

    def focused(self):
        """The words of the focused element, or its id where it has one that says something."""
        return self.browser.execute_script(
            "const it = document.activeElement;"
            "return it.querySelector('.title')?.textContent ?? (it.id || it.textContent.trim() || it.tagName)")

    def details(self):
        return self.one("#details").text

    def line(self, words):
        """The value below a label of the card."""
        return self.browser.execute_script(
            "return [...document.querySelectorAll('.line')].find((it) => it.querySelector('dt').textContent === arguments[0])"
            "?.querySelector('dd').textContent", words)


def made(*words):
    """The id of a new contact."""
    return json.loads(hub("contacts", "new", *words, "--json"))["id"]


def contacts():
    return json.loads(hub("contacts", "list", "--json"))


def shown(identifier):
    return json.loads(hub("contacts", "show", identifier, "--json"))
