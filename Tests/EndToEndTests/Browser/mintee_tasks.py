"""All tasks, one task, and the form with days, targets and dates."""

import os

from selenium.webdriver.common.keys import Keys

from mintee_page import MinteePage, day, fill, make, mintee, shown, tasks
from page import hub, run


class TasksPage(MinteePage):
    start = None

    @classmethod
    def setUpClass(cls):
        make("Water", "--on", "daily: 6 <= x <= 10", "--tag", "health", "--from", day(-100), "--notes", "a glass is 0.25 l")
        make("Read", "--on", "Mon-Fri: x >= 20", "--on", "1st,Last Sun: x >= 60", "--tag", "mind", "--from", day(-30))
        make("Taxes", "--dates", f"{day(10)},{day(40)}", "--tag", "work")
        make("Café", "--on", "1,15,last", "--tag", "Müßiggang")
        make("Over", "--from", day(-30), "--to", day(-3))
        fill("Water", [7, 8, 6, 3, 9, 11, 6, 7, 8, 2, 6, 9, 10, 7, 7, 6, 4, 8, 9, 7, 6, 5, 8, 7, 6, 12, 8, 9, 7, 8], -1)
        super().setUpClass()

    def all_tasks(self):
        self.open("?view=tasks")
        self.wait(lambda: len(self.rows()) > 0, "the tasks")

    def form(self, address="?view=new"):
        self.open(address)
        self.wait(lambda: self.focus_is_in(self.field("name")), "the form")

    def bubble(self, name, *values):
        for value in values:
            self.click(f'.{name} label:has([value="{value}"])')

    def sets(self):
        return [it.text for it in self.browser.find_elements("css selector", ".set")]

    def save(self):
        self.click(".form-bar .main")

    # All tasks

    def test_the_list_finds_filters_and_orders_as_the_command_does(self):
        self.all_tasks()
        self.assertEqual(sorted(self.rows()), sorted(tasks()))
        self.assertEqual([it.text for it in self.browser.find_elements("css selector", "#view h3")], ["Current", "Later", "Ended"])
        self.shows(self.row("Read") + " .of", "Monday to Friday, at least 20; First and last Sunday of the month, at least 60")
        self.shows(self.row("Café") + " .of", "Days 1 and 15 and the last day of the month")
        self.fill("#query", "wat")
        self.wait_equal(self.rows, ["Water"])
        self.assertTrue(self.focus_is_in("#query"))
        self.assertIn("q=wat", self.browser.current_url)
        self.fill("#query", "zzz")
        self.shows("#view .state", "No task matches")
        self.press(Keys.ESCAPE)
        self.wait(lambda: len(self.rows()) == len(tasks()), "all of them")
        self.press_button("mind 1")
        self.wait_equal(self.rows, ["Read"])
        self.wait(lambda: self.one('[aria-pressed="true"]').text == "mind 1", "the filter")
        self.press_button("mind 1")
        self.wait(lambda: len(self.rows()) == len(tasks()), "all of them")
        self.choose_in_menu(".view-head .menu-button", "Newest first")
        self.wait(lambda: self.rows()[-1] == "Over" and self.rows().index("Read") < self.rows().index("Water"), "the order")
        self.in_all_looks("tasks", [".task .title", ".task .of", ".task .tags", ".task .said", ".chips .chip", "#query", "#view h3"])
        self.on_a_phone("tasks")

    def test_a_task_is_deleted_and_comes_back(self):
        made = make("Short lived")
        self.all_tasks()
        self.in_menu("Short lived", "Delete")
        self.shows("#hub-toast", "Short lived moved to the trash.")
        self.wait(lambda: "Short lived" not in tasks(), "the command's list")
        self.press("u")
        self.wait(lambda: "Short lived" in self.rows(), "it again")
        self.focus(f'[data-id="{made}"] .name')
        self.press("#")
        self.wait(lambda: "Short lived" not in self.rows(), "no row")
        self.open("?id=" + made)
        self.shows(".callout", "In the trash since")
        self.press_button("Restore")
        self.shows("#hub-toast", "Short lived restored.")
        self.wait(lambda: "Short lived" in tasks(), "it again")
        mintee("rm", made, "--yes")
        self.open("?view=trash")
        # Keys for a task mean nothing here, and do no harm.
        self.focus(".trash a[data-item]")
        self.press("e", "#", Keys.DELETE)
        self.click("[aria-label='Restore Short lived']")
        self.wait(lambda: "Short lived" in tasks(), "it once more")
        self.press("u")
        self.wait(lambda: "Short lived" not in tasks(), "no task")
        self.shows(".trash", "Short lived")
        self.press_button("Empty trash")
        self.click("#empty-trash .danger")
        self.shows(".state", "The trash is empty")
        self.assertNotIn("Short lived", hub("trash", "list", "--json"))

    # One task

    def test_a_task_shows_what_the_command_shows(self):
        water = shown("Water")
        self.open("?id=" + water["id"])
        self.wait_equal(self.heading, "Water")
        for words in [f"{water['reached']} of {water['due']}", f"{int(water['score'] * 100)}.", "Every day, 6 to 10", "a glass is 0.25 l"]:
            self.shows("#view", words)
        self.shows(".tiles", f"longest: {water['longest_streak']} days")
        self.wait(lambda: len(self.browser.find_elements("css selector", ".heat .day")) == 365, "a square for each day of a year")
        self.wait(lambda: len(self.browser.find_elements("css selector", ".bars .bar")) == 28, "a bar for each of 28 days")
        self.wait(lambda: len(self.browser.find_elements("css selector", ".values tbody tr")) == 20, "the entries")
        self.press_button("Show more")
        self.wait(lambda: len(self.browser.find_elements("css selector", ".values tbody tr")) == 30, "all of them")
        self.in_all_looks("task", [".tile dt", ".tile strong", ".tile span", ".line dt", ".line dd", ".values th", ".values td",
                                   ".chart figcaption", "#view .button", "summary"])
        self.on_a_phone("task")
        self.wait(lambda: self.browser.execute_script(
            "const box = document.querySelector('.heat .chart-drawing'); return box.clientWidth < box.scrollWidth && box.scrollWidth - box.clientWidth - box.scrollLeft < 2"),
            "the newest squares in a window that became narrow")
        self.resize(1200, 800)
        # A change elsewhere moves nothing and closes nothing.
        self.click(".heat .chart-table summary")
        self.browser.execute_script("document.querySelector('main').scrollTo(0, 500)")
        mintee("set", "Read", "30", "--date", "last friday", codes=(0, 1, 2, 64))
        mintee("set", "Water", "9.5", "--date", day(-1))
        self.shows(".values tbody tr td", "9.5")
        self.assertEqual(self.browser.execute_script("return [document.querySelector('main').scrollTop, document.querySelector('.heat .chart-table').open]"), [500, True])
        mintee("set", "Water", "8", "--date", day(-1))
        self.enter(".values tbody tr a")
        self.wait_equal(self.heading, "Yesterday")
        self.browser.get(hub("web", "mintee:" + water["id"][:6]).strip())
        self.wait_equal(self.heading, "Water")

    # New

    def test_a_new_task_with_days_tags_and_a_reminder(self):
        # The page looks for the task that the undo took away.
        self.refusals = [404, 422]
        self.open()
        self.press("n")
        self.wait(lambda: self.focus_is_in(self.field("name")), "the form")
        self.press("Piano")
        self.fill(self.field("tags"), "Music")
        self.press(Keys.ENTER)
        self.shows(".chips-box .chip", "Music")
        self.press("heal")
        self.shows(".offers", "health")
        self.press(Keys.ARROW_DOWN, Keys.ENTER)
        self.wait_equal(lambda: [it.text.strip() for it in self.browser.find_elements("css selector", ".chips-box .chip")], ["Music", "health"])
        self.press_button("Remove health")
        self.assertEqual(self.sets(), ["Every day"])
        self.press_button("Add days and target")
        self.wait(lambda: self.one("#popup").is_displayed(), "the popup")
        self.assertFalse(self.one("#popup .main").is_enabled(), "no day is chosen")
        self.choose("#popup " + self.field("kind", "select"), "Weekdays of the month")
        self.bubble("weekdays", 3, 6)
        self.assertFalse(self.one("#popup .main").is_enabled(), "no week is chosen")
        self.bubble("weeks", 1, 5)
        self.choose("#popup " + self.field("goal", "select"), "From … to")
        self.click("#popup .main")
        self.shows("#popup .problem", "umber is required")
        self.fill(self.field("lower"), "x")
        self.click("#popup .main")
        self.shows("#popup .problem", "nvalid number \"x\"")
        self.fill(self.field("lower"), "50")
        self.fill(self.field("upper"), "30")
        self.click("#popup .main")
        self.shows("#popup .problem", "upper bound")
        self.picture("mintee-popup-problem")
        self.fill(self.field("lower"), "5")
        self.picture("mintee-popup")
        self.click("#popup .main")
        self.wait_equal(self.sets, ["Every day", "First and last Tuesday and Friday of the month, 5 to 30"])
        self.click('[aria-label^="Move First and last"][aria-label$="up"]')
        self.wait_equal(self.sets, ["First and last Tuesday and Friday of the month, 5 to 30", "Every day"])
        self.browser.execute_script("document.querySelector(arguments[0]).value = '18:30'", self.field("remind"))
        self.save()
        self.shows("#hub-toast", "Piano added.")
        piano = shown("Piano")
        self.assertEqual(piano["sets"], ["1st,Last Tue,Fri: 5 <= x <= 30", "daily"])
        self.assertEqual((piano["tags"], piano["remind_at"], piano["start"], piano["end"]), (["Music"], "18:30", day(), None))
        self.press("u")
        self.wait(lambda: "Piano" not in tasks(), "the undo")

    def test_the_form_and_its_popup_are_looked_at(self):
        self.form()
        self.fill(self.field("name"), "Yoga")
        self.press_button("Add days and target")
        self.choose("#popup " + self.field("kind", "select"), "Days of the month")
        self.bubble("monthdays", 1, 15, 0)
        self.choose("#popup " + self.field("goal", "select"), "At least")
        self.fill(self.field("lower"), "20")
        self.in_all_looks("popup", [".bubbles label", ".bubbles label:has(:checked)", "#popup legend", "#popup .main", "#popup label", "#popup select"])
        self.on_a_phone("popup")
        self.resize(1200, 1100)
        self.focus(self.field("lower"))
        self.chord(Keys.ENTER)
        self.wait_equal(self.sets, ["Every day", "Days 1 and 15 and the last day of the month, at least 20"])
        self.on_a_phone("form")
        self.resize(1200, 1100)
        self.in_all_looks("form", [".form legend", ".field > label", self.field("name"), ".set", ".form .hint", ".form-bar .main"])
        self.focus(self.field("name"))
        self.press(Keys.ESCAPE)
        self.wait(lambda: self.one("#leave").is_displayed(), "the question")
        self.click("#leave .danger")
        self.wait_equal(self.heading, "Today")

    def test_dates_take_each_other_along(self):
        self.resize(1200, 1100)
        self.form()
        self.click('[data-field="openEnd"] label')
        self.set_field_date("end", day(5))
        self.set_field_date("start", day(9))
        self.fill(self.field("name"), "Trip")
        self.wait_equal(lambda: self.value(self.field("end", ".day")), str(int(day(9)[-2:])))
        self.set_field_date("end", day(2))
        self.focus(self.field("name"))
        self.wait_equal(lambda: self.value(self.field("start", ".day")), str(int(day(2)[-2:])))
        self.chord(Keys.ENTER)
        self.shows("#hub-toast", "Trip added.")
        self.assertEqual((shown("Trip")["start"], shown("Trip")["end"]), (day(2), day(2)))

    def test_a_task_of_chosen_dates(self):
        self.refusals = [422]
        self.form()
        self.fill(self.field("name"), "Dentist")
        self.click('[data-field="kind"] label:has([value="1"])')
        self.save()
        self.shows(".summary", "has no dates; choose at least one")
        self.wait(lambda: self.focus_is_in('[data-field="dates"]'), "the focus on the dates")
        self.picture("mintee-form-problem")
        for date in [day(30), day(3), day(3)]:
            self.set_field_date("dates", date)
            self.press_button("Add date")
        self.wait(lambda: len(self.browser.find_elements("css selector", '[data-field="dates"] .chip')) == 2, "each date once")
        self.picture("mintee-form-dates")
        self.save()
        self.shows("#hub-toast", "Dentist added.")
        self.assertEqual((shown("Dentist")["kind"], shown("Dentist")["sets"]), ("Specific", [day(3), day(30)]))

    def test_what_is_refused_is_named_at_its_field_and_nothing_is_lost(self):
        self.refusals = [422]
        self.form()
        self.fill(self.field("notes", "textarea"), "kept")
        self.save()
        self.shows('[data-field="name"] .problem', "name is required")
        self.shows(".summary", "Not saved.")
        self.wait(lambda: self.focus_is_in(self.field("name")), "the focus on the name")
        self.fill(self.field("name"), "Water")
        self.save()
        self.shows('[data-field="name"] .problem', "is already the name of another task")
        self.press_button("Remove Every day")
        self.save()
        self.shows('[data-field="sets"] .problem', "has no due days")
        self.assertEqual(self.value(self.field("notes", "textarea")), "kept")

    # Edit

    def test_an_edit_that_drops_filled_days_asks_first(self):
        self.refusals = [422]
        identifier = make("Swim", "--from", day(-5))
        fill("Swim", [1, 2, 1], -1)
        self.form(f"?view=edit&id={identifier}")
        self.set_field_date("start", day(-1))
        self.save()
        self.wait(lambda: self.one("#losses").is_displayed(), "the days that go")
        self.wait(lambda: len(self.browser.find_elements("css selector", "#losses li")) == 2, "two of them")
        self.shows("#losses h2", "Drop 2 filled days?")
        self.picture("mintee-losses")
        self.click("#losses [value=no]")
        self.shows(".summary", "The filled days were kept")
        self.assertEqual(shown("Swim")["start"], day(-5))
        self.save()
        self.click("#losses [value=yes]")
        self.shows("#hub-toast", "2 filled days dropped.")
        self.assertEqual(shown("Swim")["start"], day(-1))
        self.wait_equal(self.heading, "Swim")
        self.press("u")
        self.wait(lambda: shown("Swim")["start"] == day(-5), "the undo")
        self.wait(lambda: len(self.browser.find_elements("css selector", ".values tbody tr")) == 3, "all values again")

    def test_switching_the_kind_keeps_what_was_entered_for_the_other(self):
        identifier = make("Plan", "--from", day(-2))
        self.form(f"?view=edit&id={identifier}")
        self.click('[data-field="kind"] label:has([value="1"])')
        self.wait(lambda: not self.one('[data-field="sets"]').is_displayed(), "dates")
        self.click('[data-field="kind"] label:has([value="0"])')
        self.wait_equal(self.sets, ["Every day"])
        self.save()
        self.shows("#hub-toast", "Plan: nothing changed.")
        self.form(f"?view=edit&id={identifier}")
        self.click('[data-field="kind"] label:has([value="1"])')
        self.set_field_date("dates", day(4))
        self.press_button("Add date")
        self.save()
        self.wait(lambda: shown("Plan")["kind"] == "Specific", "the other kind")

    def test_a_stale_edit_takes_in_what_changed_and_goes_on(self):
        self.refusals = [412]
        identifier = make("Draw")
        self.form(f"?view=edit&id={identifier}")
        self.fill(self.field("notes", "textarea"), "mine")
        mintee("edit", "Draw", "--notes", "theirs", "--name", "Draw a line")
        self.save()
        self.shows(".newer", "changed elsewhere meanwhile")
        self.shows(".newer", "theirs")
        self.assertEqual((self.value(self.field("notes", "textarea")), self.value(self.field("name"))), ("mine", "Draw a line"))
        self.save()
        self.wait(lambda: shown("Draw a line")["notes"] == "mine", "the second try")

    def test_days_and_target_are_edited_and_removed(self):
        identifier = make("Garden", "--on", "Mon,Wed: 3 <= x < 5", "--on", "Sun")
        self.form(f"?view=edit&id={identifier}")
        self.press_button("Edit Monday and Wednesday, at least 3 and less than 5")
        self.wait_equal(lambda: (self.value(self.field("lower")), self.value(self.field("upper"))), ("3", "5"))
        self.bubble("weekdays", 6)
        self.click("#popup .main")
        self.wait_equal(self.sets, ["Monday, Wednesday and Friday, at least 3 and less than 5", "Sunday"])
        self.press_button("Remove Sunday")
        self.wait(lambda: len(self.sets()) == 1, "one")
        self.chord(Keys.ENTER)
        self.wait(lambda: shown("Garden")["sets"] == ["Mon,Wed,Fri: 3 <= x < 5"], "the change")

    def test_a_pattern_leaves_out_a_calendar_of_holidays(self):
        identifier = make("Mail", "--on", "Mon-Fri")
        path = os.path.join(os.environ["HOME"], "holidays.ics")
        with open(path, "w", encoding="utf-8") as file:
            file.write("BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Feast\nDTSTART;VALUE=DATE:20261225\nEND:VEVENT\nEND:VCALENDAR\n")
        mintee("holidays", "add", "holidays", path)
        self.form(f"?view=edit&id={identifier}")
        self.press_button("Edit Monday to Friday")
        self.wait(lambda: self.one("#popup").is_displayed(), "the popup")
        self.choose("#popup " + self.field("except", "select"), "holidays")
        self.click("#popup .main")
        self.wait_equal(self.sets, ["Monday to Friday, except holidays"])
        self.save()
        self.wait(lambda: shown("Mail")["sets"] == ["weekdays except holidays"], "the change")


if __name__ == "__main__":
    run()
