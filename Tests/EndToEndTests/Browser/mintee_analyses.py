"""Analyses with their charts, their order and their colours."""

import json

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from mintee_page import MinteePage, day, fill, make, mintee
from page import hub, run


def analyses():
    return {row["name"]: row for row in json.loads(mintee("analyses", "--json"))}


class AnalysesPage(MinteePage):
    start = "?view=analyses"

    @classmethod
    def setUpClass(cls):
        make("Water", "--on", "daily: 6 <= x <= 10", "--tag", "health", "--from", day(-100))
        make("Run", "--on", "Mon,Wed,Sat: x >= 5", "--tag", "health", "--tag", "sport", "--from", day(-100))
        make("Read", "--on", "daily: x >= 20", "--tag", "mind", "--from", day(-100))
        fill("Water", [7, 8, 6, 3, 9, 11, 6, 7, 8, 2, 6, 9, 10, 7, 7, 6, 4, 8, 9, 7, 6, 5, 8, 7, 6, 12, 8, 9])
        fill("Read", [20, 30, 10, 25, 40, 20, 22, 0, 35, 20, 21, 20, 50, 20], -1)
        for offset in range(-28, 1):
            mintee("set", "Run", str(4 + offset % 4), "--date", day(offset), codes=(0, 1, 2, 64, 65))
        super().setUpClass()

    def setUp(self):
        for row in analyses().values():
            mintee("analyses", "rm", row["name"], "--yes")
        mintee("analyses", "new", "Health", "--tag", "health", "--days", "28")
        mintee("analyses", "new", "Mind", "--tag", "mind", "--type", "line", "--days", "60")
        mintee("analyses", "new", "Sport", "--tag", "sport", "--from", day(-90), "--to", day())
        mintee("analyses", "order", "Health", "Mind")
        super().setUp()
        self.wait_equal(self.listed, ["Health", "Mind", "Sport"])

    def listed(self):
        return [link.text for link in self.browser.find_elements("css selector", ".arrange .name")]

    def charts(self):
        return [link.text for link in self.browser.find_elements("css selector", ".charts .name")]

    def line(self, name):
        return f'.arrange [data-id="{analyses()[name]["id"]}"]'

    def test_the_home_page_shows_the_charts_of_the_command(self):
        self.assertEqual(self.charts(), ["Health", "Mind"])
        days = json.loads(mintee("analyses", "show", "Health", "--json"))
        self.wait(lambda: len(self.browser.find_elements("css selector", ".charts li:first-child .day")) == len(days), "a square a day")
        reached, due = sum(row["reached"] for row in days), sum(row["reached"] + row["under"] + row["over"] for row in days)
        self.shows(".charts li:first-child", f"{reached} of {due} reached")
        self.shows(".charts li:first-child .hint", "Water")
        # The tint is the share, and the words of a day say it too.
        place = next(place for place, row in enumerate(days) if row["reached"] == 1 and row["under"] + row["over"] == 1)
        square = f'.charts li:first-child [data-place="{place}"]'
        self.assertIn("level-2", self.one(square).get_attribute("class"))
        self.browser.execute_script("document.querySelector(arguments[0]).dispatchEvent(new PointerEvent('pointermove', { bubbles: true }))", square)
        self.shows(".charts li:first-child .chart-value", "1 of 2 reached")
        self.in_all_looks("analyses", [".charts .name", ".charts .hint", ".chart figcaption", ".arrange .name", ".arrange .hint", ".arrange .check"])
        self.on_a_phone("analyses")

    def test_the_home_page_is_arranged(self):
        self.click(self.line("Sport") + " .check")
        self.shows("#hub-toast", "Sport is on the home page.")
        self.wait_equal(self.charts, ["Health", "Mind", "Sport"])
        self.press_button("Move up Sport")
        self.wait_equal(self.charts, ["Health", "Sport", "Mind"])
        self.wait(lambda: self.focus_is_in(self.line("Sport")) or not self.focus_is_in("body *"), "the focus where it was")
        self.wait(lambda: ActionChains(self.browser).drag_and_drop(
            self.one(self.line("Mind") + " .handle"), self.one(self.line("Health") + " .handle")).perform() is None, "a drag")
        self.wait_equal(self.charts, ["Mind", "Health", "Sport"])
        self.assertEqual([row["order"] for row in analyses().values()], [0, 1, 2])
        self.press("u")
        self.wait_equal(self.charts, ["Health", "Sport", "Mind"])
        self.click(self.line("Health") + " .check")
        self.wait_equal(self.charts, ["Sport", "Mind"])
        mintee("analyses", "order", "Health")
        self.wait_equal(self.charts, ["Health"])
        self.click(self.line("Health") + " .check")
        # While none is chosen, all are shown.
        self.wait_equal(lambda: (self.charts(), len(self.charts())), (self.listed(), 3))

    def test_a_new_analysis_with_what_is_refused(self):
        self.refusals = [422]
        self.press("n")
        self.wait(lambda: self.focus_is_in(self.field("name")), "the form")
        self.fill(self.field("range"), "0")
        self.click(".form-bar .main")
        self.shows('[data-field="name"] .problem', "name is required")
        self.shows('[data-field="tags"] .problem', "as no tag; choose at least one")
        self.shows('[data-field="range"] .problem', "overs at least one day")
        self.picture("mintee-analysis-problem")
        self.fill(self.field("name"), "Health")
        self.click('[data-field="tags"] label:has([value="sport"])')
        self.fill(self.field("range"), "14")
        self.click('[data-field="type"] label:has([value="1"])')
        self.click(".form-bar .main")
        self.shows('[data-field="name"] .problem', "is already the name of another analysis")
        self.fill(self.field("name"), "Fortnight")
        self.on_a_phone("analysis-form")
        self.resize(1200, 1000)
        self.in_all_looks("analysis-form", [".form legend", ".field > label", ".form .check span", ".form .hint", self.field("range")])
        self.focus(self.field("name"))
        self.chord(Keys.ENTER)
        self.wait_equal(self.heading, "Fortnight")
        made = analyses()["Fortnight"]
        self.assertEqual((made["type"], made["range"], made["tags"]), ("line", "last 14 days", ["sport"]))
        self.press("u")
        self.wait(lambda: "Fortnight" not in analyses(), "the undo")
        self.refusals.append(404)

    def test_a_legend_of_bands_and_fixed_dates(self):
        identifier = analyses()["Mind"]["id"]
        self.open(f"?view=analysis&id={identifier}")
        self.wait(lambda: len(self.browser.find_elements("css selector", ".chart-drawing svg")) == 2, "days and line")
        self.press("e")
        self.wait(lambda: self.value(self.field("name")) == "Mind", "the form")
        self.click('[data-field="legend"] label:has([value="band"])')
        for goal, side in [("Less than", "upper"), ("At least", "lower")]:
            self.press_button("Add range")
            self.choose("#popup " + self.field("goal", "select"), goal)
            self.fill("#popup " + self.field(side), "20")
            self.click("#popup .main")
            self.wait(lambda: not self.browser.find_elements("css selector", "#popup"), "the band")
        self.browser.execute_script(
            "const it = document.querySelector('[aria-label=\"Colour of less than 20\"]'); it.value = '#ad0c00'; it.dispatchEvent(new Event('input', { bubbles: true }))")
        self.click('[data-field="kind"] label:has([value="0"])')
        self.set_field_date("from", day(-20))
        self.set_field_date("to", day(-1))
        self.picture("mintee-bands-form")
        self.focus(self.field("name"))
        self.chord(Keys.ENTER)
        self.shows("#view .hint", f"{day(-20)} to {day(-1)}")
        self.shows("#view", "Value ranges: less than 20; at least 20")
        self.wait(lambda: self.browser.execute_script(
            "return [...document.querySelectorAll('.day')].some((it) => getComputedStyle(it).fill === 'rgb(173, 12, 0)')"), "the colour of the first band")
        self.picture("mintee-analysis-bands")
        self.on_a_phone("analysis")

    def test_an_analysis_is_deleted_and_comes_back(self):
        self.choose_in_menu(self.line("Sport") + " .menu-button", "Delete")
        self.shows("#hub-toast", "Sport moved to the trash.")
        self.wait_equal(self.listed, ["Health", "Mind"])
        self.press("u")
        self.wait_equal(self.listed, ["Health", "Mind", "Sport"])
        self.browser.get(hub("web", "mintee:" + analyses()["Health"]["id"]).strip())
        self.refusals = [404]
        self.wait_equal(self.heading, "Health")

    def test_a_change_elsewhere_appears_and_closes_nothing(self):
        self.click(".charts li:first-child summary")
        mintee("analyses", "edit", "Health", "--name", "Body")
        self.wait_equal(self.charts, ["Body", "Mind"])
        self.assertTrue(self.browser.execute_script("return document.querySelector('.charts details').open"))


if __name__ == "__main__":
    run()
