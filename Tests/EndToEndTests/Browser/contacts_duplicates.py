"""Duplicates: why, merge, not duplicates, undo."""

from selenium.webdriver.common.keys import Keys

from contacts_page import ContactsPage, contacts, made, shown
from page import hub, run


class DuplicatesPage(ContactsPage):
    def setUp(self):
        ids = [row["id"] for row in contacts() if row["name"].startswith("Ada")]
        if ids:
            hub("contacts", "rm", *ids, "--yes")
        self.first = made("Ada Lovelace", "email.home=ada@lovelace.example", "phone.mobile=+44 20 1234567", "title=Countess")
        self.second = made("Ada Lovelace", "email.work=ada@lovelace.example", "title=Dr", "note=poet")
        super().setUp()

    def look(self):
        self.press(Keys.ESCAPE)
        self.wait(lambda: self.focus_is_in("#list"), "the list")
        self.press("d")
        self.wait(lambda: self.cards() == 1, "the group")

    def cards(self):
        return len(self.browser.find_elements("css selector", ".duplicates > .card"))

    def live(self):
        return {row["id"] for row in contacts()} & {self.first, self.second}

    def test_it_says_why_and_what_merging_would_do(self):
        self.look()
        self.shows(".card", "same e-mail ada@lovelace.example")
        self.click(".card summary")
        self.shows(".card details", "title keeps")
        self.picture("duplicates")
        self.assert_readable([".card p", ".card label span", ".card summary", ".card .main"], "in light")
        self.scheme("dark")
        self.assert_readable([".card p", ".card label span", ".card summary", ".card .main"], "in dark")
        self.picture("duplicates-dark")
        self.resize(360, 740)
        self.assert_fits(360)
        self.picture("duplicates-phone")

    def test_the_one_that_was_chosen_stays(self):
        self.look()
        self.wait(lambda: self.one(".members li:nth-child(2) input").click() is None, "the other one")
        stays = self.value(".members li:nth-child(2) input")
        self.click(".card .main")
        self.shows("#hub-toast", "Merged Ada Lovelace into Ada Lovelace")
        self.wait(lambda: self.cards() == 0, "no group")
        self.assertEqual(self.live(), {stays})
        self.assertEqual(shown(stays)["note"], "poet")
        self.assertEqual(len(shown(stays)["phones"]), 1)
        self.press("u")
        self.wait(lambda: self.cards() == 1, "the group again")
        self.assertEqual(len(self.live()), 2)

    def test_the_keyboard_merges_and_undoes(self):
        self.look()
        self.press("j")
        self.wait(lambda: self.focus_is_in(".card"), "the group")
        self.press("m")
        self.shows("#hub-toast", "Merged ")
        self.wait(lambda: len(self.live()) == 1, "the merge")
        self.press("u")
        self.wait(lambda: len(self.live()) == 2, "both again")

    def test_they_can_be_called_different_people(self):
        self.look()
        self.press("j", "x")
        self.shows("#hub-toast", "Marked as different people: Ada Lovelace, Ada Lovelace.")
        self.wait(lambda: self.cards() == 0, "no group")
        self.shows("#details", "No duplicates.")
        self.assertEqual(len(self.live()), 2)
        self.press("u")
        self.wait(lambda: self.cards() == 1, "the group again")


if __name__ == "__main__":
    run()
