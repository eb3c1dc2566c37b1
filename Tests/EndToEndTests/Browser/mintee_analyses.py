"""Analyses with their charts, their order and their colours; and the themes."""

import json

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from mintee_page import THEMES, MinteePage, day, fill, make, mintee
from page import hub, run


def analyses():
    return {row["name"]: row for row in json.loads(mintee("analyses", "--json"))}


class AnalysesPage(MinteePage):
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
        self.open("?view=analyses")
        self.wait_equal(self.listed, ["Health", "Mind", "Sport"])

    def listed(self):
        return [link.text for link in self.browser.find_elements("css selector", ".arrange .about a")]

    def charts(self):
        return [link.text for link in self.browser.find_elements("css selector", ".charts h3 a")]

    def row(self, name):
        return f'.arrange [data-id="{analyses()[name]["id"]}"]'

    def test_the_home_page_shows_the_charts_of_the_command(self):
        self.assertEqual(self.charts(), ["Health", "Mind"])
        days = json.loads(mintee("analyses", "show", "Health", "--json"))
        self.wait(lambda: len(self.browser.find_elements("css selector", ".charts li:first-child rect")) == len(days), "a square a day")
        reached, due = sum(row["reached"] for row in days), sum(row["reached"] + row["under"] + row["over"] for row in days)
        self.shows(".charts li:first-child", f"{reached} of {due} reached")
        self.assertEqual(len(self.browser.find_elements("css selector", ".charts li:first-child rect ~ path")),
                         sum(row["under"] + row["over"] > 0 for row in days), "a shape says what a colour says")
        self.shows(".charts li:first-child .hint", "Water, Run")
        self.in_all_looks("analyses", [".charts h3 a", ".charts .hint", ".charts strong", ".arrange .about a", ".arrange .hint",
                                       ".arrange .button", ".arrange label", ".legend", ".dayhead .main"])
        self.on_a_phone("analyses")

    def test_the_home_page_is_arranged(self):
        self.click(self.row("Sport") + " label")
        self.shows("#hub-toast", "Sport is on the home page.")
        self.wait_equal(self.charts, ["Health", "Mind", "Sport"])
        self.click(self.row("Sport") + ' [aria-label^="Move up"]')
        self.wait_equal(self.charts, ["Health", "Sport", "Mind"])
        self.wait(lambda: self.focus_is_in(self.row("Sport")), "the focus where it was")
        self.wait(lambda: ActionChains(self.browser).drag_and_drop(
            self.one(self.row("Mind") + " .grip"), self.one(self.row("Health") + " .grip")).perform() is None, "a drag")
        self.wait_equal(self.charts, ["Mind", "Health", "Sport"])
        self.assertEqual([row["order"] for row in analyses().values()], [0, 1, 2])
        self.press("u")
        self.wait_equal(self.charts, ["Health", "Sport", "Mind"])
        self.click(self.row("Health") + " label")
        self.wait_equal(self.charts, ["Sport", "Mind"])
        mintee("analyses", "order", "Health")
        self.wait_equal(self.charts, ["Health"])

    def test_a_new_analysis_with_what_is_refused(self):
        self.refusals = [422]
        self.press("n")
        self.wait(lambda: self.focus_is_in("#name"), "the form")
        self.fill("#days", "0")
        self.click("form.fields > .actions .main")
        self.shows(".field .problem", "a name is required")
        self.shows('[data-field="tags"] .problem', "has no tag; choose at least one")
        self.shows('[data-field="range"] .problem', "covers at least one day")
        self.picture("mintee-analysis-problem")
        self.fill("#name", "Health")
        self.fill("#find-tag", "spo")
        self.wait(lambda: not self.one('input[value="mind"]').is_displayed(), "fewer tags")
        self.click('label[for="tag-2"]')
        self.fill("#days", "14")
        self.click('label[for="type-1"]')
        self.click("form.fields > .actions .main")
        self.shows(".field .problem", "is already the name of another analysis")
        self.fill("#name", "Fortnight")
        self.on_a_phone("analysis-form")
        self.resize(1200, 1000)
        self.in_all_looks("analysis-form", [".fields legend", ".field > label", ".fields .choice label", ".fields .hint", "#days"])
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
        self.wait(lambda: len(self.browser.find_elements("css selector", ".chart svg")) == 2, "box and line")
        self.press("e")
        self.wait(lambda: self.value("#name") == "Mind", "the form")
        self.click('label[for="legend-band"]')
        for side, operator in [("upper", "<"), ("lower", "<=")]:
            self.click("#add-band")
            self.fill("#" + side, "20")
            self.choose(f"#{side}-operator", operator)
            self.click("#popup .main")
            self.wait(lambda: not self.browser.find_elements("css selector", "#popup"), "the band")
        self.browser.execute_script(
            "const it = document.querySelector('#band-0'); it.value = '#ad0c00'; it.dispatchEvent(new Event('input', { bubbles: true }))")
        self.click('label[for="range-0"]')
        self.set_date("#from", day(-20))
        self.set_date("#to", day(-1))
        self.picture("mintee-bands-form")
        self.chord(Keys.ENTER)
        self.shows("#view .hint", f"{day(-20)} to {day(-1)}")
        self.shows("#view", "Bands: x < 20, x >= 20")
        self.wait(lambda: len(self.browser.find_elements("css selector", '.chart rect[fill="#AD0C00"]')) > 0, "the colour of the first band")
        self.picture("mintee-analysis-bands")
        self.on_a_phone("analysis")

    def test_an_analysis_is_deleted_and_comes_back(self):
        self.click(self.row("Sport") + " .danger")
        self.shows("#hub-toast", "Sport is in the trash.")
        self.wait_equal(self.listed, ["Health", "Mind"])
        self.press("u")
        self.wait_equal(self.listed, ["Health", "Mind", "Sport"])
        self.browser.get(hub("web", "mintee:" + analyses()["Health"]["id"]).strip())
        self.refusals = [404]
        self.wait_equal(self.heading, "Health")

    def test_a_change_elsewhere_appears(self):
        mintee("analyses", "edit", "Health", "--name", "Body")
        self.wait_equal(self.charts, ["Body", "Mind"])

    def test_the_theme_is_chosen_and_stays(self):
        self.press(",")
        self.wait_equal(self.heading, "Settings")
        self.shows("#view", "All rules hold.")
        self.click('label[for="theme-Jungle"]')
        self.shows("#hub-toast", "Theme set to Jungle.")
        self.assertEqual(mintee("theme").strip(), "Jungle")
        self.browser.refresh()
        self.wait(lambda: self.theme() == "Jungle", "the theme again")
        mintee("theme", "Ocean")
        self.wait(lambda: self.theme() == "Ocean", "the theme of the command")
        self.wait(lambda: self.one("#theme-Ocean").is_selected(), "the mark on it")
        self.in_all_looks("settings", [".theme strong", ".theme .hint", ".swatch .accent", ".swatch .panel", ".swatch .item"])
        self.on_a_phone("settings")
        self.assertEqual(self.theme(), THEMES[0])


if __name__ == "__main__":
    run()
