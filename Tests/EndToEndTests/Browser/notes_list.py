"""The list of notes: search, filters, several at once, trash, and what changes elsewhere."""

import json

from selenium.webdriver.common.keys import Keys

from notes_page import NotesPage, made, notes, shown
from page import hub, run

HOSTILE = '<img src=x onerror="window.hostile=1">'


class List(NotesPage):
    @classmethod
    def setUpClass(cls):
        cls.shopping = made("Shopping", "- oat milk\n- bread", "--tag", "home")
        cls.menu = made("Menu", "# Sunday\n\nSoup, see [[Shopping]]", "--folder", "lists/food")
        made("Łódź", "A town")
        made(HOSTILE, "text")
        hub("notes", "pin", cls.shopping)
        super().setUpClass()

    def ready(self):
        return self.browser.execute_script("return document.querySelector('.list-row:not(.waiting)') !== null")

    def test_pinned_notes_come_first(self):
        self.wait_equal(lambda: self.names()[0], "Shopping")
        self.assertEqual([it.text for it in self.browser.find_elements("css selector", ".list-group")], ["Pinned", "Notes"])
        self.assertIn("oat milk", self.one(".list-row .subtitle").text)

    def test_search_finds_as_one_types(self):
        self.search("lodz")
        self.wait_equal(self.names, ["Łódź"])
        self.search("oat")
        self.wait_equal(self.names, ["Shopping"])
        self.shows(".count", "1 match")
        self.search("nothing such")
        self.shows("#list-state", "No note matches “nothing such”")
        self.press(Keys.ESCAPE)
        self.wait(lambda: len(self.names()) >= 4, "all of them")

    def test_filters_are_in_the_address(self):
        for words, name in [("Pinned", "Shopping"), ("home", "Shopping"), ("lists/food", "Menu")]:
            self.click(".list-tools .menu-button")
            self.wait(lambda: self.focus_is_in("[role=menuitemradio]"), "the menu")
            self.press(words[0].lower() if words != "home" else "h", Keys.ENTER)
            self.wait_equal(self.names, [name])
            self.browser.refresh()
            self.wait_equal(self.names, [name])
            self.click(".list-tools [aria-label='Show all notes']")
            self.wait(lambda: len(self.names()) >= 4, "all of them")

    def test_what_is_shown_is_saved_under_a_name_renamed_and_deleted(self):
        self.filter("home (1)")
        self.wait_equal(self.names, ["Shopping"])
        self.search("oat")
        self.filter("Save this search…")
        self.wait(lambda: self.focus_is_in("#saving-search"), "the dialog")
        self.press("milk", Keys.ENTER)
        self.shows("#hub-toast", "Saved as @milk.")
        self.assertEqual(json.loads(hub("notes", "searches", "--json")), [{"name": "milk", "query": "oat tag:home"}])
        self.open()
        self.wait(lambda: len(self.names()) >= 4, "all of them")
        self.filter("@milk")
        self.wait_equal(self.names, ["Shopping"])
        self.assertEqual(self.value("#query"), "@milk")
        self.shows(".list-tools .menu-button", "@milk")
        self.picture("saved-search")
        self.click(".list-tools .menu-button")
        self.wait(lambda: self.focus_is_in("[role=menuitemradio]"), "the menu")
        checked = self.browser.find_elements("css selector", ".action-menu [aria-checked=true]")
        self.assertEqual([it.text for it in checked], ["@milk"], "one way to look at the notes is chosen")
        self.press(Keys.ESCAPE)
        self.click(".list-tools [aria-label='Show all notes']")
        self.wait(lambda: len(self.names()) >= 4, "all of them")
        self.assertEqual(self.value("#query"), "")
        self.filter("@milk")
        self.wait_equal(self.names, ["Shopping"])
        self.filter("Rename @milk…")
        self.wait(lambda: self.focus_is_in("#renaming-search"), "the dialog")
        self.chord("a")
        self.press("oats", Keys.ENTER)
        self.shows("#hub-toast", "Renamed to @oats.")
        self.wait_equal(lambda: self.value("#query"), "@oats")
        self.wait_equal(self.names, ["Shopping"])
        self.filter("Delete the search @oats")
        self.shows("#hub-toast", "Deleted the search @oats.")
        self.wait(lambda: len(self.names()) >= 4, "all of them")
        self.assertEqual(json.loads(hub("notes", "searches", "--json")), [])

    def filter(self, words):
        """Chooses an entry of the filter menu."""
        self.click(".list-tools .menu-button")
        self.wait(lambda: self.focus_is_in("[role=menuitemradio]"), "the menu")
        items = self.browser.find_elements("css selector", ".action-menu :is([role=menuitemradio], [role=menuitem])")
        next(it for it in items if it.text == words).click()

    def test_what_changes_elsewhere_is_seen(self):
        identifier = made("Zebra")
        self.wait(lambda: "Zebra" in self.names(), "a new note")
        hub("notes", "rm", identifier, "--yes")
        self.wait(lambda: "Zebra" not in self.names(), "the list without it")

    def test_several_are_tagged_pinned_deleted_and_brought_back(self):
        ids = [made("Quux One"), made("Quux Two")]
        self.search("quux")
        self.wait(lambda: len(self.names()) == 2, "both")
        self.one("[data-index='0']").click()
        self.one("#query").click()
        self.press(Keys.TAB)
        self.browser.execute_script("document.querySelector(\"[data-index='0']\").focus()")
        self.chord("a")
        self.shows(".selection-bar", "2 selected")
        self.click(".selection-bar [aria-label='Change tags']")
        self.wait(lambda: self.focus_is_in("#tagging"), "the dialog")
        self.press("choir", Keys.ENTER)
        self.click("#tagging .main")
        self.shows("#hub-toast", "Tags of 2 notes changed.")
        self.assertEqual([shown(it)["tags"] for it in ids], [["choir"], ["choir"]])
        self.click(".selection-bar [aria-label='Pin']")
        self.shows("#hub-toast", "2 notes pinned.")
        self.click(".selection-bar [aria-label='Delete']")
        self.shows("#hub-toast", "2 notes moved to the trash.")
        self.wait_equal(self.names, [])
        self.click("#hub-toast button")
        self.wait(lambda: len(self.names()) == 2, "both again")
        hub("notes", "rm", *ids, "--yes")

    def test_the_trash_gives_back(self):
        identifier = made("Gone")
        hub("notes", "rm", identifier, "--yes")
        self.open("?view=trash")
        self.click("[aria-label='Restore Gone']")
        self.shows("#hub-toast", "Gone restored.")
        self.wait(lambda: "Gone" in self.names(), "the note")
        hub("notes", "rm", identifier, "--yes")
        self.open("?id=" + identifier)
        self.shows(".callout", "In the trash since")
        self.click(".callout .main")
        self.shows("#hub-toast", "Gone restored.")
        self.wait(lambda: self.one(".note-text").is_displayed(), "the note to write in")
        hub("notes", "rm", identifier, "--yes")

    def test_the_keyboard_does_everything(self):
        self.press("f")
        self.wait_equal(self.focused, "query")
        self.press("menu", Keys.ENTER)
        self.wait(lambda: self.focus_is_in(".note-text"), "the text of the best match")
        self.press(Keys.ESCAPE)
        self.wait_equal(self.focused, "Menu")
        self.press("p")
        self.shows("#hub-toast", "1 note pinned.")
        self.chord("z")
        self.wait(lambda: not shown(self.menu)["pinned"], "no pin")
        self.press("h")
        self.wait(lambda: self.focus_is_in("#details h2"), "the history")
        self.press(Keys.ESCAPE)
        self.wait(lambda: self.one(".note-text").is_displayed(), "the note")
        self.press(Keys.ESCAPE)
        self.shows("#details", "No note selected")
        self.press(Keys.ESCAPE)
        self.wait(lambda: len(self.names()) >= 4, "all of them")
        self.press(Keys.ESCAPE, "n")
        self.wait(lambda: self.focus_is_in(".note-title"), "a new note")
        self.press("By keyboard", Keys.ENTER, "- one", Keys.ENTER, "two")
        self.saved()
        self.press(Keys.ESCAPE)
        self.wait(lambda: any(it["name"] == "By keyboard" for it in notes()), "the note")
        identifier = next(it["id"] for it in notes() if it["name"] == "By keyboard")
        self.assertEqual(shown(identifier)["content"], "- one\n- two")
        self.wait_equal(self.focused, "By keyboard")
        self.press("#")
        self.shows("#hub-toast", "By keyboard moved to the trash.")

    def test_a_phone_shows_one_pane_at_a_time(self):
        self.resize(360, 740)
        self.assert_fits(360)
        self.assertFalse(self.one("#details").is_displayed())
        self.search("oat")
        self.wait_equal(self.names, ["Shopping"])
        self.click(".list-row")
        self.wait(lambda: self.one(".note-text").is_displayed(), "the note")
        self.assertFalse(self.one("#list").is_displayed())
        self.assert_fits(360)
        self.click(".back")
        self.wait(lambda: self.one("#list").is_displayed(), "the list again")

    def test_a_hostile_title_is_only_text(self):
        self.search("img")
        self.wait_equal(self.names, [HOSTILE])
        self.click(".list-row")
        self.wait(lambda: self.value(".note-title") == HOSTILE, "the title as text")
        self.assertIsNone(self.browser.execute_script("return window.hostile ?? null"))


if __name__ == "__main__":
    run()
