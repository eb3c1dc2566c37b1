"""Voice records for everybody: every view by axe-core and by hand checks, at every width, by keyboard alone and by touch alone."""

from selenium.webdriver.common.keys import Keys

from access import ViewAccess, in_every_look
from dictofun_page import DictofunPage, imported, records
from page import hub, run


class AccessPage(ViewAccess, DictofunPage):
    @classmethod
    def setUpClass(cls):
        hub("dictofun", "rm", imported("20260203_040506.wav", 4, pitch=700), "--yes")
        super().setUpClass()

    def views(self):
        return [("", ".list-row .title"), ("?id=" + self.plumber, ".transcript"), (f"?id={self.plumber}&view=edit", "form.form"), ("?q=boiler&id=" + self.plumber, ".transcript mark"),
                ("?view=recorders", "#details .state, .device"), ("?view=engines", ".engine"), ("?view=trash", "#details .cards a"), ("?id=nobody", "#details .state")]

    def test_fields_are_seen(self):
        for scheme in ("light", "dark"):
            self.scheme(scheme)
            self.visit(f"?id={self.plumber}&view=edit", "form.form")
            self.assert_edges(["#query", "form.form textarea"], f"in {scheme}")

    def test_forced_colours_show_what_is_heard_and_chosen(self):
        self.visit("?id=" + self.plumber, ".transcript")
        self.click(".transcript button")
        self.wait(lambda: self.one(".transcript li.now").is_displayed(), "the phrase")
        self.press("p")
        self.forced_colors(True)
        self.assertNotEqual(self.style(".transcript li.now", "outlineStyle"), "none")
        self.assertNotEqual(self.style(".list-row[aria-current]", "outlineStyle"), "none")
        played, rest = [self.style(f".wave .{name} path", "stroke") for name in ("played", "rest")]
        self.assertNotEqual(played, rest)
        self.forced_colors(False)

    @in_every_look
    def test_the_keyboard_alone_finds_plays_edits_and_goes_back(self):
        self.visit("", ".list-row .title")
        first, second = self.titles()[:2]
        self.press("j")
        self.wait_equal(self.focused, first)
        self.press(Keys.ARROW_DOWN)
        self.wait_equal(self.focused, second)
        self.press(Keys.ENTER)
        self.wait(lambda: self.focus_is_in("#details h2"), "the heading")
        self.press(" ")
        self.wait(self.is_playing, "the sound")
        self.press("p")
        self.wait(lambda: not self.is_playing(), "a pause")
        self.press(Keys.ARROW_RIGHT)
        self.wait(lambda: self.place() >= 5, "five seconds on")
        self.press(Keys.ARROW_LEFT)
        self.wait(lambda: self.place() < 5, "five seconds back")
        self.press("e")
        self.wait(lambda: self.focus_is_in("textarea"), "the text field")
        self.press(Keys.ESCAPE)
        self.wait(lambda: self.focus_is_in("#details h2"), "the heading again")
        self.press("r")
        self.shows("#details h2", "Recorders")
        self.press(Keys.ESCAPE)
        self.press("f", "plumber", Keys.ENTER)
        self.shows(".transcript", "plumber")
        self.press(Keys.ESCAPE, Keys.ESCAPE)
        self.wait_equal(lambda: self.value("#query"), "")

    def test_the_waveform_is_a_slider_for_keys(self):
        self.visit("?id=" + self.plumber, ".transcript")
        wave = self.one(".wave")
        wave.send_keys(Keys.END)
        self.wait(lambda: self.place() > 19, "the end")
        wave.send_keys(Keys.HOME)
        self.wait(lambda: self.place() == 0, "the beginning")
        wave.send_keys(Keys.ARROW_RIGHT)
        self.wait_equal(lambda: self.one(".wave").get_attribute("aria-valuenow"), "5")

    @in_every_look
    def test_touch_alone_finds_plays_edits_and_undoes(self):
        with self.fingers():
            self.visit("", ".list-row .title")
            self.touch("#query")
            self.press("oat")
            self.wait(lambda: len(self.titles()) == 1, "what was looked for")
            self.touch("[data-index='0']")
            self.wait(lambda: self.one(".transcript").is_displayed(), "the record")
            self.touch(".player .play")
            self.wait(self.is_playing, "the sound")
            self.touch(".player .play")
            self.wait(lambda: not self.is_playing(), "a pause")
            self.touch(".wave")
            self.wait(lambda: self.place() > 1, "the middle")
            self.touch(".head-actions a")
            self.wait(lambda: self.focus_is_in("textarea"), "the text field")
            self.press(Keys.END, " Soon.")
            self.touch(".form-bar .main")
            self.shows("#hub-toast", "The text is saved.")
            self.touch("#hub-toast button")
            self.shows("#hub-toast", "Undone")
            self.touch_if_shown(".record .back")
            self.wait(lambda: self.one("[data-index='0']").is_displayed(), "the list")
            self.touch("[data-index='0'] .pick")
            self.shows(".selection-bar", "1 selected")

    def test_single_letters_can_be_turned_off(self):
        self.visit("?id=" + self.plumber, ".transcript")
        self.browser.execute_script("document.documentElement.dataset.shortcuts = 'off'")
        count = len(records())
        self.press("#", Keys.DELETE, "e", "p", "r")
        self.browser.execute_script("document.querySelector('.wave').focus()")
        self.press(Keys.ARROW_RIGHT)
        self.wait(lambda: self.place() == 5, "an arrow")
        self.assertFalse(self.is_playing())
        self.assertEqual(len(records()), count)
        self.assertNotIn("view=", self.browser.current_url)

    def test_the_page_asks_for_its_data_once(self):
        def visit():
            self.visit("?id=" + self.plumber, ".transcript")
            self.wait(lambda: self.one(".list-row .title").is_displayed(), "the list")
        self.assertLessEqual(len(self.assert_asks_once(visit)), 6)


if __name__ == "__main__":
    run()
