"""The list, the search, the card and several contacts at once, as a person uses them."""

import base64
import json
import os
import re

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from contacts_page import ContactsPage, contacts, made, shown
from page import hub, luminance, run

HOSTILE = '<img src=x onerror="window.hostile=1">'


class ListPage(ContactsPage):
    def test_the_list_is_sorted_as_the_command_sorts_it_and_reaches_its_end(self):
        listed = [row["name"] for row in contacts()]
        self.assertEqual(self.names()[:10], listed[:10])
        self.shows(".count", f"{len(listed)} contacts")
        self.picture("list")
        self.browser.execute_script("document.querySelector('.list-row').focus()")
        self.press(Keys.END)
        self.wait_equal(self.focused, listed[-1])
        self.assertEqual(self.browser.execute_script(
            "return document.querySelectorAll('#list [tabindex=\"0\"]').length"), 1, "one tab stop")

    def test_search_as_you_type_finds_and_counts_what_the_command_finds(self):
        for words in ["lukasz", "234 567", "example.org", "person 1", "ŁUK"]:
            found = [row["name"] for row in json.loads(hub("contacts", "search", words, "--json"))]
            self.search(words)
            self.wait_equal(lambda: self.names()[:8], found[:8])
            self.wait_equal(self.count, "1 match" if len(found) == 1 else f"{len(found)} matches")
            self.assertIn("q=", self.browser.current_url)
        self.picture("search")

    def test_a_search_without_hits_says_so(self):
        self.search("qqqq")
        self.shows("#list-state", "No contact matches “qqqq”")
        self.browser.get(self.home + "?q=qqqq")
        self.shows("#list-state", "No contact matches “qqqq”")
        self.shows("#details", "No contact selected")
        self.assertEqual(self.names(), [])

    def test_a_contact_is_a_card_in_words(self):
        self.search("nowak")
        self.wait_equal(self.names, ["Łukasz Nowak"])
        self.click(".list-row")
        self.shows("#details h2", "Łukasz Nowak")
        self.assertEqual(self.line("Mobile"), "+48 601 234 567")
        self.assertEqual(self.line("Home e-mail"), "lukasz@nowak.pl")
        self.assertRegex(self.line("Birthday"), r"31.*1985.*\(\d\d years old\)")
        self.assertIn("ul. Długa 5\n80-827 Gdańsk", self.line("Home address"))
        self.assertIn("Zakład Testów · Research", self.details())
        self.assertEqual([chip.text for chip in self.browser.find_elements(By.CSS_SELECTOR, ".contact-head .chip")], ["friends"])
        self.assertEqual(self.one("#details .line a[href^='tel:']").get_attribute("href"), "tel:+48601234567")
        self.assertEqual([it.text for it in self.browser.find_elements(By.CSS_SELECTOR, ".round-action")], ["Call", "Message", "E-mail", "Map"])
        self.assertEqual(self.browser.title, "Łukasz Nowak · Contacts")
        self.picture("details")
        self.browser.back()
        self.shows("#details", "No contact selected")

    def test_a_group_is_shown_as_a_group(self):
        hub("contacts", "groups", "new", "Zither players", made("Zenon Zither"))
        self.search("zither players")
        self.wait_equal(self.names, ["Zither players"])
        self.shows(".list-row .subtitle", "Group")
        self.assertTrue(self.one(".list-row .avatar svg").is_displayed())
        for _ in range(2):
            hub("undo")

    def test_members_are_added_to_a_group_and_removed(self):
        identifiers = [made("Ygor Yes"), made("Ygor Also")]
        self.open("?q=ygor")
        self.wait_equal(lambda: len(self.names()), 2)
        self.click("[data-index='0'] .pick")
        self.click("[data-index='1'] .pick")
        self.click(".selection-bar [aria-label='Add to a group']")
        self.wait(lambda: self.focus_is_in("#grouping"), "the question")
        fields = self.browser.find_elements("css selector", "#grouping select")
        if fields:
            fields[0].send_keys("New group")
        self.fill("#grouping input", "Yodellers")
        self.picture("contacts-grouping")
        self.click("#grouping .main")
        self.shows("#hub-toast", "2 contacts added to Yodellers.")
        [group] = [row for row in json.loads(hub("contacts", "groups", "--json")) if row["name"] == "Yodellers"]
        self.open("?id=" + group["id"])
        self.shows(".group-members h3", "2 members")
        self.click(".group-members [aria-label='Remove Ygor Also from the group']")
        self.shows("#hub-toast", "Ygor Also removed from Yodellers.")
        self.shows(".group-members h3", "1 member")
        self.chord("z")
        self.shows(".group-members h3", "2 members")
        hub("contacts", "rm", group["id"], *identifiers, "--yes")

    def test_the_address_names_the_contact(self):
        contact = json.loads(hub("contacts", "search", "nowak", "--json"))[0]
        self.open("?id=" + contact["id"])
        self.shows("#details", "lukasz@nowak.pl")
        self.browser.get(hub("web", "contacts:" + contact["id"]).strip())
        self.shows("#details", "lukasz@nowak.pl")

    def test_a_change_by_a_command_appears_by_itself_and_moves_nothing(self):
        self.search("zofia")
        self.wait_equal(self.names, [])
        identifier = made("Zofia Nowa", "phone=+48 22 111 22 33", "note=one line")
        self.wait_equal(self.names, ["Zofia Nowa"])
        self.click(".list-row")
        self.shows("#details", "+48 22 111 22 33")
        self.browser.execute_script("getSelection().selectAllChildren(document.querySelector('.line dd'))")
        hub("contacts", "set", identifier, "note=met on the train")
        self.shows("#details", "met on the train")
        self.assertEqual(self.browser.execute_script("return String(getSelection()).trim()"), "+48 22 111 22 33")
        hub("contacts", "rm", identifier, "--yes")
        self.wait_equal(self.names, [])
        self.shows("#details", "In the trash since")
        self.click(".callout button")
        self.shows("#hub-toast", "Zofia Nowa restored.")
        self.wait_equal(self.names, ["Zofia Nowa"])
        hub("contacts", "rm", identifier, "--yes")

    def test_a_link_leads_to_a_member_and_a_web_page(self):
        path = os.path.join(os.environ["HOME"], "club.vcf")
        with open(path, "w") as file:
            file.write("BEGIN:VCARD\nVERSION:4.0\nUID:urn:uuid:a1\nFN:Member One\nEMAIL:one@example.org\nURL:https://example.org/one\nX-TEA:oolong\nEND:VCARD\n"
                       "BEGIN:VCARD\nVERSION:4.0\nKIND:group\nFN:The Club\nMEMBER:urn:uuid:a1\nEND:VCARD\n")
        hub("contacts", "import", path)
        identifier = next(row["id"] for row in contacts() if row["name"] == "The Club")
        self.open("?id=" + identifier)
        self.shows("#details h2", "The Club")
        self.shows(".group-members h3", "1 member")
        self.assertEqual(self.one(".group-members li a").text.split("\n")[-1], "Member One")
        self.assertEqual(self.one(".round-action").get_attribute("href"), "mailto:one@example.org", "all members at once")
        self.click(".group-members li a")
        self.shows("#details h2", "Member One")
        page = self.one(".line a[href^='https:']")
        self.assertEqual((page.get_attribute("href"), page.text), ("https://example.org/one", "example.org/one"))
        self.assertFalse(self.one("#details details").get_attribute("open"), "raw fields are folded")
        self.click("#details details summary")
        self.assertEqual(self.line("Tea"), "oolong")

    def test_the_keyboard_does_everything(self):
        first, second = self.names()[:2]
        self.press("j")
        self.wait_equal(self.focused, first)
        self.press(Keys.ARROW_DOWN)
        self.wait_equal(self.focused, second)
        self.press(Keys.ENTER)
        self.wait_equal(self.focused, second)
        self.wait(lambda: self.focus_is_in("#details h2"), "the heading")
        self.press(Keys.ESCAPE)
        self.shows("#details", "No contact selected")
        self.wait_equal(self.focused, second)
        self.press("f")
        self.wait_equal(self.focused, "query")
        self.press("nowak", Keys.ENTER)
        self.shows("#details", "lukasz@nowak.pl")
        self.press(Keys.ESCAPE)
        self.wait_equal(self.focused, "Łukasz Nowak")
        self.press(Keys.ESCAPE)
        self.wait_equal(lambda: self.names()[:2], [first, second])
        self.assertEqual(self.value("#query"), "")

    def test_a_move_while_the_list_is_read_is_not_taken_back(self):
        first, second = self.names()[:2]
        self.press("j")
        self.wait_equal(self.focused, first)
        self.hold()
        self.add("Zzz Last")
        self.wait(lambda: self.held("/contacts/rows"), "news to be read")
        self.press(Keys.ARROW_DOWN)
        self.wait_equal(self.focused, second)
        self.release()
        self.shows(".count", f"{len(contacts())} contacts")
        self.assertEqual(self.focused(), second)

    def test_a_leap_while_the_list_is_read_is_not_taken_back(self):
        self.wait_equal(lambda: self.browser.execute_script("return document.querySelectorAll('.list-row.waiting').length"), 0)
        last = contacts()[-1]["name"]
        self.press("j", Keys.END)
        self.wait_equal(self.focused, last)
        self.press(Keys.HOME)
        self.hold()
        self.add("Aaa Aaa")
        self.wait(lambda: self.held("/contacts/rows"), "news to be read")
        self.press(Keys.END)
        self.wait_equal(self.focused, last)
        self.release()
        self.shows(".count", f"{len(contacts())} contacts")
        self.assertEqual(self.focused(), last)

    def test_a_selection_grows_from_where_it_began_although_a_row_came_above(self):
        _, second, third = self.names()[:3]
        self.press("j", Keys.ARROW_DOWN)
        self.wait_equal(self.focused, second)
        self.add("Aaa Aaa")
        self.shows(".count", f"{len(contacts())} contacts")
        ActionChains(self.browser).key_down(Keys.SHIFT).send_keys(Keys.ARROW_DOWN).key_up(Keys.SHIFT).perform()
        self.shows(".selection-bar", "2 selected")
        self.assertEqual(self.browser.execute_script(
            "return [...document.querySelectorAll('.list-row[aria-selected=true] .title')].map((it) => it.textContent)"), [second, third])

    def add(self, name):
        """A contact for the rest of the test."""
        identifier = made(name)
        self.addCleanup(hub, "contacts", "rm", identifier, "--yes")

    def test_keys_act_at_once_on_a_fresh_page(self):
        self.press("?")
        self.shows("#help", "New contact")
        self.picture("help")
        self.press(Keys.ESCAPE)
        self.press("n")
        self.wait(lambda: self.focus_is_in('[data-field="name"]'), "the form")

    def test_tags_filter_the_list(self):
        self.click(".list-tools .menu-button")
        self.wait(lambda: self.focus_is_in("[role=menuitemradio]"), "the menu")
        self.press("f", Keys.ENTER)
        self.wait_equal(self.names, ["Łukasz Nowak"])
        self.assertIn("tag=friends", self.browser.current_url)
        self.click(".list-tools .icon-button")
        self.wait(lambda: len(self.names()) > 5, "all of them")

    def test_several_are_tagged_deleted_and_brought_back(self):
        first, second = [made(name) for name in ("Quux One", "Quux Two")]
        self.search("quux")
        self.wait_equal(self.names, ["Quux One", "Quux Two"])
        self.click("[data-index='0'] .pick")
        ActionChains(self.browser).key_down(Keys.SHIFT).click(self.one("[data-index='1']")).key_up(Keys.SHIFT).perform()
        self.shows(".selection-bar", "2 selected")
        self.picture("selection")
        self.click(".selection-bar [aria-label='Change tags']")
        self.wait(lambda: self.focus_is_in("#tagging"), "the dialog")
        self.press("choir", Keys.ENTER)
        self.click("#tagging .main")
        self.shows("#hub-toast", "Tags of 2 contacts changed.")
        self.assertEqual([shown(it)["tags"] for it in (first, second)], [["choir"], ["choir"]])
        self.click(".selection-bar [aria-label='Delete']")
        self.shows("#hub-toast", "2 contacts moved to the trash.")
        self.wait(lambda: "Quux One" not in self.names(), "the list without them")
        self.press("u")
        self.wait(lambda: "Quux One" in self.names(), "the list with them")
        self.press("u")
        self.wait_equal(lambda: shown(first)["tags"], [])
        hub("contacts", "rm", first, second, "--yes")

    def test_a_held_key_deletes_one_and_undoes_one(self):
        for name in ("Quux One", "Quux Two", "Quux Three"):
            made(name)
        self.search("quux")
        self.wait(lambda: len(self.names()) == 3, "the three")
        self.click("[data-index='0']")
        self.shows("#details h2", "Quux")
        self.browser.execute_script("document.querySelector('[data-index=\"0\"]').focus()")
        self.hold_key("#")
        self.shows("#hub-toast", "moved to the trash.")
        self.wait(lambda: len(self.names()) == 2, "two of them")
        hub("contacts", "new", "Quux Four")
        self.wait(lambda: len(self.names()) == 3, "the new one")
        self.hold_key("u")
        self.wait(lambda: len(self.names()) == 4, "the deleted one, and the new one still")
        # A key that moves acts again and again.
        self.browser.execute_script("document.querySelector('[data-index=\"0\"]').focus()")
        self.hold_key("j", 2)
        self.wait_equal(self.focused, self.names()[3])
        hub("contacts", "rm", *[row["id"] for row in contacts() if row["name"].startswith("Quux")], "--yes")

    def test_paper_has_the_rows_and_no_blank_pages(self):
        self.wait(lambda: len(self.names()) > 5, "the list")
        pages = len(re.findall(rb"/Type\s*/Page\b", base64.b64decode(self.browser.print_page())))
        self.assertIn(pages, range(3, 12), "pages for the rows that were read")
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        self.browser.execute_script("dispatchEvent(new Event('beforeprint'))")
        rows = self.browser.execute_script("""
            return [...document.querySelectorAll(".windowed > *")].map((it) => [it.getBoundingClientRect().top, it.getBoundingClientRect().bottom, it.textContent])
              .sort(([one], [other]) => one - other)""")
        self.browser.execute_script("dispatchEvent(new Event('afterprint'))")
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        self.assertGreater(len(rows), 100)
        self.assertTrue(all(before[1] <= after[0] + 0.5 for before, after in zip(rows, rows[1:])), "no row lies on another")
        # A name that begins with no letter is before all of them.
        letter = [row[2] for row in rows].index("A")
        self.assertIn("Anna Lukasz", rows[letter + 1][2], "each letter is before its rows")

    def test_a_phone_shows_one_pane_at_a_time(self):
        self.resize(360, 740)
        self.assertFalse(self.one("#details").is_displayed())
        self.assert_fits(360)
        self.picture("phone-list")
        self.search("nowak")
        self.wait_equal(self.names, ["Łukasz Nowak"])
        self.click(".list-row")
        self.shows("#details", "lukasz@nowak.pl")
        self.assertFalse(self.one("#list").is_displayed())
        self.assertGreaterEqual(self.one(".contact .back").size["height"], 44)
        self.picture("phone-details")
        self.assert_fits(360)
        self.click(".contact .back")
        self.wait(lambda: self.one("#list").is_displayed(), "the list again")

    def test_dark_and_light_are_both_readable(self):
        papers = []
        for name in ["light", "dark"]:
            self.scheme(name)
            self.search("nowak")
            self.wait_equal(self.names, ["Łukasz Nowak"])
            self.press(Keys.ENTER)
            self.shows("#details", "lukasz@nowak.pl")
            papers.append(luminance(self.style("html", "backgroundColor")))
            self.assert_readable(
                [".list-row .title", ".list-row .subtitle", ".avatar", "#details h2", "#details dt", "#details dd a", ".count", ".work", ".chip",
                 "#query", ".views a", ".button", "#new .button", ".round-action"], f"in {name}")
            self.picture(name)
        self.assertGreater(papers[0], 0.8)
        self.assertLess(papers[1], 0.1)

    def test_a_hostile_name_is_only_text(self):
        self.search("img")
        self.wait_equal(self.names, [HOSTILE])
        self.click(".list-row")
        self.wait(lambda: self.one("#details h2").text == HOSTILE, "the name as text")
        self.assertIsNone(self.browser.execute_script("return window.hostile ?? null"))
        self.assertEqual(self.browser.find_elements(By.CSS_SELECTOR, "main img"), [])

    def test_zz_logging_out_ends_it(self):
        self.click("#menu-button")
        self.click(".logout button")
        self.wait(lambda: "Logged out" in self.browser.title, "the last page")
        self.picture("logged-out")
        self.browser.get(self.home)
        self.assertIn("hub web", self.one("main").text)
        self.picture("login-needed")
        self.browser.get_log("browser")


if __name__ == "__main__":
    run()
