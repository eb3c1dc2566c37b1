"""What the tests of the page of contacts share."""

import json

from page import Page, hub


class ContactsPage(Page):
    plugin = "contacts"

    def ready(self):
        return self.names()

    def search(self, words):
        field = self.one("#query")
        field.clear()
        field.send_keys(words)

    def names(self):
        return self.browser.execute_script(
            "return [...document.querySelectorAll('#list .name')].map((name) => name.textContent)")

    def focused(self):
        """The words of the focused element, or its id where it has one."""
        return self.browser.execute_script(
            "const it = document.activeElement; return it.id || it.querySelector('.name')?.textContent || it.tagName")

    def details(self):
        return self.one("#details").text


def made(*words):
    """The id of a new contact."""
    before = {row["id"] for row in contacts()}
    hub("contacts", "new", *words)
    return next(row["id"] for row in contacts() if row["id"] not in before)


def contacts():
    return json.loads(hub("contacts", "list", "--json"))


def shown(identifier):
    return json.loads(hub("contacts", "show", identifier, "--json"))
