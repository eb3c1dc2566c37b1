"""Contacts for everybody: every view by axe-core and by hand checks, at every width, by keyboard alone and by touch alone."""

from selenium.webdriver.common.keys import Keys

from access import ViewAccess, in_every_look
from contacts_page import ContactsPage, contacts, made
from page import hub, run


class AccessPage(ViewAccess, ContactsPage):
    @classmethod
    def setUpClass(cls):
        cls.ada = made("Ada Access", "phone.mobile=+44 1", "phone.work=+44 2", "email.work=ada.access.with.a.long.address@analytical-engines.example.org",
                       "address.home=1 Street; 1000 Town; ; Land", "birthday=1990-03-04", "org=Engines; Research", "tag=friends", "note=Words https://example.org/a")
        made("Ada Access", "email=ada.access.with.a.long.address@analytical-engines.example.org")
        hub("contacts", "rm", made("Gone Person"), "--yes")
        super().setUpClass()

    def views(self):
        return [("", ".list-row .title"), ("?id=" + self.ada, ".contact h2"), (f"?id={self.ada}&view=edit", "form.form"), ("?view=new", "form.form"),
                ("?view=duplicates", ".duplicates .card"), ("?view=conflicts", "#details .state"), ("?view=birthdays&days=366", ".people-rows a"),
                ("?view=trash", ".trash a"), ("?id=nobody", "#details .state")]

    def ready(self):
        return self.browser.execute_script("return document.querySelector('main') !== null")

    def test_fields_and_placeholders_are_seen(self):
        for scheme in ("light", "dark"):
            self.scheme(scheme)
            self.visit("?view=new", "form.form")
            self.assert_edges(["#query", "form.form input", "form.form select", "form.form textarea", ".chips-box"], f"in {scheme}")
            self.assertEqual(self.browser.execute_script("return getComputedStyle(document.getElementById('query'), '::placeholder').opacity"), "1")

    def test_forced_colours_show_what_is_chosen(self):
        self.visit("?id=" + self.ada, ".contact h2")
        self.search("access")
        self.wait(lambda: self.one(".list-row[aria-current]").is_displayed(), "the chosen row")
        self.forced_colors(True)
        self.assertNotEqual(self.style(".list-row[aria-current]", "outlineStyle"), "none")
        self.click("[data-index='0'] .pick")
        self.wait(lambda: self.one("[aria-selected='true']").is_displayed(), "the selection")
        chosen, other = [self.style(it, "backgroundColor") for it in ("[aria-selected='true']", "[aria-selected='false']")]
        self.assertNotEqual(chosen, other)
        self.picture("contacts-forced")
        self.forced_colors(False)

    def test_the_focus_is_always_seen_and_never_under_the_message(self):
        self.resize(360, 740)
        self.visit("?id=" + self.ada, ".contact h2")
        self.press("e")
        self.wait(lambda: self.focus_is_in('[data-field="name"]'), "the form")
        self.press(" X", Keys.ENTER)
        self.shows("#hub-toast", "name changed")
        for _ in range(30):
            self.press(Keys.TAB)
            hidden = self.browser.execute_async_script("""
                const [done, it] = [arguments[0], document.activeElement];
                requestAnimationFrame(() => requestAnimationFrame(() => {
                  if (it === document.body || it.closest("#hub-toast")) return done(null);
                  const box = it.getBoundingClientRect();
                  const top = document.elementFromPoint(Math.min(box.x + box.width / 2, innerWidth - 1), Math.min(Math.max(box.y + Math.min(box.height / 2, 20), 0), innerHeight - 1));
                  done(top?.closest("#hub-toast") ? it.outerHTML.slice(0, 120) : null);
                }));""")
            self.assertIsNone(hidden)
        self.chord("z")
        self.shows("#hub-toast", "Undone")

    @in_every_look
    def test_the_keyboard_alone_finds_edits_and_undoes(self):
        self.visit("", ".list-row .title")
        self.press("f", "access")
        self.wait(lambda: self.names() == ["Ada Access", "Ada Access"], "what was looked for")
        self.press(Keys.ENTER)
        self.wait(lambda: self.focus_is_in("#details h2"), "the heading of the card")
        self.press("e")
        self.wait(lambda: self.focus_is_in('[data-field="name"]'), "the form")
        self.press(Keys.END, " Keys")
        self.chord(Keys.ENTER)
        self.shows("#hub-toast", "name changed")
        self.wait(lambda: self.focus_is_in("#details h2"), "the card again")
        self.chord("z")
        self.shows("#hub-toast", "Undone")
        self.press(Keys.ESCAPE)
        self.wait(lambda: "Ada Access" in self.focused(), "the list")
        self.press(Keys.ESCAPE)
        self.wait_equal(lambda: self.value("#query"), "")

    @in_every_look
    def test_touch_alone_finds_edits_selects_and_undoes(self):
        with self.fingers():
            self.visit("", ".list-row .title")
            self.touch("#query")
            self.press("access")
            self.wait(lambda: self.names() == ["Ada Access", "Ada Access"], "what was looked for")
            self.touch("[data-index='0']")
            self.wait(lambda: self.one(".contact h2").is_displayed(), "the card")
            self.touch(".head-actions .button")
            self.wait(lambda: self.one("form.form").is_displayed(), "the form")
            self.touch('[data-field="name"] input')
            self.press(Keys.END, " Tap")
            self.touch(".form-bar .main")
            self.shows("#hub-toast", "name changed")
            self.touch("#hub-toast button")
            self.shows("#hub-toast", "Undone")
            self.touch_if_shown(".contact .back")
            self.wait(lambda: self.one("[data-index='0']").is_displayed(), "the list")
            self.touch("[data-index='0'] .pick")
            self.shows(".selection-bar", "1 selected")
            self.touch("[data-index='1']")
            self.shows(".selection-bar", "2 selected")

    def test_single_letters_can_be_turned_off(self):
        self.visit("", ".list-row .title")
        self.browser.execute_script("document.documentElement.dataset.shortcuts = 'off'")
        count = len(contacts())
        self.press("j")
        self.browser.execute_script("document.querySelector('.list-row').focus()")
        self.press("#", Keys.DELETE, "n", "e", "d")
        self.press(Keys.ARROW_DOWN, Keys.ENTER)
        self.wait(lambda: self.focus_is_in("#details h2"), "the card by Enter")
        self.assertEqual(len(contacts()), count)
        self.assertNotIn("view=", self.browser.current_url)

    def test_the_page_asks_for_its_data_once(self):
        def visit():
            self.visit("?id=" + self.ada, ".contact h2")
            self.wait(lambda: self.one(".list-row .title").is_displayed(), "the list")
        self.assertLessEqual(len(self.assert_asks_once(visit)), 5)


if __name__ == "__main__":
    run()
