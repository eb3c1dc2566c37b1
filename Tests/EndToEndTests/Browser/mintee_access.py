"""Mintee for everybody: every view by axe-core and by hand checks, at every width, by keyboard alone and by touch alone."""

import json

from selenium.webdriver.common.keys import Keys

from access import ViewAccess, in_every_look
from mintee_page import MinteePage, day, due, fill, make, mintee, shown, tasks
from page import run


class AccessPage(ViewAccess, MinteePage):
    windows = [(360, 740), (1440, 900)]

    @classmethod
    def setUpClass(cls):
        cls.water = make("Water", "--on", "daily: 6 <= x <= 10", "--tag", "health", "--from", day(-60))
        make("Meditate", "--tag", "mind", "--from", day(-60))
        make("A habit whose name is far too long for one line of a phone, and Donaudampfschifffahrtsgesellschaftskapitän", "--on", "daily: x >= 20", "--from", day(-60))
        make("Coffee", "--on", "daily: x <= 3", "--from", day(-60))
        fill("Water", [7, 8, 6, 3, 9, 11, 4], 0)
        mintee("set", "Coffee", "5")
        mintee("skip", "Meditate", "--why", "a cold", "--date", day(-1))
        mintee("analyses", "new", "Health", "--tag", "health", "--days", "60")
        mintee("analyses", "order", "Health")
        cls.health = json.loads(mintee("analyses", "--json"))[0]["id"]
        super().setUpClass()

    def ready(self):
        return self.browser.execute_script("return document.querySelector('#view h2') !== null")

    def views(self):
        return [("", ".task"), ("?day=" + day(-1), ".task"), ("?day=" + day(-90), "#view .state"), ("?view=tasks", ".task"), ("?view=tasks&q=zzz", "#view .state"), ("?view=month", ".month-row .name"),
                ("?id=" + self.water, ".tiles"), ("?view=new", "form.form"), (f"?view=edit&id={self.water}", "form.form"), ("?view=analyses", ".charts .chart"),
                (f"?view=analysis&id={self.health}", ".chart"), ("?view=newanalysis", "form.form"), ("?id=nothing", "#view .state")]

    def test_edges_of_fields_are_seen(self):
        for scheme in ("light", "dark"):
            self.scheme(scheme)
            self.visit("?view=new", "form.form")
            self.assert_edges(["form.form input", "form.form textarea", ".chips-box"], f"in {scheme}")
            self.visit("?view=tasks", ".task")
            self.assert_edges(["#query"], f"in {scheme}")

    def test_forced_colours_show_states(self):
        self.visit("", ".task")
        self.forced_colors(True)
        self.click(self.row("Meditate") + " .tick")
        self.wait(lambda: self.one(self.row("Meditate") + " .tick").get_attribute("aria-pressed") == "true", "done")
        full, open_ = [self.style(self.row(name) + " .rim", "fill") for name in ("Meditate", "Water")]
        self.assertNotEqual(full, open_)
        self.picture("mintee-forced")
        self.forced_colors(False)
        mintee("set", "Meditate", "0")

    @in_every_look
    def test_the_keyboard_alone_adds_ticks_and_undoes(self):
        self.visit("", ".task")
        self.press("n")
        self.wait(lambda: self.focus_is_in(self.field("name")), "the form")
        self.press("Stretch")
        self.chord(Keys.ENTER)
        self.wait_equal(self.heading, "Stretch")
        self.press("t")
        self.wait(lambda: "Stretch" in self.rows(), "today")
        tick = self.row("Stretch") + " .tick"
        for _ in range(40):
            if self.focus_is_in(tick):
                break
            self.press(Keys.TAB)
        self.press(Keys.SPACE)
        self.wait(lambda: due()["Stretch"]["value"] == 1, "done")
        self.assertTrue(self.focus_is_in(tick))
        self.chord("z")
        self.wait(lambda: due()["Stretch"]["value"] == 0, "undone")
        self.press(Keys.TAB, Keys.TAB, Keys.ENTER)
        self.wait(lambda: self.focus_is_in(".action-menu"), "the menu")
        self.press(Keys.END, Keys.ENTER)
        self.wait(lambda: "Stretch" not in tasks(), "deleted")

    @in_every_look
    def test_touch_alone_adds_counts_skips_and_undoes(self):
        with self.fingers():
            self.visit("", ".task")
            self.touch(self.row("Water") + " .step.up")
            self.shows("#hub-toast", "Water: 5 of 6 to 10.")
            self.touch("#hub-toast button")
            self.wait(lambda: due()["Water"]["value"] == 4, "undone")
            # A wide row has a field for the value; a narrow one has it in its menu.
            if self.browser.execute_script("return innerWidth") < 704:
                self.touch(self.row("Water") + " .menu-button")
                self.wait(lambda: self.one(".action-menu").is_displayed(), "the menu")
                self.touch(".action-menu [role^=menuitem]:nth-of-type(3)")
                self.wait(lambda: self.focus_is_in("#entry input"), "the value")
                self.chord("a")
                self.press("7")
                self.touch("#entry .main")
                self.wait(lambda: due()["Water"]["value"] == 7, "the value")
            self.touch(self.row("Meditate") + " .tick")
            self.wait(lambda: due()["Meditate"]["value"] == 1, "done")
            self.touch("#new a")
            self.wait(lambda: self.one("form.form").is_displayed(), "the form")
            self.touch(self.field("name"))
            self.press("By touch")
            self.touch(".form-bar .main")
            self.wait_equal(self.heading, "By touch")
            self.assertEqual(shown("By touch")["sets"], ["daily"])
            self.touch(".back")
            self.wait(lambda: "By touch" in self.rows(), "today again")
            mintee("rm", "By touch", "--yes")
            mintee("set", "Meditate", "0")
            mintee("set", "Water", "4")

    def test_single_letters_can_be_turned_off(self):
        self.visit("", ".task")
        self.browser.execute_script("document.documentElement.dataset.shortcuts = 'off'")
        before = due()
        self.focus(self.row("Water") + " .name")
        self.press("d", "+", "#", "c", "n", "a")
        self.assertEqual((due(), self.heading()), (before, "Today"))
        self.press(Keys.ENTER)
        self.wait_equal(self.heading, "Water")

    def test_a_row_has_few_tab_stops_and_the_page_asks_once(self):
        self.visit("", ".task")
        stops = self.browser.execute_script(
            "return [...document.querySelectorAll('.task')].map((it) => [...it.querySelectorAll('a, button, input')].filter((it) => it.tabIndex >= 0).length)")
        self.assertLessEqual(max(stops), 4)
        for address, selector in [("", ".task"), ("?id=" + self.water, ".tiles")]:
            self.assert_asks_once(lambda: self.visit(address, selector))


if __name__ == "__main__":
    run()
