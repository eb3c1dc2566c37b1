"""New, edit, delete and undo, as a person uses them."""

import os

from selenium.webdriver.common.keys import Keys

from contacts_page import ContactsPage, contacts, made, shown
from page import hub, run

NAME, BIRTHDAY, NOTE = ('[data-field="name"] input', '[data-field="birthday"] input', '[data-field="note"] textarea')
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


class EditPage(ContactsPage):
    def edit(self, identifier):
        self.open("?id=" + identifier + "&view=edit")
        self.wait(lambda: self.one("form.contact").is_displayed(), "the form")

    def test_a_new_contact_with_every_usual_field(self):
        # The page looks for the contact that the undo took away.
        self.refusals = [404]
        self.click(".views a[href*='new']")
        self.fill(NAME, "Grace Hopper")
        self.fill(PHONE, "+1 212 555 0100")
        self.fill('[data-field="phone"] .kind', "work")
        self.click('[data-field="phone"] > button')
        self.fill('[data-field="phone"] .row:nth-child(2) .kind', "boat house")
        self.fill('[data-field="phone"] .row:nth-child(2) .cell input', "+1 212 555 0199")
        self.fill(EMAIL, "grace@example.org")
        for place, words in enumerate(["1 Navy Yard", "20374 Washington", "", "USA"], 1):
            self.fill(f'[data-field="address"] .cell:nth-child({place}) input', words)
        self.fill(BIRTHDAY, "9 Dec 1906")
        self.fill('[data-field="org"] input', "US Navy; Research")
        self.fill('[data-field="tag"] input', "compilers, friends")
        self.fill(NOTE, "Found a moth.\nKept it.")
        self.picture("new")
        self.click("form.contact .main")
        self.shows("#details h2", "Grace Hopper")
        self.shows("#hub-toast", "Grace Hopper is new.")
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
        self.shows("#hub-toast", "Undone.")
        self.wait(lambda: "Grace Hopper" not in [row["name"] for row in contacts()], "the undo")

    def test_a_key_counts_as_soon_as_it_is_offered(self):
        identifier = made("Emmy Noether", "note=algebra")
        self.edit(identifier)
        self.fill(NOTE, "rings")
        self.hold()
        # The focus stays in the field.
        self.chord(Keys.ENTER)
        self.shows("#hub-toast", "Undo")
        self.assertTrue(self.one("form.contact").is_displayed(), "the form is still seen")
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
        self.click("form.contact .main")
        self.shows("#hub-toast", "Rózsa Péter: phone mobile +36 20 765 4321.")
        after = hub("contacts", "show", identifier, "--as", "vcard").splitlines()
        changed = [line for line in after if line not in before and not line.startswith("REV")]
        self.assertEqual(len(changed), 1, changed)
        self.edit(identifier)
        self.click("form.contact .main")
        self.shows("#hub-toast", "nothing changed")

    def test_what_a_field_cannot_show_keeps_its_bytes(self):
        path = os.path.join(os.environ["HOME"], "odd.vcf")
        with open(path, "w", newline="") as file:
            file.write(ODD)
        hub("contacts", "import", path)
        identifier = next(row["id"] for row in contacts() if row["name"] == "Odd One")
        self.edit(identifier)
        self.assertEqual(self.value('[data-field="title"] input'), "firstsecond")
        self.fill(NOTE, "touched")
        self.click("form.contact .main")
        self.shows("#hub-toast", "Odd One: note touched.")
        after = hub("contacts", "show", identifier, "--as", "vcard").splitlines()
        for line in ODD.splitlines():
            self.assertIn(line, after)

    def test_a_wrong_date_is_told_at_its_field_and_nothing_is_lost(self):
        self.refusals = [422]
        self.open("?view=new")
        self.fill(NAME, "Emmy Noether")
        self.fill(BIRTHDAY, "31.02.1985")
        self.fill(EMAIL, "emmy")
        self.fill(NOTE, "rings")
        self.click("form.contact .main")
        self.shows('[data-field="birthday"] .problem', "February 1985 has 28 days")
        self.shows('[data-field="email"] .problem', "not an e-mail address")
        self.assertEqual(self.one(BIRTHDAY).get_attribute("aria-invalid"), "true")
        told_by = self.one(BIRTHDAY).get_attribute("aria-describedby").split()[0]
        self.assertIn("1985-02-28", self.one("#" + told_by).text)
        self.wait(lambda: self.focus_is_in('[data-field="email"]'), "the focus on the first of them")
        self.picture("invalid")
        self.assertEqual([self.value(field) for field in (NAME, BIRTHDAY, EMAIL, NOTE)],
                         ["Emmy Noether", "31.02.1985", "emmy", "rings"])
        self.fill(BIRTHDAY, "23.03.1882")
        self.fill(EMAIL, "emmy@example.org")
        self.wait(lambda: not self.browser.find_elements("css selector", ".cell .problem"), "no mark on what was mended")
        self.click("form.contact .main")
        self.shows("#details", "1882-03-23")

    def test_a_nameless_contact_is_refused_at_the_name(self):
        self.refusals = [422]
        self.open("?view=new")
        self.click("form.contact .main")
        self.shows('[data-field="name"] .problem', "a contact needs a name")

    def test_a_stale_edit_shows_what_changed_and_goes_on(self):
        self.refusals = [409]
        identifier = made("Sofia Kovalevskaya", "phone.mobile=+46 8 100", "note=waves", "title=Dr")
        self.edit(identifier)
        self.fill(NOTE, "waves and tops")
        hub("contacts", "set", identifier, "phone.work+=+46 8 200", "note=gyroscopes", "title=Professor")
        self.click("form.contact .main")
        self.shows(".newer", "changed elsewhere meanwhile")
        self.shows(".newer", "gyroscopes")
        self.picture("stale")
        self.assertEqual(self.value(NOTE), "waves and tops")
        self.assertEqual(self.value('[data-field="title"] input'), "Professor")
        self.assertEqual(self.value('[data-field="phone"] .row:nth-child(2) .cell input'), "+46 8 200")
        self.click("form.contact .main")
        self.shows("#details", "waves and tops")
        contact = shown(identifier)
        self.assertEqual((contact["note"], contact["title"]), ("waves and tops", "Professor"))
        self.assertEqual([phone["value"] for phone in contact["phones"]], ["+46 8 100", "+46 8 200"])

    def test_theirs_can_be_taken_instead(self):
        self.refusals = [409]
        identifier = made("Ada King", "note=one")
        self.edit(identifier)
        self.fill(NOTE, "two")
        hub("contacts", "set", identifier, "note=three")
        self.click("form.contact .main")
        self.click(".newer button")
        self.wait_equal(lambda: self.value(NOTE), "three")
        self.click("form.contact .main")
        self.shows("#hub-toast", "nothing changed")

    def test_leaving_a_changed_form_asks(self):
        identifier = made("Maryam Mirzakhani")
        self.open("?id=" + identifier)
        self.wait(lambda: "Maryam" in self.details(), "the details")
        self.click("#details .button")
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

    def test_delete_acts_at_once_and_undo_brings_back(self):
        identifier = made("Hypatia")
        self.open("?id=" + identifier)
        self.wait(lambda: "Hypatia" in self.details(), "the details")
        self.click("#details .danger")
        self.shows("#hub-toast", "Hypatia is in the trash.")
        self.wait(lambda: "Hypatia" not in self.names(), "the list without her")
        self.assertNotIn(identifier, [row["id"] for row in contacts()])
        self.picture("deleted")
        self.click("#hub-toast button")
        self.shows("#hub-toast", "Undone.")
        self.wait(lambda: "Hypatia" in self.names(), "the list with her")
        self.click("#hub-toast button")
        self.shows("#hub-toast", "Redone.")
        self.wait(lambda: "Hypatia" not in self.names(), "the list without her again")

    def test_an_undo_that_cannot_be_done_says_why(self):
        self.refusals = [409]
        identifier = made("Theano")
        self.edit(identifier)
        self.fill(NOTE, "first")
        self.click("form.contact .main")
        self.shows("#hub-toast", "note first")
        hub("contacts", "set", identifier, "note=second")
        self.press("u")
        self.shows("#hub-toast", "Not done:")
        self.assertEqual(shown(identifier)["note"], "second")

    def test_the_keyboard_alone_makes_edits_and_removes(self):
        self.wait_equal(self.focused, "query")
        self.press(Keys.ESCAPE)
        self.wait(lambda: self.focus_is_in("#list"), "the list")
        self.press("n")
        self.wait(lambda: self.focus_is_in('[data-field="name"]'), "the name")
        self.press("Ada Byron", Keys.TAB, "mobile", Keys.TAB, "+44 20 7946 0001")
        self.picture("keyboard-new")
        self.browser.switch_to.active_element.send_keys(Keys.CONTROL, Keys.ENTER)
        self.shows("#details h2", "Ada Byron")
        self.shows("#details", "+44 20 7946 0001")
        self.wait_equal(self.focused, "details")
        self.press("e")
        self.wait(lambda: self.focus_is_in('[data-field="name"]'), "the form")
        self.press(Keys.END, " King", Keys.ENTER)
        self.shows("#details h2", "Ada Byron King")
        self.press("#")
        self.shows("#hub-toast", "Ada Byron King is in the trash.")
        self.wait(lambda: self.focus_is_in("#list"), "the focus on the next one")
        self.press("u")
        self.wait(lambda: "Ada Byron King" in self.names(), "her again")
        self.press("?")
        self.wait(lambda: self.one("#help").is_displayed(), "the keys")
        self.picture("help")
        self.press(Keys.ESCAPE)
        self.wait(lambda: not self.one("#help").is_displayed(), "the page")
        first, second = self.names()[:2]
        self.press("/", Keys.ARROW_DOWN)
        self.wait_equal(self.focused, first)
        self.press("j")
        self.wait_equal(self.focused, second)
        self.press("k")
        self.wait_equal(self.focused, first)

    def test_the_form_fits_a_phone_and_is_readable(self):
        identifier = made("Caroline Herschel", "phone.mobile=+44 1225 1", "address.home=New King 19; BA1 Bath; ; UK",
                          "email.work=caroline.herschel@observatory.example.org", "birthday=1750-03-16")
        self.resize(360, 740)
        for name in ["light", "dark"]:
            self.scheme(name)
            self.edit(identifier)
            self.assert_fits(360)
            self.assert_readable(["form.contact label", "form.contact legend", "form.contact input", ".hint", ".quiet",
                                  ".main", ".main + button", "form.contact summary"], f"in {name}")
            self.picture("phone-form-" + name)


if __name__ == "__main__":
    run()
