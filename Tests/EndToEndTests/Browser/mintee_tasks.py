"""Manage, one task, and the form with target sets and dates."""

from selenium.webdriver.common.keys import Keys

from mintee_page import MinteePage, day, fill, make, mintee, shown, tasks
from page import hub, run


class TasksPage(MinteePage):
    @classmethod
    def setUpClass(cls):
        make("Water", "--on", "daily: 6 <= x <= 10", "--tag", "health", "--from", day(-100), "--notes", "a glass is 0.25 l")
        make("Read", "--on", "Mon-Fri: x >= 20", "--on", "1st,Last Sun: x >= 60", "--tag", "mind", "--from", day(-30))
        make("Taxes", "--dates", f"{day(10)},{day(40)}", "--tag", "work")
        make("Café", "--on", "1,15,last", "--tag", "Müßiggang")
        fill("Water", [7, 8, 6, 3, 9, 11, 6, 7, 8, 2, 6, 9, 10, 7, 7, 6, 4, 8, 9, 7, 6, 5, 8, 7, 6, 12, 8, 9, 7, 8], -1)
        super().setUpClass()

    def manage(self):
        self.open("?view=manage")
        self.wait(lambda: len(self.cards()) > 0, "the tasks")

    def form(self, address):
        self.open(address)
        self.wait(lambda: self.one("#name").is_displayed(), "the form")

    def bubble(self, name, *numbers):
        for number in numbers:
            self.click(f'label[for="{name}-{number}"]')

    def sets(self):
        return [strong.text for strong in self.browser.find_elements("css selector", ".set strong")]

    def save(self):
        self.click("form.fields > .actions .main")

    # Manage

    def test_manage_lists_finds_and_filters_as_the_command_does(self):
        self.manage()
        self.assertEqual(self.cards(), list(tasks()))
        self.fill("#query", "wat")
        self.wait_equal(self.cards, ["Water"])
        self.assertIn("q=wat", self.browser.current_url)
        self.fill("#query", "zzz")
        self.shows("#count", "No task matches.")
        self.press(Keys.ESCAPE)
        self.wait_equal(self.cards, list(tasks()))
        self.click('[data-focus="tag-mind"]')
        self.wait_equal(self.cards, ["Read"])
        self.wait(lambda: self.one('[data-focus="tag-mind"]').get_attribute("aria-pressed") == "true", "the filter")
        self.click('[data-focus="tag-mind"]')
        self.wait_equal(self.cards, list(tasks()))
        self.in_all_looks("manage", [".task h3 a", ".task .hint", ".task .target", ".task .chips li", ".task .button", ".task .danger",
                                     ".chips.filter button", "#query"])
        self.on_a_phone("manage")

    def test_a_task_is_deleted_and_comes_back(self):
        made = make("Short lived")
        self.manage()
        self.click(f'[data-id="{made}"] .danger')
        self.shows("#hub-toast", "Short lived is in the trash.")
        self.wait(lambda: "Short lived" not in tasks(), "the command's list")
        self.press("u")
        self.wait(lambda: "Short lived" in self.cards(), "it again")
        self.focus(f'[data-id="{made}"]')
        self.press("#")
        self.wait(lambda: "Short lived" not in self.cards(), "no card")

    # One task

    def test_a_task_shows_what_the_command_shows(self):
        water = shown("Water")
        self.open("?id=" + water["id"])
        self.wait_equal(self.heading, "Water")
        for words in [f"{water['reached']} of {water['due']}", f"{int(water['score'] * 100)}.", "6 <= x <= 10", "a glass is 0.25 l"]:
            self.shows("#view", words)
        self.shows(".tiles", str(water["longest_streak"]))
        self.wait(lambda: len(self.browser.find_elements("css selector", ".chart rect")) == 365, "a square for each day of a year")
        self.wait(lambda: len(self.browser.find_elements("css selector", ".values tbody tr")) == 20, "the values")
        self.click('[data-focus="more"]')
        self.wait(lambda: len(self.browser.find_elements("css selector", ".values tbody tr")) == 30, "all of them")
        self.in_all_looks("task", [".tile dt", ".tile strong", ".tile span", ".facts dt", ".facts dd", ".values th", ".values td",
                                   ".legend", "#view .button", "summary", ".back"])
        self.on_a_phone("task")
        self.resize(1200, 800)
        mintee("set", "Water", "9", "--date", day(-1))
        self.shows(".values tbody tr td", "9")
        self.enter(".values tbody tr a")
        self.wait_equal(self.heading, "Yesterday")
        self.browser.get(hub("web", "mintee:" + water["id"][:6]).strip())
        self.wait_equal(self.heading, "Water")

    # New

    def test_a_new_task_with_sets_tags_and_a_reminder(self):
        # The page looks for the task that the undo took away.
        self.refusals = [404, 422]
        self.press("n")
        self.wait(lambda: self.focus_is_in("#name"), "the form")
        self.press("Piano")
        self.fill("#tag", "Music")
        self.press(Keys.ENTER)
        self.shows(".chips li", "Music")
        self.fill("#tag", "mUSIC")
        self.click("#add-tag")
        self.shows('[data-field="tags"] .problem', "stands here already")
        self.fill("#tag", "heal")
        self.wait(lambda: self.one(".tag-offers button").text == "+ health", "the tag that there is")
        self.click(".tag-offers button")
        self.wait_equal(lambda: [item.text.rstrip("×").strip() for item in self.browser.find_elements(
            "css selector", ".field > .chips:not(.tag-offers) li")], ["health", "Music"])
        self.click('[aria-label="Remove the tag health"]')
        self.assertEqual(self.sets(), ["daily"])
        self.click("#add-set")
        self.wait(lambda: self.one("#popup").is_displayed(), "the popup")
        self.assertFalse(self.one("#popup .main").is_enabled(), "no day is chosen")
        self.choose("#pattern", "Weekdays of month")
        self.bubble("weekdays", 3, 6)
        self.assertFalse(self.one("#popup .main").is_enabled(), "no week is chosen")
        self.bubble("weeks", 1, 5)
        self.click("#popup .main")
        self.shows("#popup .problem", "a number is required")
        self.fill("#lower", "x")
        self.click("#popup .main")
        self.shows("#popup .problem", "invalid number \"x\"")
        self.fill("#lower", "5")
        self.fill("#upper", "3")
        self.click("#popup .main")
        self.shows("#popup .problem", "is less than the upper bound")
        self.picture("mintee-popup-problem")
        self.choose("#upper-operator", "=")
        self.assertFalse(self.one("#lower").is_enabled(), "an equality leaves the other field nothing to say")
        self.choose("#upper-operator", "<=")
        self.fill("#upper", "30")
        self.choose("#lower-operator", "<=")
        self.picture("mintee-popup")
        self.click("#popup .main")
        self.wait_equal(self.sets, ["daily", "1st,Last Tue,Fri"])
        self.click('[aria-label^="Move up 1st,Last"]')
        self.wait_equal(self.sets, ["1st,Last Tue,Fri", "daily"])
        self.browser.execute_script("document.querySelector('#remind').value = '18:30'")
        self.save()
        self.shows("#hub-toast", "Piano is new.")
        piano = shown("Piano")
        self.assertEqual(piano["sets"], ["1st,Last Tue,Fri: 5 <= x <= 30", "daily"])
        self.assertEqual((piano["tags"], piano["remind_at"], piano["start"], piano["end"]), (["Music"], "18:30", day(), None))
        self.press("u")
        self.wait(lambda: "Piano" not in tasks(), "the undo")

    def test_the_popup_is_looked_at(self):
        self.form("?view=new")
        self.fill("#name", "Yoga")
        self.click("#add-set")
        self.choose("#pattern", "Days of month")
        self.bubble("monthdays", 1, 15, 0)
        self.fill("#lower", "20")
        self.in_all_looks("popup", [".bubbles label", ".bubbles input:checked + label", "#popup legend", "#popup .main", "#popup .hint",
                                    "#popup label[for=pattern]", "#pattern"])
        self.on_a_phone("popup")
        self.chord(Keys.ENTER)
        self.wait_equal(self.sets, ["daily", "1,15,last"])
        self.on_a_phone("form")
        self.resize(1200, 1100)
        self.in_all_looks("form", [".fields legend", ".field > label", "#name", "#tag", ".set strong", ".set .hint", ".fields .hint",
                                   ".fields .main", ".picture .on", "#end"])
        self.press(Keys.ESCAPE)
        self.wait(lambda: self.one("#leave").is_displayed(), "the question")
        self.click("#leave .danger")
        self.wait_equal(self.heading, "Manage")

    def test_dates_take_each_other_along(self):
        self.form("?view=new")
        self.click("#open-end")
        self.set_date("#end", day(5))
        self.set_date("#start", day(9))
        self.assertEqual(self.value("#end"), day(9))
        self.set_date("#end", day(2))
        self.assertEqual(self.value("#start"), day(2))
        self.fill("#name", "Trip")
        self.chord(Keys.ENTER)
        self.shows("#hub-toast", "Trip is new.")
        self.assertEqual((shown("Trip")["start"], shown("Trip")["end"]), (day(2), day(2)))

    def test_a_task_of_chosen_dates(self):
        self.refusals = [422]
        self.form("?view=new")
        self.fill("#name", "Dentist")
        self.click('label[for="kind-1"]')
        self.save()
        self.shows('[data-field="dates"] .problem', "has no dates; choose at least one")
        self.picture("mintee-form-problem")
        for date in [day(30), day(3), day(3)]:
            self.set_date("#date", date)
            self.click("#add-date")
        self.wait(lambda: len(self.browser.find_elements("css selector", ".dates li")) == 2, "each date once")
        self.picture("mintee-form-dates")
        self.save()
        self.shows("#hub-toast", "Dentist is new.")
        self.assertEqual((shown("Dentist")["kind"], shown("Dentist")["sets"]), ("Specific", [day(3), day(30)]))

    def test_what_is_refused_stands_at_its_field_and_nothing_is_lost(self):
        self.refusals = [422]
        self.form("?view=new")
        self.fill("#notes", "kept")
        self.save()
        self.shows(".field .problem", "a name is required")
        self.wait(lambda: self.focus_is_in("#name"), "the focus on the name")
        self.fill("#name", "Water")
        self.save()
        self.shows(".field .problem", "is already the name of another task")
        self.click('[aria-label="Remove daily"]')
        self.save()
        self.shows('[data-field="sets"] .problem', "has no due days")
        self.assertEqual(self.value("#notes"), "kept")

    # Edit

    def test_an_edit_that_drops_filled_days_asks_first(self):
        make("Swim", "--from", day(-5))
        fill("Swim", [1, 2, 1], -1)
        identifier = shown("Swim")["id"]
        self.form(f"?view=edit&id={identifier}")
        self.set_date("#start", day(-1))
        self.save()
        self.wait(lambda: self.one("#losses").is_displayed(), "the days that go")
        self.wait(lambda: len(self.browser.find_elements("css selector", "#losses li")) == 2, "two of them")
        self.shows("#losses h2", "Drop 2 filled days?")
        self.picture("mintee-losses")
        self.click("#losses [value=no]")
        self.wait(lambda: not self.browser.find_elements("css selector", "#losses"), "the form again")
        self.assertEqual(shown("Swim")["start"], day(-5))
        self.save()
        self.click("#losses [value=yes]")
        self.shows("#hub-toast", "2 filled days dropped.")
        self.assertEqual(shown("Swim")["start"], day(-1))
        self.press("u")
        self.wait(lambda: shown("Swim")["start"] == day(-5), "the undo")
        self.wait(lambda: len(self.browser.find_elements("css selector", ".values tbody tr")) == 3, "all values again")

    def test_a_key_counts_as_soon_as_it_is_offered(self):
        make("Row", "--from", day(-5))
        identifier = shown("Row")["id"]
        self.form(f"?view=edit&id={identifier}")
        self.set_date("#start", day(-1))
        self.hold()
        self.save()
        self.shows("#hub-toast", "Undo")
        self.assertTrue(self.one("#start").is_displayed(), "the form is still seen")
        self.press("u")
        self.wait(lambda: shown("Row")["start"] == day(-5), "the undo")
        self.release()
        self.shows("h2", "Row")
        self.wait(lambda: not self.browser.find_elements("css selector", "#start"), "the task")

    def test_switching_the_kind_keeps_what_was_entered_for_the_other(self):
        make("Plan", "--from", day(-2))
        identifier = shown("Plan")["id"]
        self.form(f"?view=edit&id={identifier}")
        self.click('label[for="kind-1"]')
        self.wait(lambda: not self.one("#add-set").is_displayed(), "dates")
        self.click('label[for="kind-0"]')
        self.wait_equal(self.sets, ["daily"])
        self.save()
        self.shows("#hub-toast", "Plan: nothing changed.")
        self.form(f"?view=edit&id={identifier}")
        self.click('label[for="kind-1"]')
        self.set_date("#date", day(4))
        self.click("#add-date")
        self.save()
        self.wait(lambda: shown("Plan")["kind"] == "Specific", "the other kind")

    def test_a_stale_edit_tells_what_changed_and_goes_on(self):
        self.refusals = [409]
        make("Draw")
        identifier = shown("Draw")["id"]
        self.form(f"?view=edit&id={identifier}")
        self.fill("#notes", "mine")
        mintee("edit", "Draw", "--notes", "theirs")
        self.save()
        self.shows(".newer", "changed elsewhere meanwhile")
        self.shows(".newer", "theirs")
        self.assertEqual(self.value("#notes"), "mine")
        self.save()
        self.wait(lambda: shown("Draw")["notes"] == "mine", "the second try")

    def test_a_set_is_edited_and_removed(self):
        make("Garden", "--on", "Mon,Wed: 3 <= x < 5", "--on", "Sun")
        identifier = shown("Garden")["id"]
        self.form(f"?view=edit&id={identifier}")
        self.click('[aria-label="Edit Mon,Wed: 3 <= x < 5"]')
        self.wait_equal(lambda: (self.value("#lower"), self.value("#upper")), ("3", "5"))
        self.bubble("weekdays", 6)
        self.click("#popup .main")
        self.wait_equal(self.sets, ["Mon,Wed,Fri", "Sun"])
        self.click('[aria-label="Remove Sun"]')
        self.wait_equal(self.sets, ["Mon,Wed,Fri"])
        self.chord(Keys.ENTER)
        self.wait(lambda: shown("Garden")["sets"] == ["Mon,Wed,Fri: 3 <= x < 5"], "the change")


if __name__ == "__main__":
    run()
