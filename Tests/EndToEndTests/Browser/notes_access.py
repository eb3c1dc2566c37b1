"""Notes for everybody: every view by axe-core and by hand checks, at every width, by touch alone."""

from selenium.webdriver.common.keys import Keys

from access import ViewAccess, in_every_look
from notes_page import NotesPage, another_window, made, shown
from page import hub, run


class AccessPage(ViewAccess, NotesPage):
    windows = [(360, 740), (1440, 900)]

    @classmethod
    def setUpClass(cls):
        cls.long = made("A note with a title that is longer than a phone is wide, and with averyveryverylongwordthatdoesnotfit",
                        "# Head\n\n- [ ] task with https://example.org/a/very/long/address/that/does/not/end/anywhere/near/the/edge\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
                        "```\nlong code line that scrolls in its own box and never makes the page itself wider than the window\n```\n\n[[Other]] [[Nowhere]]",
                        "--tag", "green", "--folder", "trips/ideas")
        made("Other", f"back to [[A note with a title that is longer than a phone is wide, and with averyveryverylongwordthatdoesnotfit]]")
        hub("notes", "pin", cls.long)
        hub("notes", "share", cls.long, "maria")
        hub("notes", "rm", made("Gone"), "--yes")
        super().setUpClass()

    def views(self):
        return [("", ".list-row .title"), ("?id=" + self.long, ".linked .chip"), ("?view=new", ".note-text"), ("?view=trash", ".trash a"),
                ("?view=requests", "#details .state"), (f"?id={self.long}&view=history", ".diff ins"), ("?id=nobody", "#details .state")]

    def test_axe_finds_nothing_in_the_preview(self):
        self.visit("?id=" + self.long, ".linked .chip")
        self.chord(Keys.ENTER)
        self.wait(lambda: self.one(".markdown h3").is_displayed(), "the preview")
        self.assert_accessible_in_both_schemes("the preview")

    def test_others_in_a_note_are_shown_to_everybody(self):
        identifier = made("Company", "# A line that is long enough to reach the other edge of a phone, and then some more words\n\nand another")
        other = another_window(self)
        other.note(identifier)
        self.note(identifier)
        for place in (3, 40, 70):
            other.select(place - 2, place)
            self.wait(lambda: self.one(".peer-caret").is_displayed(), "the caret of the other window")
            self.assert_fits_all_widths(f"a note with others, caret at {place}", lambda: True)
        def show_name(scheme):
            # It is shown for a moment.
            other.select(*((30, 50) if scheme == "light" else (95, 105)))
            self.wait(lambda: self.one(".peer-name"), "the name of the other")
            self.picture(f"notes-together-{width}-{scheme}")
            self.assert_readable([".peer-name"], f"in {scheme}")
        for width, height in ((360, 740), (1440, 900)):
            self.resize(width, height)
            self.assert_accessible_in_both_schemes(f"a note with others at {width}", show_name)
        self.assertEqual(self.one(".people .visually-hidden").get_attribute("textContent"), "You, in another window")

    def test_states_in_words_fit_every_width(self):
        self.note(made("Away", "text"))
        self.away(True)
        self.write("!")
        self.shows(".note-state", "Offline.")
        self.assert_fits_all_widths("a note without hub", lambda: True)
        for width, height in ((1440, 900), (360, 740)):
            self.resize(width, height)
            self.assert_targets("a note without hub")
            self.picture(f"notes-offline-{width}")
        self.scheme("dark")
        self.assert_accessible("a note without hub")
        self.away(False)
        self.browser.execute_script("window.dispatchEvent(new Event('online'))")
        self.saved()
        self.browser.get_log("browser")

    def test_the_preview_fits_every_width(self):
        self.resize(320, 256)
        self.visit("?id=" + self.long, ".note-text")
        self.chord(Keys.ENTER)
        self.wait(lambda: self.one(".markdown h3").is_displayed(), "the preview")
        self.assert_fits_all_widths("the preview", lambda: True)

    def test_dark_and_light_are_both_readable(self):
        for scheme in ("light", "dark"):
            self.scheme(scheme)
            self.visit("?id=" + self.long, ".linked .chip")
            self.assert_readable([".note-title", ".note-text", ".note-state", ".chips .chip", ".linked .chip.broken", ".list-row .title", ".list-row .subtitle", ".list-row time"], f"in {scheme}")
            self.visit(f"?id={self.long}&view=history", ".diff ins")
            self.assert_readable([".diff ins", ".slider-words strong"], f"in {scheme}")

    @in_every_look
    def test_the_keyboard_alone_finds_writes_pins_and_undoes(self):
        identifier = made("By keyboard", "one")
        self.visit("", ".list-row .title")
        self.press("f", "keyboard")
        self.wait(lambda: self.names() == ["By keyboard"], "what was looked for")
        self.press(Keys.ENTER)
        self.wait(lambda: self.focus_is_in(".note-text"), "the text")
        self.press(Keys.END, " two")
        self.saved()
        self.wait_equal(lambda: shown(identifier)["content"], "one two")
        self.press(Keys.ESCAPE)
        self.wait_equal(self.focused, "By keyboard")
        self.press("p")
        self.shows("#hub-toast", "1 note pinned.")
        self.chord("z")
        self.wait(lambda: not shown(identifier)["pinned"], "no pin")
        self.press("#")
        self.shows("#hub-toast", "By keyboard moved to the trash.")

    @in_every_look
    def test_touch_alone_writes_previews_pins_and_undoes(self):
        identifier = made("By touch", "- [ ] milk")
        with self.fingers():
            self.visit("", ".list-row .title")
            self.touch("#query")
            self.press("touch")
            self.wait(lambda: self.names() == ["By touch"], "what was looked for")
            self.touch("[data-index='0']")
            self.wait(lambda: self.one(".note-text").is_displayed(), "the note")
            self.assertFalse(self.focus_is_in(".note-text"), "the keyboard of the phone waits")
            self.touch(".note-text")
            self.press(Keys.END, "!")
            self.saved()
            self.wait_equal(lambda: "!" in shown(identifier)["content"], True)
            self.touch(".note-bar .quiet")
            self.wait(lambda: self.one(".markdown input").is_displayed(), "the preview")
            self.touch(".markdown input")
            self.wait_equal(lambda: "[x]" in shown(identifier)["content"], True)
            self.touch(".note-bar .quiet")
            self.touch("[aria-label='Pin']")
            self.shows("#hub-toast", "1 note pinned.")
            self.touch("#hub-toast button")
            self.shows("#hub-toast", "Undone")
            self.touch_if_shown(".back")
            self.wait(lambda: self.one("[data-index='0']").is_displayed(), "the list")
            self.touch("[data-index='0'] .pick")
            self.shows(".selection-bar", "1 selected")
            self.touch(".selection-bar [aria-label='Delete']")
            self.shows("#hub-toast", "By touch moved to the trash.")

    def test_single_letters_can_be_turned_off(self):
        self.visit("", ".list-row .title")
        self.browser.execute_script("document.documentElement.dataset.shortcuts = 'off'; document.querySelector('.list-row').focus()")
        self.press("#", Keys.DELETE, "n", "p", "h")
        self.press(Keys.ENTER)
        self.wait(lambda: self.focus_is_in(".note-text"), "the note by Enter")
        self.assertNotIn("view=", self.browser.current_url)

    def test_the_page_asks_for_its_data_once(self):
        def visit():
            self.visit("?id=" + self.long, ".linked .chip")
            self.wait(lambda: self.one(".list-row .title").is_displayed(), "the list")
        self.assertLessEqual(len(self.assert_asks_once(visit)), 5)


if __name__ == "__main__":
    run()
