"""Today, as a person uses it: rows, ticks, values, skips, notes, other days."""

import json

from selenium.webdriver.common.keys import Keys

from mintee_page import HOSTILE, MinteePage, day, due, fill, make, mintee, tasks
from page import contrast, luminance, run


class TodayPage(MinteePage):
    @classmethod
    def setUpClass(cls):
        past = day(-20)
        make("Meditate", "--tag", "mind", "--from", past)
        make("Coffee", "--on", "daily: x <= 3", "--tag", "health", "--from", past)
        make("Water", "--on", "daily: 6 <= x <= 10", "--tag", "health", "--tag", "body", "--from", past)
        make("Review", "--dates", f"{day()},{day(1)},{day(9)}", "--tag", "work")
        make(HOSTILE, "--tag", HOSTILE, "--dates", day(-1))
        make("Run", "--on", "daily: 2 < x < 5", "--from", past, "--to", day(10))
        make("Read", "--on", "daily: x >= 20", "--tag", "mind", "--from", past)
        make("Guitar", "--tag", "music", "--from", past)
        fill("Read", [20, 35, 20, 25, 20, 40], -1)
        fill("Guitar", [1, 0, 1, 1, 1, 0], -1)
        fill("Meditate", [1, 1, 0, 1, 1, 1], -1)
        fill("Coffee", [2, 5, 3, 1, 2], -1)
        fill("Water", [7, 8, 6, 3, 9, 7], -1)
        super().setUpClass()

    def ready(self):
        return super().ready() and len(self.rows()) > 0

    def setUp(self):
        for name, row in due().items():
            if row["note"]:
                mintee("note", name, "")
            if row["value"] or row["state"] == "skipped":
                mintee("set", name, "0")
        mintee("skip", "Coffee")
        mintee("set", "Coffee", "0")
        super().setUp()

    def state(self, name):
        return self.browser.execute_script("return document.querySelector(arguments[0]).dataset.state", self.row(name))

    def unfold(self):
        if self.browser.find_elements("css selector", "details.done:not([open])"):
            self.click("details.done summary")

    def test_it_shows_what_the_command_shows(self):
        listed = due()
        self.unfold()
        self.assertEqual(sorted(self.rows()), sorted(listed))
        self.shows(self.row("Water") + " .of", "6 to 10")
        self.shows(self.row("Run") + " .of", "more than 2 and less than 5")
        self.shows(self.row("Coffee") + " .of", "at most 3")
        self.assertEqual((self.state("Water"), self.state("Coffee")), ("open", "reached"))
        self.assertEqual(self.browser.execute_script("return [...document.querySelectorAll(arguments[0] + ' .week i')].map((it) => it.className)", self.row("Water")),
                         ["reached", "reached", "reached", "under", "reached", "reached", "open"])
        self.shows(self.row("Water") + " .streak", "2")
        reached = sum(row["state"] == "reached" for row in listed.values())
        self.shows(".progress-line", f"{reached} of {len(listed)} reached")
        self.assertEqual(self.heading(), "Today")

    def test_a_tick_is_for_yes_or_no_and_goes_both_ways(self):
        tick = self.row("Meditate") + " .tick"
        self.assertFalse(self.browser.find_elements("css selector", self.row("Meditate") + " .value"), "no number where there is none")
        self.click(tick)
        self.shows("#hub-toast", "Meditate done. Streak: 4 days.")
        self.wait(lambda: self.one(tick).get_attribute("aria-pressed") == "true", "the tick")
        self.assertIn("Meditate", self.rows(), "what gets done stays where it is")
        self.click(tick)
        self.shows("#hub-toast", "Meditate not done.")
        self.wait(lambda: due()["Meditate"]["value"] == 0, "nothing entered")

    def test_what_was_done_before_is_folded_away(self):
        mintee("done", "Meditate")
        self.open()
        self.shows("details.done summary", "Done (")
        self.assertNotIn("Meditate", self.rows())
        self.unfold()
        self.wait(lambda: "Meditate" in self.rows(), "the task")
        mintee("set", "Water", "3")
        self.wait_equal(lambda: self.value(self.row("Water") + " .value"), "3")
        self.assertIn("Meditate", self.rows(), "a change elsewhere closes nothing")
        mintee("skip", "Run")
        self.open()
        self.shows("details.done summary", "Done or skipped (")

    def test_a_value_is_counted_typed_and_undone_step_by_step(self):
        water = self.row("Water")
        self.press_button("One more: Water")
        self.shows("#hub-toast", "Water: 1 of 6 to 10.")
        self.wait_equal(lambda: self.value(water + " .value"), "1")
        self.click(water + " .tick")
        self.shows("#hub-toast", "Water: 6 of 6 to 10, reached. Streak: 3 days.")
        self.fill(water + " .value", "12.5")
        self.press(Keys.ENTER)
        self.wait_equal(lambda: self.state("Water"), "over")
        self.shows(water, "Over the target")
        self.assertEqual(due()["Water"]["value"], 12.5)
        self.press_button("One less: Water")
        self.wait_equal(lambda: self.value(water + " .value"), "12")
        self.focus(water + " .name")
        for value in (12.5, 6, 1):
            self.press("u")
            self.wait(lambda: due()["Water"]["value"] == value, f"the undo to {value}")
        self.shows("#hub-toast", "Undone: Water")
        self.chord("z")
        self.wait(lambda: due()["Water"]["value"] == 0, "the first undo")

    def test_what_may_be_done_this_week_is_apart_and_a_limit_has_a_sign(self):
        make("Wine", "--on", "at most 6 a week", "--from", day())
        make("Games", "--on", "at most 20 a month", "--from", day())
        make("Swim", "--on", "once in 30 days", "--from", day())
        self.wait(lambda: "Swim" in self.rows(), "the tasks")
        for title, name in (("This week", "Wine"), ("This month", "Games"), ("Also possible today", "Swim")):
            self.assertEqual(self.browser.execute_script("return document.querySelector(arguments[0]).closest('section').querySelector('h2').textContent", self.row(name)), title)
        sign = self.row("Wine") + " .kept"
        self.assertEqual(self.one(sign).get_attribute("aria-label"), "Wine: kept so far")
        self.assertFalse(self.browser.find_elements("css selector", self.row("Wine") + " button.tick"), "a limit is nothing to complete")
        self.picture("mintee-today-periods")
        self.press_button("One more: Wine")
        self.shows(self.row("Wine"), "1, at most 6 this week")
        mintee("set", "Wine", "7")
        self.wait(lambda: self.one(sign).get_attribute("aria-label") == "Wine: over the limit", "the sign")
        self.click(self.row("Wine") + " .name")
        self.shows("#view", "7 on 1 day")
        self.shows("#view .legend", "Less")
        self.assertEqual(self.browser.execute_script("return [...document.querySelectorAll('#view .values th[scope=col]')].map((it) => it.textContent)"),
                         ["Day", "Value"], "the days of a sum have no result")
        for name in ("Wine", "Games", "Swim"):
            mintee("rm", name, "--yes")

    def test_delete_pressed_twice_after_an_undo_deletes_once(self):
        make("Once")
        self.wait(lambda: "Once" in self.rows(), "the task")
        self.focus(self.row("Once") + " .name")
        others = set(tasks()) - {"Once"}
        self.press("#")
        self.shows("#hub-toast", "Once moved to the trash.")
        self.chord("z")
        self.shows("#hub-toast", "Undone")
        self.wait(lambda: "Once" in self.rows(), "the task again")
        self.focus(self.row("Once") + " .name")
        # The row stays until the list is read again.
        self.hold()
        self.press("#")
        self.shows("#hub-toast", "Once moved to the trash.")
        self.press("#")
        self.release()
        self.wait(lambda: "Once" not in self.rows(), "the other tasks")
        self.shows("#hub-toast", "Undo")
        self.assertEqual(set(tasks()), others)

    def test_a_mistake_is_named_at_its_field(self):
        self.refusals = [422]
        water = self.row("Water")
        self.fill(water + " .value", "a lot")
        self.press(Keys.ENTER)
        self.shows(water + " .problem", "not a number")
        self.assertEqual(self.one(water + " .value").get_attribute("aria-invalid"), "true")
        self.assertEqual(self.value(water + " .value"), "a lot")
        self.picture("mintee-today-invalid")
        self.focus(water + " .value")
        self.press(Keys.ESCAPE)
        self.wait(lambda: not self.browser.find_elements("css selector", water + " .problem"), "no problem")
        self.assertEqual((self.value(water + " .value"), due()["Water"]["value"]), ("0", 0))

    def test_a_day_is_skipped_with_a_reason_and_has_a_note(self):
        self.in_menu("Run", "Skip…")
        self.wait(lambda: self.focus_is_in("#entry input"), "the question")
        self.press("a cold")
        self.picture("mintee-skip")
        self.chord(Keys.ENTER)
        self.wait_equal(lambda: self.state("Run"), "skipped")
        self.shows(self.row("Run") + " .extra", "Skipped: a cold")
        self.shows("#hub-toast", "Run skipped: a cold.")
        self.assertEqual((due()["Run"]["state"], due()["Run"]["skip"]), ("skipped", "a cold"))
        self.wait(lambda: self.focus_is_in(self.row("Run")), "the row again")
        self.press("o")
        self.wait(lambda: self.focus_is_in("#entry textarea"), "the note")
        self.press("better tomorrow")
        self.chord(Keys.ENTER)
        self.shows(self.row("Run") + " .extra", "better tomorrow")
        self.shows("#hub-toast", "Note for Run saved: “better tomorrow”")
        self.in_menu("Run", "Do not skip")
        self.wait_equal(lambda: self.state("Run"), "open")
        self.focus(self.row("Run") + " .name")
        self.press(Keys.BACKSPACE)
        self.wait(lambda: due()["Run"]["note"] is None, "nothing entered")

    def test_an_answer_counts_for_the_day_of_its_question(self):
        self.press_button("Previous day")
        self.wait(lambda: day(-1) in self.browser.current_url, "yesterday")
        self.wait(lambda: "Run" in self.rows() and self.heading() != "Today", "its tasks")
        self.in_menu("Run", "Skip…")
        self.wait(lambda: self.focus_is_in("#entry input"), "the question")
        self.browser.back()
        self.wait_equal(self.heading, "Today")
        self.press("a cold")
        self.chord(Keys.ENTER)
        self.shows("#hub-toast", "Run skipped: a cold.")
        self.assertEqual([due(day(by))["Run"]["skip"] for by in (-1, 0)], ["a cold", None])
        mintee("unskip", "Run", "--date", day(-1))

    def test_a_change_elsewhere_appears_and_what_is_typed_stays(self):
        coffee, water = self.row("Coffee"), self.row("Water")
        self.unfold()
        self.browser.execute_script("document.querySelector('main').scrollTo(0, 40)")
        self.focus(water + " .value")
        self.chord("a")
        self.press("8")
        mintee("set", "Coffee", "5")
        self.wait_equal(lambda: self.state("Coffee"), "over")
        self.wait_equal(lambda: self.value(coffee + " .value"), "5")
        mintee("set", "Water", "2")
        self.wait(lambda: "2" not in self.value(water + " .value") and due()["Water"]["value"] == 2, "the change of the same task")
        mintee("set", "Coffee", "6")
        self.wait_equal(lambda: self.value(coffee + " .value"), "6")
        self.assertEqual(self.value(water + " .value"), "8")
        self.assertTrue(self.focus_is_in(water + " .value"))
        self.press(Keys.ENTER)
        self.wait_equal(lambda: self.state("Water"), "reached")
        made = make("Stretch")
        self.wait(lambda: "Stretch" in self.rows(), "the new task")
        mintee("rm", made, "--yes")
        self.wait(lambda: "Stretch" not in self.rows(), "no more of it")

    def test_another_day_is_a_key_a_link_or_a_date_away(self):
        self.press("[")
        self.wait_equal(self.heading, "Yesterday")
        self.assertIn("day=" + day(-1), self.browser.current_url)
        self.wait(lambda: self.value(".picker") == day(-1), "the day")
        self.press(Keys.ARROW_LEFT)
        self.wait_equal(lambda: self.value(".picker"), day(-2))
        self.press("t")
        self.wait_equal(self.heading, "Today")
        self.click('[aria-label="Next day"]')
        self.wait_equal(self.heading, "Tomorrow")
        self.assertIn("Review", self.rows())
        self.set_date(".picker", day(-60))
        self.shows("#view .state", "Nothing is due on this day")
        self.browser.back()
        self.wait_equal(self.heading, "Tomorrow")
        self.set_date(".picker", day())
        self.wait_equal(self.heading, "Today")

    def test_a_task_leads_back_to_the_same_place(self):
        fillers = [make(f"Filler {number}") for number in range(40)]
        self.open()
        self.browser.execute_script("document.querySelector('main').scrollTo(0, 500)")
        row = self.row("Filler 30")
        self.wait(lambda: self.browser.execute_script("document.querySelector(arguments[0] + ' .name').focus({ preventScroll: true }); return true", row), "the row")
        place = self.browser.execute_script("return document.querySelector('main').scrollTop")
        self.assertGreater(place, 100)
        self.press(Keys.ENTER)
        self.wait_equal(self.heading, "Filler 30")
        self.press(Keys.ESCAPE)
        self.wait_equal(self.heading, "Today")
        self.wait_equal(lambda: self.browser.execute_script("return document.querySelector('main').scrollTop"), place)
        self.wait(lambda: self.focus_is_in(row), "the row that one came from")
        self.press(Keys.ENTER)
        self.wait_equal(self.heading, "Filler 30")
        self.browser.back()
        self.wait_equal(lambda: self.browser.execute_script("return document.querySelector('main').scrollTop"), place)
        mintee("rm", *fillers, "--yes")

    def test_the_keyboard_does_everything(self):
        self.press("j")
        self.wait(lambda: self.focus_is_in(self.row("Meditate")), "the first row")
        self.press("j", "k", Keys.ARROW_DOWN)
        self.wait(lambda: not self.focus_is_in(self.row("Meditate")), "the second row")
        self.press("k")
        self.press("d")
        self.wait_equal(lambda: self.state("Meditate"), "reached")
        self.press("-")
        self.wait_equal(lambda: self.state("Meditate"), "open")
        self.press("+")
        self.wait(lambda: due()["Meditate"]["value"] == 1, "one more")
        # The space bar takes back what the page shows; how a new value is judged the page learns from hub.
        self.wait_equal(lambda: self.state("Meditate"), "reached")
        self.press(" ")
        self.wait(lambda: due()["Meditate"]["value"] == 0, "not done")
        self.focus(self.row("Water") + " .name")
        self.press("v")
        self.wait(lambda: self.focus_is_in(self.row("Water") + " .value"), "the value")
        self.press(Keys.ARROW_UP)
        self.wait(lambda: due()["Water"]["value"] == 1, "one more by the arrow")
        self.press(Keys.ESCAPE)
        self.wait(lambda: self.focus_is_in(self.row("Water") + " .name"), "the row")
        self.press("e")
        self.wait(lambda: self.value(self.field("name")) == "Water", "the form")
        self.press(Keys.ESCAPE)
        self.wait_equal(self.heading, "Water")
        self.press("a")
        self.wait_equal(self.heading, "Analyses")
        self.press("?")
        self.shows("#help", "Done: reach the target")
        self.picture("mintee-help")
        self.press(Keys.ESCAPE, "m")
        self.wait_equal(self.heading, "All tasks")
        self.press("f")
        self.wait(lambda: self.focus_is_in("#query"), "the search")

    def test_25_rows_fit_on_a_desktop_and_10_on_a_phone(self):
        habits = [make(f"Habit {number}") for number in range(30)]
        for (width, height), least in (((1440, 900), 25), ((360, 740), 10)):
            self.resize(width, height)
            self.open("?day=" + day(20))
            seen = self.browser.execute_script(
                "const box = document.querySelector('main').getBoundingClientRect();"
                "return [...document.querySelectorAll('.task')].filter((it) => it.checkVisibility() && it.getBoundingClientRect().bottom <= box.bottom).length")
            self.assertGreaterEqual(seen, least, f"at {width}")
            self.picture(f"mintee-many-{width}")
        mintee("rm", *habits, "--yes")

    def test_the_day_is_written_in_short_in_a_window_that_became_narrow(self):
        self.resize(1200, 800)
        self.open()
        self.wait(lambda: "day," in self.one(".date").text, "the whole day")
        self.resize(360, 740)
        self.wait(lambda: "day," not in self.one(".date").text, "the day in short")

    def test_the_edge_of_a_value_is_seen_without_a_pointer(self):
        self.browser.execute_script("document.activeElement.blur()")
        edge, paper = [luminance(self.style(*it)) for it in [(".task .value", "borderTopColor"), ("html", "backgroundColor")]]
        self.assertGreaterEqual(contrast(edge, paper), 3)

    def test_it_is_readable_in_every_look(self):
        for name, value in [("Water", "3"), ("Coffee", "5"), ("Meditate", "1"), ("Run", "2")]:
            mintee("set", name, value)
        mintee("note", "Coffee", "two guests, three cups")
        self.open()
        self.unfold()
        self.shows(self.row("Coffee") + " .extra", "two guests")
        self.in_all_looks("today", [".task .title", ".task .of", ".task .said", ".task .tags", ".task .extra", ".task .value", ".task .streak", ".progress-line"])
        self.on_a_phone("today")

    def test_sections_have_headings_and_tasks_move_within_them(self):
        def shown():
            return self.browser.execute_script(
                "return [...document.querySelectorAll('.part')].map((part) => [part.querySelector('h2').textContent,"
                " [...part.querySelectorAll('.title')].map((it) => it.textContent)])")

        for name in ["Run", "Read"]:
            mintee("edit", name, "--section", "evening")
            self.addCleanup(mintee, "edit", name, "--section", "none")
        self.addCleanup(mintee, "order")
        self.wait(lambda: [(head, sorted(names)) for head, names in shown()] == [("Evening", ["Read", "Run"])], "the section")
        names = shown()[0][1]
        self.in_menu(names[0], "Move down")
        self.wait_equal(lambda: shown()[0][1], names[::-1])
        self.shows("#hub-toast", f"{names[0]} moved down.")
        self.wait(lambda: self.focus_is_in(self.row(names[0])), "the row again")
        self.press("K")
        self.wait_equal(lambda: shown()[0][1], names)
        order = [row["name"] for row in json.loads(mintee("today", "--json=name")) if row["name"] in names]
        self.assertEqual(order, names)

    def test_a_hostile_name_is_only_text(self):
        self.open("?day=" + day(-1))
        self.shows(self.row(HOSTILE) + " .title", HOSTILE)
        self.click(self.row(HOSTILE) + " .name")
        self.wait_equal(self.heading, HOSTILE)
        self.wait(lambda: self.one(".chart svg").is_displayed(), "the chart")
        self.assertIsNone(self.browser.execute_script("return window.hostile ?? null"))
        self.assertEqual(self.browser.find_elements("css selector", "main img"), [])

    def test_a_tick_is_drawn_before_hub_answers_and_taken_back_when_hub_refuses(self):
        make("Sketch", "--on", "daily")
        self.open()
        self.wait(lambda: "Sketch" in self.rows(), "the task")
        tick = self.row("Sketch") + " .tick"
        self.browser.execute_script("""
            const fetch = window.fetch;
            window.fetch = async (address, options) => {
              if (options?.method !== "POST") return fetch(address, options);
              await new Promise((done) => { window.answer = done; });
              window.fetch = fetch;
              return window.isRefused ? new Response('{"code":"busy","detail":"not now"}', { status: 409 }) : fetch(address, options);
            };""")
        pressed = lambda: self.one(tick).get_attribute("aria-pressed")
        self.assertEqual(self.browser.execute_script("const it = document.querySelector(arguments[0]); it.click(); return it.getAttribute('aria-pressed')", tick), "true")
        self.assertNotIn("Waits to be sent", self.one(self.row("Sketch")).text)
        self.wait(lambda: self.browser.execute_script("return Boolean(window.answer)"), "the request")
        self.browser.execute_script("window.isRefused = true; window.answer()")
        self.wait(lambda: pressed() == "false", "the tick is taken back")
        self.wait(lambda: self.one("#hub-toast.wrong").text, "the reason")
        self.assertEqual(due()["Sketch"]["state"], "under")
        self.click(tick)
        self.wait(lambda: due()["Sketch"]["state"] == "reached", "the tick")
        self.assertEqual(pressed(), "true")


if __name__ == "__main__":
    run()
