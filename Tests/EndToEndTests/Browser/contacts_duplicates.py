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
        self.press("d")
        # Until the search is over, the groups from before are shown.
        self.wait(lambda: [set(it.get_attribute("data-group").split()) for it in self.groups()] == [{self.first, self.second}], "the group")

    def groups(self):
        return self.browser.find_elements("css selector", ".duplicates > .card")

    def cards(self):
        return len(self.groups())

    def live(self):
        return {row["id"] for row in contacts()} & {self.first, self.second}

    def test_it_says_why_and_what_merging_would_do(self):
        self.look()
        self.shows(".card", "same e-mail ada@lovelace.example")
        self.click(".card summary")
        self.shows(".card details", "Title stays")
        self.picture("duplicates")
        self.assert_readable([".card p", ".card label small", ".card summary", ".card .main"], "in light")
        self.scheme("dark")
        self.assert_readable([".card p", ".card label small", ".card summary", ".card .main"], "in dark")
        self.picture("duplicates-dark")
        self.resize(360, 740)
        self.assert_fits(360)
        self.picture("duplicates-phone")

    def test_the_one_that_was_chosen_stays(self):
        self.look()
        self.wait(lambda: self.one(".members li:nth-child(2) input").click() is None, "the other one")
        stays = self.value(".members li:nth-child(2) input")
        self.click(".card .main")
        self.shows("#hub-toast", "Ada Lovelace merged into Ada Lovelace, which takes over")
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
        self.shows("#hub-toast", "merged into")
        self.wait(lambda: len(self.live()) == 1, "the merge")
        self.press("u")
        self.wait(lambda: len(self.live()) == 2, "both again")

    def test_they_can_be_called_different_people(self):
        self.look()
        self.press("j", "x")
        self.shows("#hub-toast", "Ada Lovelace and Ada Lovelace are marked as different people.")
        self.wait(lambda: self.cards() == 0, "no group")
        self.shows("#details", "No duplicates")
        self.assertEqual(len(self.live()), 2)
        self.press("u")
        self.wait(lambda: self.cards() == 1, "the group again")

    def test_a_card_goes_at_once_and_a_second_press_does_nothing(self):
        self.look()
        self.press("j")
        self.wait(lambda: self.focus_is_in(".card"), "the group")
        self.press("m", "m", "m")
        self.wait(lambda: self.cards() == 0, "no group")
        self.shows("#hub-toast", "merged into")
        self.assertEqual(len(self.live()), 1)

    def test_a_key_that_is_pressed_twice_decides_about_one_group(self):
        third, fourth = [made("Grace Hopper", "email.home=grace@hopper.example") for _ in range(2)]
        self.press("d")
        self.wait(lambda: self.cards() == 2, "both groups")
        self.press("j")
        self.wait(lambda: self.focus_is_in(".card"), "a group")
        self.press("m", "m")
        self.shows("#hub-toast", "merged into")
        self.wait(lambda: self.cards() == 1, "the other group")
        self.assertEqual(len({row["id"] for row in contacts()} & {self.first, self.second, third, fourth}), 3)
        hub("contacts", "rm", *[row["id"] for row in contacts() if row["name"] == "Grace Hopper"], "--yes")

    def test_all_very_likely_ones_are_merged(self):
        hub("contacts", "set", self.second, "title=Countess")
        self.look()
        self.click("#details .toolbar button")
        self.shows("#hub-toast", "1 contact merged into others.")
        self.wait(lambda: self.cards() == 0, "no group")
        self.chord("z")
        self.wait(lambda: len(self.live()) == 2, "both again")

    def test_a_contact_of_a_group_can_be_opened(self):
        self.look()
        self.click(".members .open")
        self.shows("#details h2", "Ada Lovelace")
        self.browser.back()
        self.wait(lambda: self.cards() == 1, "the group again")


if __name__ == "__main__":
    run()
