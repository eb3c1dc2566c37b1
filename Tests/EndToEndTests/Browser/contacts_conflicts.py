"""Conflicts of a folder that is kept in step: both versions, and each decision."""

import json
import os

from selenium.webdriver.support.ui import Select

from contacts_page import ContactsPage, contacts, shown
from page import hub, run

CARD = """BEGIN:VCARD\r
VERSION:3.0\r
UID:emmy\r
FN:Emmy Noether\r
N:Noether;Emmy;;;\r
TEL;TYPE=CELL:+49 551 {phone}\r
NOTE:{note}\r
END:VCARD\r
"""


class ConflictsPage(ContactsPage):
    start = None

    @classmethod
    def setUpClass(cls):
        folder = os.path.join(os.environ["HOME"], "cards")
        os.mkdir(folder)
        cls.file = os.path.join(folder, "emmy.vcf")
        cls.write("100", "rings")
        hub("contacts", "accounts", "add", "home", folder)
        hub("contacts", "sync")
        cls.id = next(row["id"] for row in contacts() if row["name"] == "Emmy Noether")
        super().setUpClass()

    @classmethod
    def write(cls, phone, note):
        with open(cls.file + ".new", "w", newline="") as file:
            file.write(CARD.format(phone=phone, note=note))
        os.replace(cls.file + ".new", cls.file)

    def clash(self, number):
        """Changes both sides in different ways, and lets the page find it."""
        hub("contacts", "sync")
        # The daemon syncs too, and may come between the two changes; then they are no conflict.
        for _ in range(10):
            self.write(f"{number}01", f"ideals {number}")
            hub("contacts", "set", self.id, f"phone.mobile=+49 551 {number}02", f"note=here {number}")
            hub("contacts", "sync", codes=[0, 2])
            if json.loads(hub("contacts", "conflicts", "--json")):
                break
            self.write(f"{number}00", "rings")
            hub("contacts", "sync")
        self.open("?view=conflicts")
        self.shows(".card", "Emmy Noether")
        self.shows("#conflict-count", "1")

    def phones(self):
        return sorted(phone["value"] for phone in shown(self.id)["phones"])

    def test_both_versions_stand_side_by_side(self):
        self.clash(1)
        for words in ["+49 551 102", "+49 551 101", "here 1", "ideals 1"]:
            self.shows(".card table", words)
        self.shows(".card thead", "Here")
        self.shows(".card thead", "On home")
        for name in ["light", "dark"]:
            self.scheme(name)
            self.assert_readable([".card th", ".card tbody td", ".card h3 a", ".card button"], f"in {name}")
            self.picture("conflicts-" + name)
        self.resize(360, 740)
        self.assert_fits(360)
        self.picture("conflicts-phone")
        self.click(".card h3 a")
        self.shows("#details .callout", "Choose between both versions")
        self.click("#details .callout a")
        self.shows("#details h2", "Conflicts")
        self.click(".card [data-act='here']")
        self.shows("#hub-toast", "kept the version here")

    def test_what_is_here_is_kept_and_undo_asks_again(self):
        self.clash(2)
        self.press("j", "1")
        self.shows("#hub-toast", "Emmy Noether: kept the version here.")
        self.shows("#details", "No conflicts")
        self.assertEqual((self.phones(), shown(self.id)["note"]), (["+49 551 202"], "here 2"))
        self.press("u")
        self.shows(".card", "Emmy Noether")
        self.click(".card [data-act='here']")
        self.shows("#details", "No conflicts")
        hub("contacts", "sync")
        with open(self.file) as file:
            self.assertIn("+49 551 202", file.read())

    def test_what_is_there_is_taken(self):
        self.clash(3)
        self.press("j", "2")
        self.shows("#hub-toast", "used the version on home")
        self.assertEqual((self.phones(), shown(self.id)["note"]), (["+49 551 301"], "ideals 3"))
        self.wait_equal(lambda: self.one("#conflict-count").text, "")

    def test_both_are_kept(self):
        self.clash(4)
        self.click(".card [data-act='both']")
        self.shows("#hub-toast", "kept both")
        self.assertEqual(self.phones(), ["+49 551 401", "+49 551 402"])

    def test_zz_contacts_move_out_of_their_book_and_back(self):
        hub("contacts", "sync", codes=[0, 2])
        def count():
            return sum(row["contacts"] for row in json.loads(hub("contacts", "books", "list", "--json")))
        before = count()
        for choice in ["No book, only on this computer", None]:
            self.open("?id=" + self.id)
            self.wait(lambda: self.one(".contact h2").is_displayed(), "the card")
            self.click('.head-actions .menu-button')
            self.wait(lambda: self.one(".action-menu").is_displayed(), "the menu")
            self.browser.execute_script("[...document.querySelectorAll('.action-menu button')].find((it) => it.textContent === 'Move to a book…').click()")
            self.wait(lambda: self.one("#moving select").is_displayed(), "the books")
            Select(self.one("#moving select")).select_by_index(0 if choice else 1)
            self.click("#moving .main")
            self.shows("#hub-toast", "1 contact moved")
            self.wait(lambda: count() == before - (1 if choice else 0), "the other book")


if __name__ == "__main__":
    run()
