"""Today, as a person uses it: cards, values, skips, notes, other days."""

from selenium.webdriver.common.keys import Keys

from mintee_page import HOSTILE, MinteePage, day, due, fill, make, mintee
from page import run


class TodayPage(MinteePage):
    @classmethod
    def setUpClass(cls):
        past = day(-20)
        make("Meditate", "--tag", "mind", "--from", past)
        make("Coffee", "--on", "daily: x <= 3", "--tag", "health", "--from", past)
        make("Water", "--on", "daily: 6 <= x <= 10", "--tag", "health", "--tag", "body", "--from", past)
        make("Review", "--dates", f"{day()},{day(1)},{day(9)}", "--tag", "work")
        make(HOSTILE, "--tag", HOSTILE)
        make("Run", "--on", "daily: 2 < x < 5", "--from", past)
        fill("Meditate", [1, 1, 0, 1, 1, 1], -1)
        fill("Coffee", [2, 5, 3, 1, 2], -1)
        fill("Water", [7, 8, 6, 3, 9, 7], -1)
        super().setUpClass()

    def ready(self):
        return super().ready() and len(self.cards()) > 0

    def setUp(self):
        for name, entry in due().items():
            if entry["value"] or entry["note"] or entry["state"] == "skipped":
                mintee("note", name, "")
                mintee("set", name, "0")
        super().setUp()

    def state(self, name):
        return self.one(self.card(name) + " .standing-words").text

    def test_it_shows_what_the_command_shows(self):
        listed = due()
        self.assertEqual(self.cards(), list(listed))
        self.shows(self.card("Water") + " .target", "6 <= x <= 10")
        self.shows(self.card("Water") + " .standing-words", "To do · streak 2")
        self.shows(self.card("Coffee") + " .standing-words", "■ Reached")
        self.shows(self.card("Water") + " .week", "■■■▼■■□")
        reached = sum(row["state"] == "reached" for row in listed.values())
        self.shows(".day-summary", f"{reached} of {len(listed)} reached")
        self.assertEqual(self.heading(), "Today")

    def test_a_value_is_counted_typed_and_taken_back(self):
        water = self.card("Water")
        self.click(water + ' [aria-label="One more"]')
        self.shows("#hub-toast", "Water: 1 (6 <= x <= 10), under")
        self.wait_equal(lambda: self.value(water + " .value"), "1")
        self.click(water + " .main")
        self.shows("#hub-toast", "Water: 6 (6 <= x <= 10), reached, streak 3.")
        self.shows(water + " .standing-words", "■ Reached · streak 3")
        self.fill(water + " .value", "12.5")
        self.press(Keys.ENTER)
        self.shows(water + " .standing-words", "▲ Over target")
        self.assertEqual(due()["Water"]["value"], 12.5)
        self.click(water + ' [aria-label="One less"]')
        self.wait_equal(lambda: self.value(water + " .value"), "12")
        self.press(Keys.ESCAPE, "u")
        self.shows("#hub-toast", "Undone: Water")
        self.wait_equal(lambda: self.value(water + " .value"), "12.5")

    def test_what_is_no_number_is_told_at_the_field(self):
        self.refusals = [422]
        water = self.card("Water")
        self.fill(water + " .value", "a lot")
        self.press(Keys.ENTER)
        self.shows(water + " .problem", "is not a number")
        self.assertEqual(self.one(water + " .value").get_attribute("aria-invalid"), "true")
        self.picture("mintee-today-invalid")
        self.press(Keys.ESCAPE)
        self.wait(lambda: not self.browser.find_elements("css selector", water + " .problem"), "no problem")
        self.assertEqual((self.value(water + " .value"), due()["Water"]["value"]), ("0", 0))

    def test_a_day_is_skipped_with_a_reason_and_has_a_note(self):
        run_card = self.card("Run")
        self.focus(run_card)
        self.press("s")
        self.wait(lambda: self.one("#skip textarea").is_displayed(), "the question")
        self.press("a cold")
        self.picture("mintee-skip")
        self.chord(Keys.ENTER)
        self.shows(run_card + " .standing-words", "– Skipped")
        self.shows(run_card + " .note", "Skipped: a cold")
        self.assertEqual((due()["Run"]["state"], due()["Run"]["skip"]), ("skipped", "a cold"))
        self.focus(run_card)
        self.press("o")
        self.wait(lambda: self.one("#note textarea").is_displayed(), "the note")
        self.press("better tomorrow")
        self.click("#note .main")
        self.shows(run_card + " .note", "better tomorrow")
        self.enter(run_card + " .actions button")
        self.shows(run_card + " .standing-words", "To do")
        self.focus(run_card)
        self.press("c")
        self.wait(lambda: due()["Run"]["note"] is None, "nothing entered")

    def test_a_change_elsewhere_appears_and_what_is_typed_stays(self):
        coffee, water = self.card("Coffee"), self.card("Water")
        self.focus(water + " .value")
        self.chord("a")
        self.press("8")
        mintee("set", "Coffee", "5")
        self.shows(coffee + " .standing-words", "▲ Over target")
        self.wait_equal(lambda: self.value(coffee + " .value"), "5")
        self.assertEqual(self.value(water + " .value"), "8")
        self.press(Keys.ENTER)
        self.shows(water + " .standing-words", "■ Reached")
        made = make("Stretch")
        self.wait(lambda: "Stretch" in self.cards(), "the new task")
        mintee("rm", made, "--yes")
        self.wait(lambda: "Stretch" not in self.cards(), "no more of it")

    def test_another_day_is_a_key_a_link_or_a_date_away(self):
        self.press("[")
        self.wait_equal(self.heading, "Yesterday")
        self.assertIn("day=" + day(-1), self.browser.current_url)
        self.shows(self.card("Water") + " .standing-words", "Reached")
        self.press(Keys.ARROW_LEFT)
        self.wait_equal(lambda: self.value("#day"), day(-2))
        self.press("t")
        self.wait_equal(self.heading, "Today")
        self.click('[aria-label="The day after"]')
        self.wait_equal(self.heading, "Tomorrow")
        self.assertIn("Review", self.cards())
        self.set_date("#day", day(-60))
        self.shows("#view .empty", "Nothing is due on")
        self.browser.back()
        self.wait_equal(self.heading, "Tomorrow")
        self.set_date("#day", day())
        self.wait_equal(self.heading, "Today")

    def test_the_keyboard_does_everything(self):
        names = list(due())
        self.press("j")
        self.wait(lambda: self.focus_is_in(self.card(names[0])), "the first card")
        self.press("j", "k", Keys.ARROW_DOWN)
        self.wait(lambda: self.focus_is_in(self.card(names[1])), "the second card")
        self.press("k")
        self.press("d")
        self.shows(self.card("Meditate") + " .standing-words", "■ Reached")
        self.press("-")
        self.shows(self.card("Meditate") + " .standing-words", "To do")
        self.press("+")
        self.wait(lambda: due()["Meditate"]["value"] == 1, "one more")
        self.press("v")
        self.wait(lambda: self.focus_is_in(self.card("Meditate") + " .value"), "the value")
        self.press(Keys.ESCAPE, "e")
        self.wait(lambda: self.value("#name") == "Meditate", "the form")
        self.press(Keys.ESCAPE)
        self.wait_equal(self.heading, "Meditate")
        self.press("a")
        self.wait_equal(self.heading, "Analyses")
        self.press("?")
        self.wait(lambda: self.one("#help").is_displayed(), "all keys")
        self.picture("mintee-help")
        self.press(Keys.ESCAPE, "m")
        self.wait_equal(self.heading, "Manage")
        self.press("/")
        self.wait(lambda: self.focus_is_in("#query"), "the search")

    def test_it_is_readable_in_every_look(self):
        for name, value in [("Water", "3"), ("Coffee", "5"), ("Meditate", "1"), ("Run", "2")]:
            mintee("set", name, value)
        mintee("note", "Coffee", "two guests, three cups")
        self.shows(self.card("Coffee") + " .note", "two guests")
        self.shows(self.card("Run") + " .target", "2 < x < 5")
        self.in_all_looks("today", [".task h3 a", ".task .chips li", ".task .standing-words", ".task .streak", ".task .target", ".task .main",
                                    ".task .count", ".task .value", ".task .week", ".task .quiet", ".day-summary", "#day"])
        self.on_a_phone("today")

    def test_a_hostile_name_is_only_text(self):
        self.shows(self.card(HOSTILE) + " h3", HOSTILE)
        self.shows(self.card(HOSTILE) + " .chips", HOSTILE)
        self.click(self.card(HOSTILE) + " h3 a")
        self.wait_equal(self.heading, HOSTILE)
        self.wait(lambda: self.one(".chart svg").is_displayed(), "the chart")
        self.assertIsNone(self.browser.execute_script("return window.hostile ?? null"))
        self.assertEqual(self.browser.find_elements("css selector", "main img"), [])


if __name__ == "__main__":
    run()
