"""New, edit, delete and undo, as a person uses them."""

import os
import struct
import zlib

from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from contacts_page import ContactsPage, contacts, made, shown
from page import hub, run

NAME, NOTE, BIRTHDAY = ('[data-field="name"] input', '[data-field="note"] textarea', '[data-field="birthday"]')
PHONE, EMAIL = ('[data-field="phone"] .cell input', '[data-field="email"] .cell input')

# Values that the fields of a page cannot show whole.
ODD = """BEGIN:VCARD\r
VERSION:3.0\r
UID:odd\r
FN:Odd One\r
N:One;Odd;;;\r
TITLE:first\\nsecond\r
ADR;TYPE=HOME:;;Street\\; back house\\, 2nd;Town\\; North;;00-950;Land\r
TEL;TYPE=CELL: +48 1 \r
END:VCARD\r
"""


def picture():
    """A PNG of two by two pixels."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + bytes([200, 80, 40] * 2) for _ in range(2))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class EditPage(ContactsPage):
    start = None

    def choose(self, selector, value):
        self.wait(lambda: Select(self.one(selector)).select_by_value(value) is None, f"the choice {value}")

    def birthday(self, day, month, year):
        self.fill(BIRTHDAY + " .day", day)
        self.choose(BIRTHDAY + " .month", month)
        self.fill(BIRTHDAY + " .year", year)

    def edit(self, identifier):
        self.open("?id=" + identifier + "&view=edit")
        self.wait(lambda: self.one("form.form").is_displayed(), "the form")

    def test_a_new_contact_with_every_usual_field(self):
        # The page looks for the contact that the undo took away.
        self.refusals = [404]
        self.open()
        self.click("#new a")
        self.fill(NAME, "Grace Hopper")
        self.fill(PHONE, "+1 212 555 0100")
        self.choose('[data-field="phone"] select.kind', "work")
        self.click('[data-field="phone"] > button')
        self.choose('[data-field="phone"] .row:nth-child(2) select.kind', "*")
        self.press("boat house")
        self.fill('[data-field="phone"] .row:nth-child(2) .cell input', "+1 212 555 0199")
        self.fill(EMAIL, "grace@example.org")
        self.click('[data-field="address"] > button')
        for place, words in enumerate(["1 Navy Yard", "20374 Washington", "", "USA"], 1):
            self.fill(f'[data-field="address"] .cell:nth-child({place}) input', words)
        self.birthday("9", "12", "1906")
        self.fill('[data-field="org"] input', "US Navy; Research")
        self.fill('[data-field="tag"] input', "compilers, friends")
        self.press(Keys.TAB)
        self.fill(NOTE, "Found a moth.\nKept it.")
        self.picture("new")
        self.click("form.form .main")
        self.shows("#details h2", "Grace Hopper")
        self.shows("#hub-toast", "Grace Hopper added.")
        self.assertNotIn("view=", self.browser.current_url)
        contact = shown(self.browser.current_url.split("id=")[1])
        self.assertEqual(contact["phones"], [{"kind": "work", "value": "+1 212 555 0100"},
                                             {"kind": "boat house", "value": "+1 212 555 0199"}])
        self.assertEqual(contact["birthday"], "1906-12-09")
        self.assertEqual(contact["organization"], ["US Navy", "Research"])
        self.assertEqual(contact["tags"], ["compilers", "friends"])
        self.assertEqual(contact["note"], "Found a moth.\nKept it.")
        address = next(line["value"] for line in contact["form"] if line["field"] == "address")
        self.assertEqual(address, "1 Navy Yard; 20374 Washington; ; USA")
        self.press("u")
        self.shows("#hub-toast", "Undone: Grace Hopper added.")
        self.wait(lambda: "Grace Hopper" not in [row["name"] for row in contacts()], "the undo")

    def test_a_key_counts_as_soon_as_it_is_offered(self):
        identifier = made("Emmy Noether", "note=algebra")
        self.edit(identifier)
        self.fill(NOTE, "rings")
        self.hold()
        # The focus stays in the field.
        self.chord(Keys.ENTER)
        # The form is still there, or on a slow machine the word that the page waits.
        self.shows("#hub-toast", "Undo")
        self.press("u")
        self.wait(lambda: shown(identifier)["note"] == "algebra", "the undo")
        self.release()
        self.shows("#details h2", "Emmy Noether")

    def test_an_edit_changes_one_line_and_leaves_the_rest(self):
        identifier = made("Rózsa Péter", "phone.mobile=+36 20 123 4567", "address.home=Fő u. 1; 1011 Budapest; ; Hungary",
                          "note=logic")
        before = hub("contacts", "show", identifier, "--as", "vcard").splitlines()
        self.edit(identifier)
        self.assertEqual(self.value(NAME), "Rózsa Péter")
        self.assertEqual(self.value('[data-field="address"] .cell:nth-child(2) input'), "1011 Budapest")
        self.fill(PHONE, "+36 20 765 4321")
        self.click("form.form .main")
        self.shows("#hub-toast", "Rózsa Péter: phone changed.")
        after = hub("contacts", "show", identifier, "--as", "vcard").splitlines()
        changed = [line for line in after if line not in before and not line.startswith("REV")]
        self.assertEqual(len(changed), 1, changed)
        self.edit(identifier)
        self.click("form.form .main")
        self.shows("#hub-toast", "nothing changed")

    def test_a_contact_that_is_gone_is_told_where_one_looks(self):
        self.refusals = [404, 409]
        identifier = made("Gone Person")
        self.edit(identifier)
        self.fill(NOTE, "kept words")
        hub("contacts", "rm", identifier, "--yes")
        self.click("form.form .main")
        self.wait(lambda: self.focus_is_in(".summary"), "the focus")
        self.assertTrue(self.browser.execute_script(
            "const box = document.querySelector('.summary').getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight"))
        self.assertEqual(self.value(NOTE), "kept words")

    def test_a_birthday_without_a_year_and_one_in_words(self):
        identifier = made("Bea Day", "birthday=--05-17")
        self.edit(identifier)
        self.assertEqual([self.value(f"{BIRTHDAY} .{part}") for part in ("day", "month", "year")], ["17", "5", ""])
        self.birthday("18", "6", "")
        self.click("form.form .main")
        self.shows("#hub-toast", "birthday changed")
        self.assertEqual(shown(identifier)["birthday"], "--06-18")

    def test_what_a_field_cannot_show_keeps_its_bytes(self):
        path = os.path.join(os.environ["HOME"], "odd.vcf")
        with open(path, "w", newline="") as file:
            file.write(ODD)
        hub("contacts", "import", path)
        identifier = next(row["id"] for row in contacts() if row["name"] == "Odd One")
        self.edit(identifier)
        self.assertEqual(self.value('[data-field="title"] input'), "firstsecond")
        self.fill(NOTE, "touched")
        self.click("form.form .main")
        self.shows("#hub-toast", "Odd One: note changed.")
        after = hub("contacts", "show", identifier, "--as", "vcard").splitlines()
        for line in ODD.splitlines():
            self.assertIn(line, after)

    def test_a_wrong_date_is_told_at_its_field_and_nothing_is_lost(self):
        self.refusals = [422]
        self.open("?view=new")
        self.fill(NAME, "Emmy Noether")
        self.birthday("31", "2", "1985")
        self.fill(EMAIL, "emmy")
        self.fill(NOTE, "rings")
        self.click("form.form .main")
        self.shows('[data-field="birthday"] .problem', "February 1985 has 28 days")
        self.shows('[data-field="email"] .problem', "Not an e-mail address")
        day = BIRTHDAY + " .day"
        self.wait(lambda: self.one(day).get_attribute("aria-invalid") == "true", "the day marked as invalid")
        told_by = self.one(day).get_attribute("aria-describedby").split()[0]
        self.assertIn("28 days", self.one("#" + told_by).text)
        self.shows(".summary", "E-mail: ")
        self.shows(".summary", "Birthday: ")
        self.wait(lambda: self.focus_is_in('[data-field="email"]'), "the focus on the first of them")
        self.picture("invalid")
        self.assertEqual([self.value(field) for field in (NAME, EMAIL, NOTE, day)], ["Emmy Noether", "emmy", "rings", "31"])
        self.birthday("23", "3", "1882")
        self.fill(EMAIL, "emmy@example.org")
        self.click("form.form .main")
        self.shows("#details h2", "Emmy Noether")
        self.assertIn("1882", self.line("Birthday"))

    def test_a_nameless_contact_is_refused_at_the_name(self):
        self.refusals = [422]
        self.open("?view=new")
        self.click("form.form .main")
        self.shows('[data-field="name"] .problem', "A contact needs a name")

    def test_a_stale_edit_shows_what_changed_and_goes_on(self):
        self.refusals = [412]
        identifier = made("Sofia Kovalevskaya", "phone.mobile=+46 8 100", "note=waves", "title=Dr")
        self.edit(identifier)
        self.fill(NOTE, "waves and tops")
        hub("contacts", "set", identifier, "phone.work+=+46 8 200", "note=gyroscopes", "title=Professor")
        self.click("form.form .main")
        self.shows(".newer", "changed elsewhere meanwhile")
        self.shows(".newer", "gyroscopes")
        self.picture("stale")
        self.assertEqual(self.value(NOTE), "waves and tops")
        self.assertEqual(self.value('[data-field="title"] input'), "Professor")
        self.assertEqual(self.value('[data-field="phone"] .row:nth-child(2) .cell input'), "+46 8 200")
        self.click("form.form .main")
        self.shows("#details", "waves and tops")
        contact = shown(identifier)
        self.assertEqual((contact["note"], contact["title"]), ("waves and tops", "Professor"))
        self.assertEqual([phone["value"] for phone in contact["phones"]], ["+46 8 100", "+46 8 200"])

    def test_theirs_can_be_taken_instead(self):
        self.refusals = [412]
        identifier = made("Ada King", "note=one")
        self.edit(identifier)
        self.fill(NOTE, "two")
        hub("contacts", "set", identifier, "note=three")
        self.click("form.form .main")
        self.click(".newer button")
        self.wait_equal(lambda: self.value(NOTE), "three")
        self.click("form.form .main")
        self.shows("#hub-toast", "nothing changed")

    def test_leaving_a_changed_form_asks(self):
        identifier = made("Maryam Mirzakhani")
        self.open("?id=" + identifier)
        self.wait(lambda: "Maryam" in self.details(), "the details")
        self.click(".contact-head .button")
        self.fill(NOTE, "surfaces")
        self.press(Keys.ESCAPE)
        self.wait(lambda: self.one("#leave").is_displayed(), "the question")
        self.picture("leave")
        self.press(Keys.ENTER)
        self.wait(lambda: not self.browser.find_elements("css selector", "#leave"), "the form again")
        self.assertEqual(self.value(NOTE), "surfaces")
        self.browser.back()
        self.wait(lambda: self.one("#leave").is_displayed(), "the question again")
        self.assertIn("view=edit", self.browser.current_url)
        self.click("#leave .danger")
        self.wait(lambda: "view=" not in self.browser.current_url, "the details")
        self.assertEqual(shown(identifier)["note"], "")

    def test_without_hub_the_form_says_so_where_one_looks(self):
        identifier = made("Kept")
        self.open(f"?id={identifier}&view=edit")
        self.fill(NOTE, "typed without hub")
        self.browser.execute_script("const { fetch } = window; window.fetch = async (...words) => { throw new TypeError('away'); }; window.back = () => { window.fetch = fetch; };")
        self.chord(Keys.ENTER)
        self.shows(".summary", "Not saved. Hub cannot be reached.")
        self.wait(lambda: self.focus_is_in(".summary"), "the focus on it")
        self.browser.execute_script("window.back()")
        self.assertEqual(self.value(NOTE), "typed without hub")
        self.chord(Keys.ENTER)
        self.wait(lambda: shown(identifier)["note"] == "typed without hub", "the saved note")
        hub("contacts", "rm", identifier, "--yes")

    def test_delete_acts_at_once_and_undo_brings_back(self):
        identifier = made("Hypatia")
        self.open("?id=" + identifier)
        self.shows("#details h2", "Hypatia")
        self.click(".contact-head .menu-button")
        self.click(".action-menu .danger")
        self.shows("#hub-toast", "Hypatia moved to the trash.")
        self.wait(lambda: "Hypatia" not in self.names(), "the list without her")
        self.assertNotIn(identifier, [row["id"] for row in contacts()])
        self.picture("deleted")
        self.press("u")
        self.shows("#hub-toast", "Undone: Hypatia")
        self.wait(lambda: identifier in [row["id"] for row in contacts()], "her again")
        self.click("#hub-toast button")
        self.shows("#hub-toast", "Redone: Hypatia")
        self.wait(lambda: identifier not in [row["id"] for row in contacts()], "the list without her again")
        self.open("?view=trash")
        self.click("[aria-label='Restore Hypatia']")
        self.shows("#hub-toast", "Hypatia restored.")
        self.wait(lambda: identifier in [row["id"] for row in contacts()], "her again")

    def test_a_picture_is_set_shown_and_removed(self):
        path = os.path.join(os.environ["HOME"], "ada.png")
        with open(path, "wb") as file:
            file.write(picture())
        identifier = made("Picture Person")
        self.open("?id=" + identifier)
        self.shows("#details h2", "Picture Person")
        self.browser.execute_script("HTMLInputElement.prototype.click = function () { window.chooser = this; }")
        self.click(".picture")
        self.wait(lambda: self.browser.execute_script("return window.chooser !== undefined"), "the file dialog")
        self.browser.execute_script("chooser.hidden = false; chooser.id = 'chooser'")
        self.one("#chooser").send_keys(path)
        self.shows("#hub-toast", "picture set")
        self.wait(lambda: self.browser.execute_script(
            "return document.querySelector('.picture img')?.naturalWidth > 0"), "the picture")
        self.assertIn("PHOTO", hub("contacts", "show", identifier, "--as", "vcard"))
        self.press("u")
        self.wait(lambda: not self.browser.find_elements("css selector", ".picture img"), "the initials")

    def test_a_dropped_file_is_imported_and_undone_at_once(self):
        self.open()
        self.browser.execute_script("""
            const files = new DataTransfer();
            files.items.add(new File(["BEGIN:VCARD\\nVERSION:4.0\\nFN:Dropped One\\nEND:VCARD\\nBEGIN:VCARD\\nFN:Broken\\n"], "people.vcf"));
            for (const type of ["dragenter", "dragover", "drop"]) document.body.dispatchEvent(new DragEvent(type, { dataTransfer: files, bubbles: true, cancelable: true }));""")
        self.shows("#hub-toast", "people.vcf: 1 new")
        self.wait(lambda: "Dropped One" in [row["name"] for row in contacts()], "the contact")
        self.press("u")
        self.wait(lambda: "Dropped One" not in [row["name"] for row in contacts()], "the undo")

    def test_the_history_says_what_changed(self):
        identifier = made("Old Person", "note=one")
        hub("contacts", "set", identifier, "note=two")
        self.open("?id=" + identifier)
        self.click(".contact-foot a")
        self.shows("#details h2", "History of Old Person")
        self.shows(".history", "Note: two")
        self.shows(".history", "Created")
        self.picture("history")
        self.press(Keys.ESCAPE)
        self.shows(".contact-head h2", "Old Person")

    def test_an_undo_that_cannot_be_done_says_why(self):
        self.refusals = [409]
        identifier = made("Theano")
        self.edit(identifier)
        self.fill(NOTE, "first")
        self.click("form.form .main")
        self.shows("#hub-toast", "note changed")
        hub("contacts", "set", identifier, "note=second")
        self.press("u")
        self.shows("#hub-toast", "Not done.")
        self.assertEqual(shown(identifier)["note"], "second")

    def test_the_keyboard_alone_makes_edits_and_removes(self):
        self.open()
        self.press("n")
        self.wait(lambda: self.focus_is_in('[data-field="name"]'), "the name")
        self.press("Ada Byron", Keys.TAB, "Engines", Keys.TAB, "m", Keys.TAB, "+44 20 7946 0001")
        self.picture("keyboard-new")
        self.chord(Keys.ENTER)
        self.shows("#details h2", "Ada Byron")
        self.assertEqual(self.line("Mobile"), "+44 20 7946 0001")
        self.wait(lambda: self.focus_is_in("#details h2"), "the heading")
        self.press("e")
        self.wait(lambda: self.focus_is_in('[data-field="name"]'), "the form")
        self.press(Keys.END, " King", Keys.ENTER)
        self.shows("#details h2", "Ada Byron King")
        self.press("#")
        self.shows("#hub-toast", "Ada Byron King moved to the trash.")
        self.wait(lambda: "Ada Byron King" not in [row["name"] for row in contacts()], "she is gone")
        # The key of undo works at once, for each change in its order.
        self.press("u")
        self.wait(lambda: "Ada Byron King" in [row["name"] for row in contacts()], "her again")
        self.press("u")
        self.wait(lambda: "Ada Byron" in [row["name"] for row in contacts()], "her first name")
        self.press("u")
        self.wait(lambda: "Ada Byron" not in [row["name"] for row in contacts()], "before she was made")

    def test_the_form_fits_a_phone_and_is_readable(self):
        identifier = made("Caroline Herschel", "phone.mobile=+44 1225 1", "address.home=New King 19; BA1 Bath; ; UK",
                          "email.work=caroline.herschel@observatory.example.org", "birthday=1750-03-16")
        self.resize(360, 740)
        for name in ["light", "dark"]:
            self.scheme(name)
            self.edit(identifier)
            self.assert_fits(360)
            self.assert_readable(["form.form label", "form.form legend", "form.form input", ".hint", ".quiet",
                                  ".main", ".form-bar .main + button", "form.form summary"], f"in {name}")
            self.picture("phone-form-" + name)


if __name__ == "__main__":
    run()
