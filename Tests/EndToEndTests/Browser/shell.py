"""The frame of all pages, Today, search over everything and the settings, as a person uses them."""

import json
import os

from selenium.webdriver.common.keys import Keys

from access import Access
from page import Page, contrast, hub, luminance, run

PAGES = ["/", "/contacts", "/dictofun", "/market", "/mintee", "/notes", "/trash", "/timeline", "/settings", "/nowhere"]

# What can be done follows what was found.
RESULTS = "#hits [role=group]:not([aria-label=Actions]) .title"


class Shell(Access, Page):
    has_worker = True
    plugin = "contacts"
    start = None

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.home = "http://" + os.environ["HUB_WEB_LISTEN"]
        hub("mintee", "new", "Water", "--on", "daily: 6 <= x <= 10")
        hub("mintee", "new", "Read", "--on", "daily")

    def setUp(self):
        super().setUp()
        self.refusals = [404]

    def tearDown(self):
        super().tearDown()
        # What the tab did is not for the next test.
        self.browser.execute_script("sessionStorage.clear()")

    def ready(self):
        return self.one("h1").is_displayed()

    def go(self, path):
        self.browser.get(self.home + path)
        self.wait(self.ready, path)
        self.wait(lambda: not self.browser.find_elements("css selector", "[aria-busy]"), "the content of " + path)

    def titles(self, selector):
        return self.browser.execute_script(
            "return [...document.querySelectorAll(arguments[0])].map((it) => it.textContent)", selector)

    # Navigation

    def test_each_page_has_the_frame_and_marks_its_place(self):
        for path, place, heading in [("/", "Today", "Today"), ("/contacts", "Contacts", "Contacts"), ("/dictofun", "Voice memos", "Voice memos"), ("/mintee", "Habits", "Habits")]:
            self.go(path)
            self.assertEqual(self.titles(".places a"), ["Today", "Contacts", "Notes", "Voice memos", "Market", "Habits"])
            self.assertEqual(self.titles('.places [aria-current="page"]'), [place])
            self.assertEqual(self.titles("h1"), [heading])
        self.click('.places a[href="/"]')
        self.wait_equal(lambda: self.titles("h1"), ["Today"])

    def test_the_first_tab_stop_leads_past_the_navigation(self):
        self.go("/settings")
        self.press(Keys.TAB)
        self.assertTrue(self.focus_is_in(".skip"))
        self.press(Keys.ENTER, Keys.TAB)
        self.assertTrue(self.focus_is_in("main"))

    def test_an_unknown_page_keeps_the_navigation_and_leads_on(self):
        self.go("/nowhere")
        self.shows("h1", "Not found")
        self.assertTrue(self.one(".places").is_displayed())
        self.click("main .button")
        self.wait_equal(lambda: self.titles("h1"), ["Today"])

    def test_a_second_load_asks_only_for_the_page_and_its_data(self):
        for path in ["/", "/contacts", "/dictofun", "/mintee"]:
            self.go(path)
            self.go(path)
            loaded = self.browser.execute_script(
                "return performance.getEntriesByType('resource').filter((it) => it.transferSize > 0)"
                ".map((it) => new URL(it.name).pathname)")
            self.assertEqual([name for name in loaded if name.startswith("/static/")], [], path)
            self.assertEqual([name for name in loaded if name.endswith(".js")], [], "every module has an address of its own")

    # Search

    def test_search_finds_everything_by_the_keyboard(self):
        self.go("/settings")
        self.press("/")
        self.wait(lambda: self.focus_is_in("#search-words"), "the search")
        self.press("wat")
        self.wait(lambda: "Water" in self.titles(RESULTS), "the task")
        self.press(Keys.CONTROL, "a")
        self.press(Keys.CONTROL)
        self.fill("#search-words", "lukasz")
        self.wait_equal(lambda: sorted(self.titles(RESULTS)), ["Anna Lukasz", "Łukasz Nowak"])
        self.assertEqual(self.titles("#hits h2"), ["Contacts", "Actions"])
        first, second = self.titles(RESULTS)
        self.press(Keys.ARROW_DOWN)
        self.wait_equal(lambda: self.titles('.hit[aria-selected="true"] .title'), [second])
        self.press(Keys.ARROW_UP, Keys.ENTER)
        self.wait(lambda: "/contacts?id=" in self.browser.current_url, "the contact")

    def test_the_enter_of_an_input_method_opens_nothing(self):
        self.go("/")
        self.chord("k")
        self.wait(lambda: self.focus_is_in("#search-words"), "the search")
        self.press("nowak")
        self.wait(lambda: self.titles(RESULTS) == ["Łukasz Nowak"], "the contact")
        composing = "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true }))"
        self.browser.execute_script(composing)
        self.browser.execute_script(composing)
        self.assertNotIn("/contacts?id=", self.browser.current_url)
        self.press(Keys.ENTER)
        self.wait(lambda: "/contacts?id=" in self.browser.current_url, "the contact")

    def test_who_types_fast_gets_what_was_typed(self):
        self.go("/")
        self.chord("k")
        self.wait(lambda: self.focus_is_in("#search-words"), "the search")
        self.press("nowak", Keys.ENTER)
        self.wait(lambda: "/contacts?id=" in self.browser.current_url, "the contact")

    def test_a_search_without_hits_says_so_and_escape_ends_it(self):
        self.go("/")
        self.click(".side .find")
        self.fill("#search-words", "qqqq")
        self.shows("dialog.search .state", "Nothing matches “qqqq”.")
        self.press(Keys.ESCAPE)
        self.press(Keys.ESCAPE)
        self.wait(lambda: not self.browser.find_elements("css selector", "dialog.search"), "the page")

    # Today

    def test_today_lists_what_is_due_and_a_tick_is_undone(self):
        self.go("/")
        self.wait(lambda: {"Water", "Read"} <= set(self.titles(".due .title")), "the tasks")
        self.click('[aria-label="Read: done"]')
        self.wait(lambda: "Read" not in self.titles(".due .title"), "it is done")
        self.assertEqual(json.loads(hub("mintee", "today", "--json=name,state"))[1]["state"], "reached")
        self.shows("#hub-toast", "Read: done.")
        self.click('[data-shell="undo"]')
        self.wait(lambda: "Read" in self.titles(".due .title"), "it is open again")
        self.click('[data-shell="redo"]')
        self.wait(lambda: "Read" not in self.titles(".due .title"), "it is done again")
        hub("undo")
        self.wait(lambda: "Read" in self.titles(".due .title"), "the undo of the command")

    def test_undo_on_the_page_undoes_what_a_command_did(self):
        self.go("/")
        hub("mintee", "up", "Water", "4")
        self.wait(lambda: "4 of 6 to 10" in self.titles(".due .detail"), "the new value")
        self.chord("z")
        self.wait(lambda: "6 to 10" in self.titles(".due .detail"), "the old value")

    def test_selected_words_on_today_stay_while_other_things_change(self):
        self.go("/")
        self.wait(lambda: {"Water", "Read"} <= set(self.titles(".due .title")), "the tasks")
        self.browser.execute_script("getSelection().selectAllChildren([...document.querySelectorAll('.due .title')].find((it) => it.textContent === 'Read'))")
        hub("mintee", "up", "Water", "4")
        self.wait(lambda: "4 of 6 to 10" in self.titles(".due .detail"), "the new value")
        self.assertEqual(self.browser.execute_script("return String(getSelection())"), "Read")
        hub("undo")
        self.wait(lambda: "6 to 10" in self.titles(".due .detail"), "the old value")

    def test_each_list_of_today_is_one_tab_stop_and_keys_act_on_its_rows(self):
        self.go("/")
        self.wait(lambda: {"Water", "Read"} <= set(self.titles(".due .title")), "the tasks")
        self.assertEqual(self.browser.execute_script(
            "return [...document.querySelectorAll('.due')].map((list) => list.querySelectorAll('[tabindex=\"0\"]').length)"),
            [1] * len(self.browser.find_elements("css selector", ".due")))
        self.browser.execute_script("document.querySelector('.due a[tabindex=\"0\"]').focus()")
        self.press(Keys.ARROW_DOWN)
        self.wait(lambda: self.browser.execute_script("return document.activeElement.textContent").startswith("Read"), "the next row")
        self.press(Keys.ARROW_UP, "+")
        self.shows(".counter output", "1")
        self.shows("#hub-toast", "Water: one more.")
        self.assertTrue(self.focus_is_in(".due li"), "the focus is still on the row")
        self.press(Keys.ARROW_RIGHT)
        self.assertEqual(self.browser.execute_script("return document.activeElement.getAttribute('aria-label')"), "One less: Water")
        self.press(Keys.ENTER)
        self.shows(".counter output", "0")

    def test_sections_of_today_are_hidden_and_ordered_on_the_server(self):
        self.addCleanup(hub, "config", "set", "hub.web.today_hidden", "")
        self.addCleanup(hub, "config", "set", "hub.web.today_order", "")
        hub("notes", "new", "Seen on Today")
        self.go("/")
        self.wait(lambda: "Seen on Today" in self.titles(".due .title"), "the recent note")
        self.click("#today .head button")
        self.click('[aria-label="Move Recent notes up"]')
        self.browser.execute_script("[...document.querySelectorAll('.arranged')].find((it) => it.textContent === 'Recent notes').querySelector('input').click()")
        self.picture("arrange")
        self.click("#arrange-today .main")
        self.wait(lambda: "Seen on Today" not in self.titles(".due .title"), "the section is hidden")
        self.assertEqual(json.loads(hub("config", "get", "hub.web.today_hidden")), ["notes/recent"])
        order = json.loads(hub("config", "get", "hub.web.today_order"))
        self.assertEqual(order.index("notes/recent") + 1, order.index("contacts/coming"))

    def test_c_adds_from_any_page_what_a_plugin_declares(self):
        self.go("/settings")
        self.press("c")
        self.wait(lambda: self.focus_is_in("#add-text"), "the field")
        self.browser.execute_script("document.querySelector('.add-kind input[value=\"Task for today\"]').click()")
        self.shows('.add-kind:has(:checked)', "Task for today")
        self.fill("#add-text", "Renew the passport")
        self.press(Keys.ENTER)
        self.shows("#hub-toast", "“Renew the passport” added.")
        self.assertIn("Renew the passport", hub("mintee", "today"))
        self.chord("z")
        self.wait(lambda: "Renew the passport" not in hub("mintee", "today"), "the undo")

    def test_undo_passes_what_a_command_undid(self):
        self.refusals = [409]
        note = json.loads(hub("notes", "new", "Twice", "--json"))["id"]
        self.go("/")
        self.change("pin", {"ids": [note], "pinned": True}, "Pinned.")
        self.change("move", {"ids": [note], "folder": "work"}, "Moved.")
        hub("undo")
        self.chord("z")
        self.shows("#hub-toast", "Undone already: Moved. Undone: Pinned.")
        self.change("move", {"ids": [note], "folder": "play"}, "Moved again.")
        hub("undo")
        self.chord("z")
        self.shows("#hub-toast", "Undone already: Moved again.")
        self.assertEqual(json.loads(hub("notes", "show", note, "--json"))["title"], "Twice", "what others did stays")

    def change(self, what, value, words):
        """Changes notes as a page does."""
        self.browser.execute_async_script("""
            const [what, value, words, done] = arguments;
            import("/assets/components/undoable.js").then(({ undoable }) => undoable("POST", `/api/notes/${what}`, value, words)).then(done);""", what, value, words)

    def test_the_timeline_lists_what_everybody_did_and_undoes_it(self):
        hub("notes", "new", "By a command")
        self.go("/timeline")
        self.wait(lambda: self.titles(".due .title")[0] == "Create a note: By a command", "the command")
        self.assertIn("in a terminal", self.titles(".due .detail")[0])
        self.press("c")
        self.fill("#add-text", "By the page")
        self.press(Keys.ENTER)
        self.wait(lambda: self.titles(".due .title")[0] == "“By the page” added", "what the page said")
        self.picture("timeline")
        self.browser.execute_script("document.querySelectorAll('.due li .quiet')[1].click()")
        self.shows("#hub-toast", "Undone: Create a note: By a command")
        self.wait(lambda: "undone" in self.titles(".due .is-done .detail")[0], "it is undone")
        self.assertNotIn("By a command", hub("notes", "list"))

    def test_things_are_shown_as_they_were(self):
        identifier = json.loads(hub("contacts", "new", "Hedy Lamarr", "phone.mobile=+43 1 555", "--json"))["id"]
        before = json.loads(hub("contacts", "history", identifier, "--json"))[0]["operation"]
        hub("contacts", "set", identifier, "phone.mobile=+43 1 777", "note=frequencies")
        made = json.loads(hub("contacts", "new", "Made Later", "--json"))["id"]
        gone = json.loads(hub("contacts", "history", made, "--json"))[0]["operation"]
        # The timeline leads to what is different since.
        self.go("/timeline")
        self.wait(lambda: any("Hedy Lamarr" in title for title in self.titles(".due .title")), "the operations")
        self.browser.execute_script("[...document.querySelectorAll('.due li')].find((it) => it.textContent.includes('Create a contact: Hedy')).querySelector('.menu-button').click()")
        self.wait(lambda: self.focus_is_in("[role=menuitem]"), "the menu")
        self.assertIn("As it was at ", self.one("[role=menuitem]").text)
        self.press(Keys.ENTER)
        self.wait(lambda: self.browser.current_url.endswith("?at=" + before), "that time")
        self.shows(".earlier-items", "Made Later")
        card = self.browser.execute_script("return [...document.querySelectorAll('.earlier-items .card')].find((it) => it.textContent.includes('Hedy')).innerText")
        for words in ["Was different", "+43 1 555", "+43 1 777", "frequencies"]:
            self.assertIn(words, card)
        self.assertNotIn("Hedy Lamarr\nHedy", card, "what is the same is left out")
        self.assert_accessible("as it was")
        # The history of an item shows all of its values, and restores them.
        self.go(f"/contacts?id={identifier}&view=history")
        self.wait(lambda: len(self.browser.find_elements("css selector", ".history li")) == 2, "the history")
        self.click(".history li:last-child .actions button")
        self.shows("#earlier .earlier", "Mobile")
        self.assertEqual([it.text for it in self.browser.find_elements("css selector", "#earlier mark")], ["then:\n+43 1 555"])
        self.assertEqual(len(self.browser.find_elements("css selector", "#earlier s")), 2)
        self.assert_accessible("an item as it was")
        self.click("#earlier button[value=restore]")
        self.wait(lambda: json.loads(hub("contacts", "show", identifier, "--json"))["phones"][0]["value"] == "+43 1 555", "the version")
        # Everything is as it was after the last operation.
        self.go("/timeline?at=" + json.loads(hub("contacts", "history", identifier, "--json"))[0]["operation"])
        self.shows("#timeline", "Everything is now as it was then.")
        self.go("/timeline?at=0nothing")
        self.shows("#timeline", "o such operation")
        self.assertNotEqual(before, gone)

    def test_names_have_one_line_in_the_bars(self):
        for width, height in [(360, 740), (320, 568), (720, 450)]:
            self.resize(width, height)
            self.go("/dictofun")
            self.wait(lambda: self.one(".places a").is_displayed(), "the navigation")
            lines = self.browser.execute_script(
                "return [...document.querySelectorAll('.places a span')].map((it) => [it.textContent, it.getClientRects().length, it.offsetHeight, it.scrollWidth - it.clientWidth])")
            if width > 320:
                self.assertEqual([line for line in lines if line[2] > 20 or line[3] > 1], [], f"{width}: one line each")
            bar = self.browser.execute_script("return document.querySelector('.bar').offsetHeight")
            self.assertLessEqual(bar, 110 if width < 700 else 56, f"the bar at {width}")
            tools = self.browser.execute_script("return document.querySelector('.tools').getBoundingClientRect().top")
            self.assertLess(tools, 12, "the tools are beside the name")
            self.assert_fits(width)

    # Settings

    def test_settings_hold_for_all_pages_from_the_first_paint(self):
        self.addCleanup(hub, "config", "set", "hub.web.color_scheme", "auto")
        self.addCleanup(hub, "config", "set", "hub.web.shortcuts", "true")
        self.go("/settings")
        self.click('label[for="scheme-dark"]')
        self.wait(lambda: luminance(self.style("html", "backgroundColor")) < 0.1, "the dark page")
        self.shows("#hub-toast", "Saved.")
        self.click("#shortcuts")
        self.wait_equal(lambda: hub("config", "get", "hub.web.shortcuts").strip(), "false")
        self.assertEqual(hub("config", "get", "hub.web.color_scheme").strip(), "dark")
        self.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        try:
            self.browser.get(self.home + "/contacts")
            root = self.one("html")
            self.assertEqual(root.get_attribute("data-scheme"), "dark")
            self.assertEqual(root.get_attribute("data-shortcuts"), "off")
        finally:
            self.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
        self.go("/")
        self.press("/")
        self.assertEqual(self.browser.find_elements("css selector", "dialog.search"), [])
        self.chord("k")
        self.wait(lambda: self.focus_is_in("#search-words"), "the search by Ctrl-K")

    def test_a_theme_dresses_every_page(self):
        self.go("/settings")
        self.click('label[for="theme-Jungle"]')
        self.wait_equal(lambda: hub("mintee", "theme").strip(), "Jungle")
        self.go("/contacts")
        self.assertEqual(self.one("html").get_attribute("data-theme"), "Jungle")
        self.assertEqual(self.style(".side", "backgroundColor"), "rgb(12, 104, 35)")
        hub("mintee", "theme", "System Default")

    def test_the_week_starts_when_it_is_set_to(self):
        self.go("/settings")
        # Letter by letter: Saturday comes first.
        self.one("#week-start").send_keys("Sunday")
        self.wait_equal(lambda: hub("config", "get", "hub.week_start").strip(), "sun")
        self.go("/")
        self.assertEqual(self.one("html").get_attribute("data-week-start"), "sun")
        hub("config", "set", "hub.week_start", "mon")

    def test_another_browser_is_listed_and_logged_out(self):
        self.go("/settings")
        self.assertEqual(len(self.titles(".sessions li")), 1)
        self.assertIn("This browser", self.titles(".sessions li")[0])
        self.assertIn("Chrome on Linux", self.titles(".sessions li")[0])

    # Readable for everybody (WCAG 2.2)

    def test_axe_finds_no_violation(self):
        for path in ["/", "/settings", "/nowhere"]:
            self.go(path)
            self.assert_accessible_in_both_schemes(path)
        self.chord("k")
        self.fill("#search-words", "lukasz")
        self.wait(lambda: self.titles(".hit"), "results")
        self.assert_accessible_in_both_schemes("the search")
        self.go("/")
        # A violation is found, of colours too.
        self.browser.execute_script("document.querySelector('h1').outerHTML = '<h4></h4><img src=\"/favicon.ico\"><p>Pale</p>'")
        self.assertNotEqual(self.violations(), [])
        self.browser.execute_script("Object.assign(document.querySelector('h4 ~ p').style, { color: '#888', backgroundColor: '#999' })")
        self.assertEqual([rule for rule, _ in self.violations(only_colours=True)], ["color-contrast"])

    def test_the_table_of_keys_is_read_from_its_beginning(self):
        for width, height in [(360, 740), (1440, 900)]:
            self.resize(width, height)
            self.go("/contacts")
            self.press("?")
            self.wait(lambda: self.focus_is_in("#help button"), "the table")
            for selector in ["#help h2", "#help .key-list > div", "#help button"]:
                top, bottom = self.browser.execute_script(
                    "const { top, bottom } = document.querySelector(arguments[0]).getBoundingClientRect(); return [top, bottom]", selector)
                self.assertTrue(0 <= top < bottom <= height, f"{selector} at {width}")
            self.assertEqual(self.browser.execute_script(
                "return [...document.querySelectorAll('#help dt')].filter((it) => it.scrollWidth > it.clientWidth + 1).length"), 0, width)
            self.assert_accessible_in_both_schemes(f"the table of keys at {width}")

    def test_placeholders_and_the_edges_of_fields_stand_out(self):
        for theme in ["System Default", "Jungle", "Ocean"]:
            hub("mintee", "theme", theme)
            for scheme in ["light", "dark"]:
                self.scheme(scheme)
                self.go("/settings")
                self.chord("k")
                self.wait(lambda: self.focus_is_in("#search-words"), "the search")
                colors = self.browser.execute_script(
                    "const behind = (it) => { while (getComputedStyle(it).backgroundColor === 'rgba(0, 0, 0, 0)') it = it.parentElement;"
                    " return getComputedStyle(it).backgroundColor; };"
                    "const words = document.getElementById('search-words'), find = document.querySelector('.side .find'),"
                    " week = document.getElementById('week-start');"
                    "return { placeholder: [getComputedStyle(words, '::placeholder').color, behind(words)],"
                    " find: [getComputedStyle(find).borderTopColor, behind(find.parentElement)],"
                    " select: [getComputedStyle(week).borderTopColor, behind(week.parentElement)] };")
                what = f"{theme}, {scheme}"
                for name, least in [("placeholder", 4.5), ("select", 3)]:
                    self.assertGreaterEqual(contrast(*map(luminance, colors[name])), least, f"{name} in {what}")
                self.assert_readable([".places a", "h1", ".setting .hint", "#settings h2"]
                                     if theme == "System Default" else ["h1", ".setting .hint", "#settings h2"], what)
        hub("mintee", "theme", "System Default")

    def test_no_page_is_wider_than_its_window(self):
        for width, height in [(320, 256), (320, 568), (360, 740), (600, 800), (720, 450), (768, 1024), (1024, 768), (1440, 900)]:
            self.resize(width, height)
            for path in ["/", "/settings", "/trash", "/nowhere"]:
                self.go(path)
                self.assert_fits(width)
                self.assertLessEqual(
                    self.browser.execute_script("return document.scrollingElement.scrollWidth"), width, f"{path} at {width}")

    def test_what_has_the_focus_is_never_covered(self):
        self.addCleanup(hub, "config", "set", "hub.web.color_scheme", "auto")
        for width, height, scheme in [(360, 740, "light"), (1200, 800, "dark")]:
            self.resize(width, height)
            self.go("/settings")
            self.click(f'label[for="scheme-{scheme}"]')
            self.shows("#hub-toast", "Saved.")
            for _ in range(30):
                self.press(Keys.TAB)
                covered = self.browser.execute_script(
                    "const it = document.activeElement, box = it.getBoundingClientRect();"
                    "if (it === document.body || it.closest('#hub-toast') || !box.width) return null;"
                    "const points = [[box.left + 2, box.top + 2], [box.right - 2, box.bottom - 2],"
                    " [(box.left + box.right) / 2, (box.top + box.bottom) / 2]];"
                    "const seen = points.some(([x, y]) => { const top = document.elementFromPoint(x, y);"
                    " return top && (it.contains(top) || top.contains(it)); });"
                    "return seen ? null : it.outerHTML.slice(0, 100);")
                self.assertIsNone(covered, f"at {width}")

    def test_the_place_and_the_choice_are_marked_without_colours(self):
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "forced-colors", "value": "active"}]})
        self.go("/")
        self.assertEqual(self.style(".places [aria-current]", "outlineStyle"), "solid")
        self.go("/settings")
        self.assertEqual(self.style(".option:has(:checked)", "borderTopWidth"), "3px")

    def test_a_finger_has_room(self):
        self.resize(360, 740)
        for path in ["/", "/settings"]:
            self.go(path)
            small = self.browser.execute_script(
                "return [...document.querySelectorAll('a, button, input, select')].filter((it) => it.checkVisibility()"
                " && !it.closest('.skip, li a + *') && it.type !== 'radio' && it.type !== 'checkbox')"
                ".filter((it) => { const box = it.getBoundingClientRect(); return box.width < 24 || box.height < 24; })"
                ".map((it) => it.outerHTML.slice(0, 80))")
            self.assertEqual(small, [], path)

    def test_the_trash_of_all_plugins_restores_and_empties(self):
        hub("contacts", "new", "Trashed Person")
        hub("mintee", "new", "Trashed habit")
        hub("contacts", "rm", "Trashed Person", "--yes")
        hub("mintee", "rm", "Trashed habit", "--yes")
        self.go("/")
        self.click("#menu-button")
        self.click('#menu a[href="/trash"]')
        self.shows("#trash", "Trashed habit")
        self.assertEqual(self.titles("#trash h2"), ["Contacts", "Habits"])
        self.click('[aria-label="Restore Trashed habit"]')
        self.shows("#hub-toast", "Trashed habit restored.")
        self.wait_equal(lambda: self.titles("#trash h2"), ["Contacts"])
        self.chord("z")
        self.wait_equal(lambda: self.titles("#trash h2"), ["Contacts", "Habits"])
        self.click("#trash .danger")
        self.shows("#empty-trash h2", "Permanently delete 2 items?")
        self.click('#empty-trash [value="no"]')
        self.wait(lambda: not self.browser.find_elements("css selector", "#empty-trash"), "no question")
        self.assertEqual(len(json.loads(hub("trash", "--json"))), 2)
        self.click("#trash .danger")
        self.click('#empty-trash [value="yes"]')
        self.shows("#trash", "The trash is empty")
        self.assertEqual(json.loads(hub("trash", "--json")), [])

    def test_zy_an_ended_session_keeps_what_is_typed_and_leads_to_the_login(self):
        self.refusals = [403]
        self.go("/mintee?view=new")
        self.wait(lambda: self.one('[data-field="name"] input').is_displayed(), "the form")
        self.fill('[data-field="name"] input', "Kept")
        hub("web", "--logout")
        self.chord(Keys.ENTER)
        self.shows("#hub-notice", "You are logged out. Everything on this page is kept.")
        self.assertEqual(self.one('[data-field="name"] input').get_attribute("value"), "Kept")
        for width in [320, 1440]:
            self.resize(width, 740)
            self.assert_fits(width)
        self.picture("logged-out-banner")
        first = self.browser.current_window_handle
        self.click("#hub-notice a")
        self.wait(lambda: len(self.browser.window_handles) == 2, "another tab")
        self.browser.switch_to.window(next(it for it in self.browser.window_handles if it != first))
        self.fill("#code", hub("web").strip())
        self.press(Keys.ENTER)
        self.wait(lambda: self.browser.current_url.endswith("/mintee?view=new"), "the page again")
        self.browser.close()
        self.browser.switch_to.window(first)
        self.one('[data-field="name"] input').click()
        self.chord(Keys.ENTER)
        self.shows("#hub-toast", "Kept added.")
        self.wait(lambda: not self.browser.find_elements("css selector", "#hub-notice"), "no message")
        hub("mintee", "rm", "Kept", "--yes")

    def test_zz_a_login_returns_to_where_one_was(self):
        self.go("/")
        self.click("#menu-button")
        self.click(".logout button")
        self.wait(lambda: "Logged out" in self.browser.title, "the last page")
        self.refusals = [403, 404]
        self.browser.get(self.home + "/mintee?view=tasks")
        self.shows("h1", "Log in")
        self.assert_accessible("the login")
        for width in [320, 1440]:
            self.resize(width, 700)
            self.assert_fits(width)
        self.fill("#code", hub("web").strip())
        self.press(Keys.ENTER)
        self.wait(lambda: self.browser.current_url.endswith("/mintee?view=tasks"), "the page that was wanted")
        self.wait(self.ready, "the page")


if __name__ == "__main__":
    run()
