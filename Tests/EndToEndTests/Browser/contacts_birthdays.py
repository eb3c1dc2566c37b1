"""Birthdays, as a person looks at them."""

import datetime

from selenium.webdriver.common.keys import Keys

from contacts_page import ContactsPage, made
from page import hub, run


class BirthdaysPage(ContactsPage):
    @classmethod
    def setUpClass(cls):
        today = datetime.datetime.now(datetime.timezone.utc).date()
        soon, later = today + datetime.timedelta(days=2), today + datetime.timedelta(days=60)
        made("Ada Soon", f"birthday=1985-{soon:%m-%d}" if f"{soon:%m-%d}" != "02-29" else "birthday=1984-02-29")
        made("Bea Later", f"birthday=--{later:%m-%d}")
        super().setUpClass()

    def people(self):
        return [item.text for item in self.browser.find_elements("css selector", ".people-rows strong")]

    def test_the_coming_ones_are_listed_and_lead_to_the_person(self):
        self.press("b")
        self.wait_equal(self.people, ["Ada Soon"])
        self.shows(".people-rows", "turns ")
        self.click(".chips button:nth-child(3)")
        self.wait_equal(self.people, ["Ada Soon", "Bea Later"])
        self.assertIn("days=90", self.browser.current_url)
        for name in ["light", "dark"]:
            self.scheme(name)
            self.assert_readable([".people-rows time", ".people-rows strong", ".people-rows .hint", ".month-head", "button.chip"], f"in {name}")
            self.picture("birthdays-" + name)
        self.press("j", Keys.ENTER)
        self.shows("#details h2", "Ada Soon")
        self.browser.back()
        self.wait_equal(self.people, ["Ada Soon", "Bea Later"])
        self.press("j", "j", Keys.ENTER)
        self.shows("#details h2", "Bea Later")

    def test_it_fits_a_phone(self):
        self.resize(360, 740)
        self.click(".views a[href*='birthdays']")
        self.wait_equal(self.people, ["Ada Soon"])
        self.assert_fits(360)
        self.picture("birthdays-phone")
        self.click(".view-head .back")
        self.wait(lambda: self.one("#list").is_displayed(), "the list")

    def test_it_shows_what_the_command_shows(self):
        self.open("?view=birthdays&days=366")
        listed = [line for line in hub("contacts", "birthdays", "--days", "366", "--plain=name").splitlines() if line]
        self.wait_equal(self.people, listed)


if __name__ == "__main__":
    run()
