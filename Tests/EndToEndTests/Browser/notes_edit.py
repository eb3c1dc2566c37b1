"""Writing notes: saving, two windows in one note, an absent hub, undo, preview, history and sharing."""

import base64
import itertools
import json
import os
import random
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import patch

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from notes_page import PLACES, NotesPage, another_window, made, notes, shown
from page import hub, run

# A picture of one point.
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

# Of the agents that edit elsewhere.
numbers = itertools.count(1)


class Edit(NotesPage):
    start = None

    @classmethod
    def setUpClass(cls):
        cls.first = made("First", "one\ntwo\nthree")
        super().setUpClass()

    def content(self, identifier):
        return shown(identifier)["content"]

    def test_what_is_typed_is_saved(self):
        identifier = made("Plain", "a\r\nb")
        self.note(identifier)
        self.caret(3)
        self.write("!😀")
        self.one(".note-title").send_keys(Keys.END, " title")
        self.saved()
        self.wait_equal(lambda: (shown(identifier)["title"], self.content(identifier)), ("Plain title", "a\r\nb!😀"))
        self.wait(lambda: "Plain title" in self.names(), "the list with the title")

    def test_a_new_note_is_made_by_the_first_letter(self):
        count = len(notes())
        self.open("?view=new")
        self.press(Keys.ESCAPE)
        self.assertEqual(len(notes()), count, "nothing typed makes no note")
        self.open("?view=new&title=Recipes")
        self.wait(lambda: "id=" in self.browser.current_url, "the address of the note")
        self.write("- soup")
        self.saved()
        identifier = self.browser.current_url.split("id=")[1].split("&")[0]
        self.wait_equal(lambda: (shown(identifier)["title"], self.content(identifier)), ("Recipes", "- soup"))

    def test_what_is_typed_while_a_new_note_is_made_is_kept(self):
        self.open("?view=new")
        self.wait(lambda: self.one(".note-text").is_displayed(), "the note")
        # The first exchange lasts until all is typed.
        self.browser.execute_script("""
            const [fetch, held] = [window.fetch, new Promise((done) => { window.letGo = done; })];
            window.fetch = async (address, options) => {
              if (String(address).endsWith("/edits")) await held;
              return fetch(address, options);
            };""")
        self.write("first")
        self.wait(lambda: "id=" in self.browser.current_url, "the address of the note")
        self.write(" second")
        self.browser.execute_script("window.letGo()")
        self.saved()
        identifier = self.browser.current_url.split("id=")[1].split("&")[0]
        self.wait_equal(lambda: self.content(identifier), "first second")

    def test_a_note_that_is_left_empty_is_none(self):
        count = len(notes())
        self.open("?view=new")
        self.wait(lambda: self.one(".note-text").is_displayed(), "the note")
        self.write("x")
        self.saved()
        self.wait(lambda: "id=" in self.browser.current_url, "the address of the note")
        self.write(Keys.BACK_SPACE)
        self.saved()
        self.search("three")
        self.wait_equal(self.names, ["First"])
        self.click(".list-row")
        self.wait_equal(lambda: len(notes()), count)

    def test_undo_takes_back_what_was_typed_here_and_nothing_else(self):
        identifier = made("Undo", "start")
        self.note(identifier)
        self.caret(5)
        self.write(" mine")
        self.saved()
        hub("notes", "append", identifier, "theirs")
        self.wait_equal(self.text, "start mine\ntheirs")
        self.chord("z")
        self.wait_equal(self.text, "start\ntheirs")
        self.saved()
        self.chord("y")
        self.wait_equal(self.text, "start mine\ntheirs")
        self.saved()
        self.wait_equal(lambda: self.content(identifier), "start mine\ntheirs")

    def test_news_keep_caret_selection_and_place(self):
        identifier = made("Caret", "\n".join(f"line {number}" for number in range(300)))
        self.note(identifier)
        at = self.text().index("line 200")
        self.caret(at + 4)
        self.write(".")
        self.saved()
        self.select(at, at + 3)
        top = self.browser.execute_script("return document.getElementById('details').scrollTop")
        self.assertGreater(top, 1000)
        with_more = "new first line\nand another\n" + self.text()
        self.edit_elsewhere(identifier, [[0, 0, "new first line\nand another\n"]])
        self.wait_equal(self.text, with_more)
        start, end, now = self.browser.execute_script(
            PLACES + "return [...selection(), document.getElementById('details').scrollTop]")
        self.assertEqual(with_more[start:end], "lin")
        self.assertEqual(with_more[start:start + 9], "line. 200")
        line = float(self.style(".note-text", "lineHeight")[:-2])
        self.assertAlmostEqual(now, top + 2 * line, delta=4, msg="the line with the caret stays where it is")
        self.assertTrue(self.focus_is_in(".note-text"))

    def edit_elsewhere(self, identifier, edits):
        """Edits a text through the routes of the page, as another program would."""
        answer = self.browser.execute_async_script("""
            const [id, edits, agent, done] = arguments;
            const headers = { "Hub-Key": localStorage.getItem("hub-key"), "Content-Type": "application/json" };
            const send = (...frames) => fetch(`/api/notes/${id}/edits`, { method: "POST", headers,
              body: JSON.stringify({ frames: [{ t: "hello", agent, mode: "edits" }, ...frames].map((it) => JSON.stringify(it)) }) }).then((it) => it.json());
            send({ t: "open", n: 1, note: id }).then((texts) => send({ t: "edit", n: 2, note: id, field: "content", seq: 0, base: texts.find((it) => it.field === "content").to, edits }))
              .then((it) => done(JSON.stringify(it)));""", identifier, edits, f"peer{next(numbers)}")
        self.assertIn('"ack"', answer)

    def test_two_windows_write_in_one_note(self):
        identifier = made("Ledger", "0123456789")
        windows = [self, another_window(self)]
        for window in windows:
            window.resize(900, 700)
            window.note(identifier)
        letters = random.Random(7)
        typed = [[], []]
        for step in range(60):
            who = letters.randrange(2)
            window = windows[who]
            window.caret(letters.randrange(len(window.text()) + 1))
            word = f"{'ab'[who]}{step}{'😀' if step % 9 == 0 else ''}."
            window.write(word)
            typed[who].append(word)
            if step % 20 == 10:
                window.write(Keys.ENTER)
        for window in windows:
            window.saved()
        self.wait(lambda: windows[0].text() == windows[1].text() and windows[0].text() == self.content(identifier), "one text everywhere")
        text = windows[0].text()
        for who, words in enumerate(typed):
            for letter in {letter for word in words for letter in word}:
                if letter in "ab😀":
                    expected = sum(word.count(letter) for words_of in typed for word in words_of)
                    self.assertEqual(text.count(letter), expected, f"each {letter} once")
        self.assertEqual(text.count("."), 60)
        self.assertEqual(len([letter for letter in text if letter.isdigit()]), 10 + sum(len(str(step)) for step in range(60)))

    def sockets(self):
        return self.browser.execute_script("return window.openSockets()")

    def people(self):
        return [it.get_attribute("title") for it in self.browser.find_elements("css selector", ".people li")]

    def place_of_peer(self):
        return self.browser.execute_script("const it = document.querySelector('.peer-caret').getBoundingClientRect(); return [it.left, it.top]")

    def test_who_else_is_in_a_note_is_shown_with_their_caret(self):
        identifier = made("Together", "first 😀 line\nsecond line")
        other = another_window(self)
        other.resize(900, 700)
        self.note(identifier)
        self.wait_equal(self.sockets, 1)
        self.assertEqual(self.people(), [])
        other.note(identifier)
        # The one who was there first is shown to the one who comes.
        for window in (self, other):
            window.wait_equal(window.people, ["You, in another window"])
        other.caret(2)
        self.wait(lambda: self.one(".peer-caret").is_displayed(), "the caret of the other window")
        self.wait_equal(lambda: self.place_of_peer()[0] > self.one(".note-text").rect["x"] + 5, True)
        before = self.place_of_peer()
        other.caret(len("first 😀 line\nsecond") + 1)
        self.wait(lambda: self.place_of_peer()[1] > before[1] + 10, "the caret one line below")
        before = self.place_of_peer()
        # What is typed before the caret moves it.
        self.caret(0)
        self.write("new line", Keys.ENTER)
        self.wait(lambda: self.place_of_peer()[1] > before[1] + 10, "the caret after the new line")
        self.saved()
        other.wait_equal(other.text, "new line\nfirst 😀 line\nsecond line")
        self.picture("notes-together")
        other.open()
        self.wait_equal(self.people, [])
        self.wait(lambda: not self.browser.find_elements("css selector", ".peer-caret"), "no caret")

    def cut(self, is_cut):
        """Closes the WebSocket, or lets it be opened again; HTTP works all the time."""
        self.browser.execute_script("window.cutSockets(arguments[0]); if (!arguments[0]) window.dispatchEvent(new Event('online'))", is_cut)

    def test_without_a_socket_edits_go_over_http(self):
        identifier = made("Proxy", "start")
        self.note(identifier)
        self.wait_equal(self.sockets, 1)
        self.cut(True)
        self.caret(5)
        self.write(" here")
        self.saved()
        self.wait_equal(lambda: self.content(identifier), "start here")
        hub("notes", "append", identifier, "there")
        self.wait_equal(self.text, "start here\nthere")
        self.shows(".note-state", "Saved. Other people in this note cannot be shown now.")
        self.assertEqual(self.sockets(), 0)
        self.cut(False)
        self.wait_equal(self.sockets, 1)
        self.caret(0)
        self.write("again ")
        self.saved()
        hub("notes", "append", identifier, "more")
        self.wait_equal(self.text, "again start here\nthere\nmore")

    def test_a_socket_that_drops_loses_and_repeats_nothing(self):
        identifier = made("Drops", "0")
        windows = [self, another_window(self)]
        for window in windows:
            window.resize(900, 700)
            window.note(identifier)
        chance = random.Random(11)
        for step in range(40):
            window = windows[step % 2]
            window.caret(chance.randrange(len(window.text()) + 1))
            window.write("ab"[step % 2] + "-")
            if step % 5 == 3:
                window.cut(True)
            elif step % 5 == 1:
                windows[0].cut(False)
                windows[1].cut(False)
        for window in windows:
            window.cut(False)
            window.saved()
        self.wait(lambda: windows[0].text() == windows[1].text() == self.content(identifier), "one text everywhere")
        self.assertEqual(sorted(self.text()), sorted("0" + "a" * 20 + "b" * 20 + "-" * 40))

    def test_two_windows_type_at_the_same_time(self):
        identifier = made("Duet", "|")
        windows = [self, another_window(self)]
        alphabets = ["abcdefghijklm", "ABCDEFGHIJKLM"]
        for window in windows:
            window.resize(900, 700)
            window.note(identifier)
        # First at both ends of the text, then at one place; one connection drops while its window is typing.
        for places in ((0, None), ("|", "|")):
            for window in windows:
                window.wait_equal(window.people, ["You, in another window"])

            def typing(who):
                window, place = windows[who], places[who]
                text = window.text()
                window.caret(len(text) if place is None else text.index("|") if place else 0)
                for number, letter in enumerate(alphabets[who]):
                    window.write(letter)
                    if number in (4, 8) and who == 0:
                        window.cut(number == 4)
            with ThreadPoolExecutor(2) as pool:
                list(pool.map(typing, (0, 1)))
            for window in windows:
                window.saved()
            self.wait(lambda: windows[0].text() == windows[1].text() == self.content(identifier), "one text everywhere")
        text = self.text()
        for alphabet in alphabets:
            self.assertEqual("".join(letter for letter in text if letter in alphabet), 2 * alphabet, "each letter once in each round, in its order")
        for window in windows:
            window.wait(lambda: window.one(".peer-caret").is_displayed(), "the caret of the other")

    def test_text_typed_into_a_note_that_goes_to_the_trash_is_kept(self):
        identifier = made("Binned", "start")
        self.note(identifier)
        self.wait_equal(self.sockets, 1)
        self.refusals = [404]
        # The page does not hear of it before it sends.
        self.browser.execute_script("window.realFetch = window.fetch; window.fetch = () => new Promise(() => {})")
        hub("notes", "rm", identifier, "--yes")
        self.write(" kept")
        self.shows(".note-state", "This note no longer exists.")
        self.assertEqual(self.drafts(), 1)
        self.open()
        self.wait(lambda: any("kept" in self.content(it["id"]) for it in notes() if it["name"] == "Binned"), "a new note with the text")

    def test_nothing_is_lost_without_hub_or_by_a_reload(self):
        identifier = made("Away", "start")
        self.note(identifier)
        self.away(True)
        self.caret(0)
        self.write("typed away ")
        self.shows(".note-state", "Offline. Your text is kept on this device")
        self.wait(lambda: self.drafts() == 1, "the draft")
        # The page is left before it can send.
        self.browser.get("about:blank")
        hub("notes", "append", identifier, "theirs")
        self.assertEqual(self.content(identifier), "start\ntheirs")
        self.note(identifier)
        self.wait_equal(lambda: self.content(identifier), "typed away start\ntheirs")
        self.wait_equal(self.text, "typed away start\ntheirs")
        self.wait(lambda: self.drafts() == 0, "no draft")
        self.browser.get_log("browser")

    def test_a_window_that_comes_back_goes_on(self):
        identifier = made("Back", "start")
        self.note(identifier)
        self.away(True)
        self.caret(0)
        self.write("here ")
        self.shows(".note-state", "Offline")
        hub("notes", "append", identifier, "there")
        self.write("and ")
        self.away(False)
        self.browser.execute_script("window.dispatchEvent(new Event('online'))")
        self.saved()
        self.wait_equal(self.text, "here and start\nthere")
        self.wait_equal(lambda: self.content(identifier), "here and start\nthere")
        self.assertEqual(self.caret_at(), 9)
        self.browser.get_log("browser")

    def test_text_typed_into_a_deleted_note_is_kept(self):
        identifier = made("Doomed", "start")
        self.note(identifier)
        self.away(True)
        self.write(" precious")
        self.wait(lambda: self.drafts() == 1, "the draft")
        self.browser.get("about:blank")
        hub("notes", "rm", identifier, "--yes")
        self.refusals = [404]
        self.open()
        self.wait(lambda: any("precious" in self.content(it["id"]) for it in notes() if it["name"] == "Doomed"), "a new note with the text")
        self.browser.get_log("browser")

    def drafts(self):
        return self.browser.execute_async_script("""
            const done = arguments[0];
            const request = indexedDB.open("hub-notes", 1);
            request.onsuccess = () => { const count = request.result.transaction("drafts").objectStore("drafts").count();
              count.onsuccess = () => { request.result.close(); done(count.result); }; };""")

    def test_preview_draws_markdown_and_nothing_else(self):
        identifier = made("Draw", "# Head\n\n- [ ] bread\n- [x] milk\n\n<script>window.hostile = 1</script> <b onclick=alert(1)>raw</b>\n\n"
                                  "[bad](javascript:alert(1)) ![cat](https://example.org/cat.png) [[First]] [[No such]]\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\n[[First]]\n```")
        self.note(identifier)
        self.chord(Keys.ENTER)
        self.shows(".markdown h3", "Head")
        drawn = self.one(".markdown").get_attribute("innerHTML")
        for word in ["script", "javascript", "<img", "onclick"]:
            self.assertNotIn(word, drawn)
        self.assertEqual(self.one(".markdown td").text, "1")
        self.assertEqual(self.one(".markdown pre").text, "[[First]]")
        self.click(".markdown li:first-child input")
        self.wait_equal(lambda: self.content(identifier).split("\n")[2], "- [x] bread")
        self.wait(lambda: self.one(".markdown a:not(.broken)[href*='id=']").is_displayed(), "the link")
        self.assertIn("title=No+such", self.one(".markdown a.broken").get_attribute("href"))
        self.picture("notes-preview")
        self.browser.execute_script("document.querySelector(\".markdown a:not(.broken)[href*='id=']\").click()")
        self.wait(lambda: self.value(".note-title") == "First", "the linked note")
        self.shows(".markdown", "one two three")
        self.chord(Keys.ENTER)
        self.wait(lambda: self.focus_is_in(".note-text"), "the text to write")

    def test_a_preview_of_an_older_text_is_not_shown(self):
        identifier = made("Late", "old words")
        self.note(identifier)
        # The first preview comes after the second.
        self.browser.execute_script("""
            const [fetch, held] = [window.fetch, new Promise((done) => { window.letGo = done; })];
            window.isAsked = false;
            window.fetch = async (address, options) => {
              const waits = !window.isAsked && String(address).endsWith("/preview");
              const answer = await fetch(address, options);
              if (waits) window.isAsked = true;
              if (waits) await held;
              return answer;
            };""")
        self.chord(Keys.ENTER)
        self.wait(lambda: self.browser.execute_script("return window.isAsked"), "the first preview")
        self.edit_elsewhere(identifier, [[0, 3, "new"]])
        self.shows(".markdown", "new words")
        self.browser.execute_script("window.letGo()")
        self.settle()
        self.shows(".markdown", "new words")
        self.chord(Keys.ENTER)

    def test_links_lead_both_ways(self):
        identifier = made("Hub", "See [[First]] and [[Nowhere]]")
        self.note(identifier)
        self.shows(".linked", "First")
        self.assertEqual(self.one(".linked .broken").text, "Nowhere")
        self.click(".linked .chip")
        self.wait(lambda: self.value(".note-title") == "First", "the linked note")
        self.shows(".linked", "Hub")

    def test_links_with_a_former_name_are_updated_when_asked_for(self):
        identifier, other = made("Former", "text"), made("Linking", "See [[former]] and [it](Former.md)")
        self.note(identifier)
        self.wait_equal(lambda: self.value(".note-title"), "Former")
        self.one(".note-title").send_keys(Keys.END, " name")
        self.shows(".callout", "2 links in other notes still have the former name.")
        self.assertEqual(self.content(other), "See [[former]] and [it](Former.md)")
        self.click(".callout button")
        self.shows("#question", "Linking: former → Former name")
        self.picture("notes-links")
        self.click("#question .main")
        self.wait_equal(lambda: self.content(other), "See [[Former name]] and [it](Former%20name.md)")
        self.wait(lambda: not self.browser.find_elements("css selector", ".callout"), "the end of the question")

    def test_the_history_goes_back_to_the_first_word(self):
        identifier = made("Past", "first line")
        self.open()
        self.edit_elsewhere(identifier, [[10, 0, "\nsecond line"]])
        self.note(identifier)
        self.menu("History")
        self.shows(".diff ins", "second line")
        self.shows(".slider-words", "2 of 2")
        self.picture("notes-history")
        self.assertFalse(self.one(".form-bar .main").is_enabled(), "the last version is there already")
        self.one(".slider input").send_keys(Keys.ARROW_LEFT)
        self.shows(".slider-words", "1 of 2")
        self.shows(".diff ins", "first line")
        self.click(".form-bar .main")
        self.shows("#hub-toast", "restored.")
        self.wait_equal(lambda: self.content(identifier), "first line")
        self.wait_equal(self.text, "first line")
        self.chord("z")
        self.wait_equal(lambda: self.content(identifier), "first line\nsecond line")

    def test_a_note_is_shared_tagged_and_moved(self):
        identifier = made("Ours", "text")
        self.note(identifier)
        self.menu("Share…")
        self.wait(lambda: self.focus_is_in("#sharing"), "the dialog")
        self.press("maria", Keys.ENTER)
        self.click("#sharing .main")
        self.shows("#hub-toast", "Shared with maria.")
        self.shows(".chips", "Shared with maria")
        self.assertEqual((shown(identifier)["access"], shown(identifier)["readers"]), (["maria"], []))
        self.menu("Share…")
        self.wait(lambda: self.focus_is_in("#sharing"), "the dialog")
        self.picture("notes-sharing")
        self.one("#sharing [data-field=readers] input").send_keys("jan", Keys.ENTER)
        self.click("#sharing .main")
        self.shows("#hub-toast", "Shared with jan, read-only.")
        self.shows(".chips", "jan (read-only)")
        self.assertEqual((shown(identifier)["access"], shown(identifier)["readers"]), (["maria", "jan"], ["jan"]))
        self.menu("Tags…")
        self.wait(lambda: self.focus_is_in("#tagging"), "the dialog")
        self.press("green", Keys.ENTER)
        self.click("#tagging .main")
        self.shows(".chips", "#green")
        self.menu("Move to folder…")
        self.wait(lambda: self.focus_is_in("#moving"), "the dialog")
        self.press("trips/ideas", Keys.ENTER)
        self.shows(".chips", "trips/ideas")
        self.menu("Delete")
        self.shows("#hub-toast", "Ours moved to the trash.")
        self.chord("z")
        self.shows("#hub-toast", "Undone")

    def test_a_note_gets_a_public_link_and_loses_it(self):
        identifier = made("For all", "text")
        self.note(identifier)
        self.menu("Public link…")
        self.shows("#question", "Everyone who has the link can read this note")
        self.click("#question .main")
        self.shows("#hub-toast", "Public link made.")
        self.wait(lambda: self.one("#question .public-link").is_displayed(), "the link")
        [published] = json.loads(hub("notes", "published", "--json"))
        self.assertEqual([published["id"], published["url"]], [identifier, self.one("#question .public-link").text])
        self.shows("#question", "which is off")
        self.picture("public-link")
        self.press(Keys.ESCAPE)
        self.menu("Public link")
        self.wait(lambda: self.one("#question .public-link").text == published["url"], "the same link")
        self.click("#question .danger")
        self.shows("#hub-toast", "Public link removed.")
        self.assertEqual(json.loads(hub("notes", "published", "--json")), [])

    def test_a_note_is_saved_as_a_file(self):
        self.note(made("To/save", "# Head\n\n*text*"))
        self.browser.execute_script("""
            window.saved = [];
            const make = URL.createObjectURL;
            URL.createObjectURL = (blob) => {
              blob.text().then((text) => window.saved.push(text));
              return make.call(URL, blob);
            };""")
        for value, words in [("md", "# To/save"), ("html", "<em>text</em>"), ("txt", "To/save")]:
            self.menu("Save as…")
            self.click(f"#save-as [value={value}]")
            self.wait(lambda: len(self.browser.execute_script("return window.saved")) > 0, "the file")
            self.assertIn(words, self.browser.execute_script("return window.saved.pop()"))

    def test_access_to_a_locked_note_is_asked_for(self):
        identifier = made("Secret", "the plan")
        with patch.dict(os.environ, HUB_NOTES_NAME="ada"):
            hub("notes", "share", identifier, "maria")
        self.open("?id=" + identifier)
        self.shows(".callout", "It belongs to ada")
        self.picture("notes-locked")
        self.click(".callout button")
        self.wait(lambda: self.focus_is_in("#asking"), "the dialog")
        self.press("for the trip")
        self.click("#asking .main")
        self.shows("#hub-toast", "Asked ada for access to Secret.")
        self.shows(".callout", "You asked for access")
        request = json.loads(hub("notes", "requests", "list", "--json"))[0]
        self.assertEqual((request["requester"], request["reason"]), ("me", "for the trip"))
        hub("notes", "requests", "allow", "me")
        self.wait(lambda: self.one(".note-text").is_displayed(), "the unlocked note")
        self.wait_equal(self.text, "the plan")

    def test_notes_are_shown_in_each_other_and_links_lead_to_headings(self):
        other = made("Kitchen", "# Soup\n\nwater\n\n# Bread\n\nflour ^dough\n\n## Crust\n\nhot\n\n# End\n\nlast" + "\n\nline" * 60)
        identifier = made("Menu of the week", "![[Kitchen#Bread]]\n\n![[Kitchen#^dough]]\n\n![[Menu of the week]]\n\n![[Nothing]]\n\n[[Kitchen#End|the end]] [md](Kitchen.md#Soup)")
        self.note(identifier)
        self.chord(Keys.ENTER)
        self.wait(lambda: len(self.browser.find_elements("css selector", ".embedded")) == 2, "the notes in place")
        whole, line = self.browser.find_elements("css selector", ".embedded")
        self.assertIn("flour", whole.text)
        self.assertIn("hot", whole.text)
        self.assertNotIn("last", whole.text)
        self.assertIn("flour", line.text)
        self.assertNotIn("hot", line.text)
        self.picture("notes-embedded")
        next(it for it in self.browser.find_elements("css selector", ".markdown a") if it.text == "the end").click()
        self.wait(lambda: f"id={other}" in self.browser.current_url and "heading" not in self.browser.current_url, "the heading")
        place = self.browser.execute_script(
            "return [...document.querySelectorAll('.markdown h3, .markdown h4')].find((it) => it.textContent === 'End').getBoundingClientRect().top")
        self.assertTrue(-5 <= place < 300, place)

    def test_a_note_that_can_only_be_read_is_shown_and_changes_with_its_text(self):
        identifier = made("Theirs", "the *plan*")
        with patch.dict(os.environ, HUB_NOTES_NAME="ada"):
            hub("notes", "share", identifier, "me", "--read-only")
        self.open("?id=" + identifier)
        self.shows(".callout", "who lets you read it, but not edit it")
        self.shows(".markdown em", "plan")
        self.picture("notes-read-only")
        with patch.dict(os.environ, HUB_NOTES_NAME="ada"):
            hub("notes", "share", identifier, "me")
        self.wait(lambda: self.one(".note-text").is_displayed(), "the note to be edited")

    def test_random_edits_of_four_clients_converge(self):
        """The merging module of the page against the server, with lost answers. Tests/PageTests has many more rounds, without a browser."""
        identifier = made("Fuzz")
        self.open()
        self.browser.execute_script("""
            window.found = null;
            (async (id, seed) => {
              const { editClient } = await import("/notes/editclient.js");
              const { apply, replacing } = await import("/notes/change.js");
              let state = seed;
              const random = (limit) => { state = (state * 1103515245 + 12345) & 0x7fffffff; return (state >> 8) % limit; };
              const headers = { "Hub-Key": localStorage.getItem("hub-key"), "Content-Type": "application/json" };
              const clients = [0, 1, 2, 3].map((place) => ({ agent: `fuzz${place}-${seed}`, client: editClient(id, "content"), shown: "", typed: [] }));
              const words = ["1", "-2", "😀", "\\n", "é", "x"];
              let number = 0;
              const type = (it) => {
                const places = [0];
                for (const letter of it.shown) places.push(places.at(-1) + letter.length);
                const at = random(places.length);
                const end = Math.min(places.length - 1, at + (random(4) === 0 ? 1 : 0));
                // Marks are never deleted by the others, so each must stand in the end.
                const gone = it.shown.slice(places[at], places[end]);
                const mark = String.fromCodePoint(0x4e00 + number++);
                const change = replacing(places[at], /[\\u4e00-\\u9fff]/.test(gone) ? 0 : gone.length, mark + words[random(words.length)]);
                it.client.type(change);
                it.shown = apply(change, it.shown);
                it.typed.push(mark);
              };
              const exchange = async (it, loses) => {
                const frames = [{ t: "hello", agent: it.agent, mode: "edits" }, { t: "open", n: 1, note: id, ...(it.client.version ? { content: it.client.version } : {}) }];
                const edit = it.client.request(2);
                if (edit) frames.push(edit);
                const answer = await fetch(`/api/notes/${id}/edits`, { method: "POST", headers, body: JSON.stringify({ frames: frames.map((frame) => JSON.stringify(frame)) }) }).then((it) => it.json());
                if (loses) return;
                for (const frame of answer) {
                  if (frame.t !== "text" || frame.field !== "content") continue;
                  const change = it.client.receive(frame);
                  if (change === null) throw new Error("does not follow: " + JSON.stringify(frame));
                  it.shown = apply(change, it.shown);
                  if (it.shown !== it.client.text) throw new Error("shown differs");
                }
              };
              for (let step = 0; step < 50; step++) {
                const it = clients[random(4)];
                if (random(3)) type(it);
                else await Promise.all([exchange(it, random(5) === 0), ...(random(2) ? [exchange(clients[(clients.indexOf(it) + 1) % 4], false)] : [])]);
              }
              for (let round = 0; round < 4; round++) for (const it of clients) await exchange(it, false);
              const texts = clients.map((it) => it.client.text);
              const marks = clients.flatMap((it) => it.typed);
              return { texts, saved: clients.every((it) => it.client.isSaved), wrong: marks.filter((mark) => texts[0].split(mark).length !== 2) };
            })(arguments[0], arguments[1]).catch((error) => ({ error: String(error) })).then((it) => { window.found = it; });""",
            identifier, 7 + int(os.environ.get("HUB_TEST_SEED", "0")))
        self.wait(lambda: self.browser.execute_script("return window.found !== null"), "all edits are exchanged")
        found = self.browser.execute_script("return window.found")
        self.assertNotIn("error", found, (os.environ.get("HUB_TEST_SEED"), found))
        self.assertEqual(set(found["texts"]), {self.content(identifier)})
        self.assertTrue(found["saved"])
        self.assertEqual(found["wrong"], [], "every mark stands once")

    def give(self, way, selector, *files):
        """Pastes or drops files: their names, types, and contents in base64."""
        self.browser.execute_script("""
            const [way, selector, files] = arguments;
            const data = new DataTransfer();
            for (const [name, type, content] of files) data.items.add(new File([Uint8Array.from(atob(content), (it) => it.charCodeAt(0))], name, { type }));
            const how = { bubbles: true, cancelable: true };
            document.querySelector(selector).dispatchEvent(way === "paste" ? new ClipboardEvent(way, { ...how, clipboardData: data }) : new DragEvent(way, { ...how, dataTransfer: data }));
            """, way, selector, files)

    def styles(self):
        """The styled words of the text, with the names of their styles."""
        return self.browser.execute_script(
            "return [...document.querySelectorAll('.note-text span')].map((it) => [it.className, it.textContent])")

    def test_markdown_is_styled_as_it_is_written(self):
        identifier = made("Styled", "")
        self.note(identifier)
        self.caret(0)
        self.write("# Head", Keys.ENTER, "a *b* **c** `d` [[First]] [e](f.md)", Keys.ENTER, "- [ ] task", Keys.ENTER, "second")
        self.saved()
        self.wait_equal(lambda: self.content(identifier), "# Head\na *b* **c** `d` [[First]] [e](f.md)\n- [ ] task\n- [ ] second")
        for part in (["em", "b"], ["strong", "c"], ["code", "d"], ["link", "First"], ["link", "e"], ["bullet", "-"], ["task", "[ ]"]):
            self.assertIn(part, self.styles())
        self.assertEqual(self.style(".heading-1", "fontWeight"), "700")
        self.click(".task")
        self.wait_equal(lambda: self.content(identifier).endswith("- [x] task\n- [ ] second"), True)
        self.browser.find_elements("css selector", ".task")[1].click()
        self.wait_equal(lambda: self.content(identifier).endswith("- [x] task\n- [x] second"), True)
        ActionChains(self.browser).key_down(Keys.CONTROL).key_down(Keys.SHIFT).send_keys(Keys.ENTER).key_up(Keys.SHIFT).key_up(Keys.CONTROL).perform()
        self.wait_equal(lambda: self.content(identifier).endswith("- [x] task\n- [ ] second"), True)
        self.chord("z")
        self.wait_equal(lambda: self.content(identifier).endswith("- [x] task\n- [x] second"), True)
        # Tab leads out of the text.
        self.press(Keys.TAB)
        self.assertFalse(self.focus_is_in(".note-text"))

    def compose(self, text):
        """What an input method shows while it composes."""
        self.browser.execute_cdp_cmd("Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)})

    def test_what_an_input_method_composes_is_kept_beside_what_others_write(self):
        identifier = made("Composed", "ab\u00a0cd\n")
        self.note(identifier)
        self.caret(2)
        self.compose("\u306b")
        self.edit_elsewhere(identifier, [[0, 0, "their line\n"]])
        self.compose("\u306b\u307b")
        self.browser.execute_cdp_cmd("Input.insertText", {"text": "\u65e5\u672c"})
        self.wait_equal(self.text, "their line\nab\u65e5\u672c\u00a0cd\n")
        self.write("!")
        self.saved()
        self.wait_equal(lambda: self.content(identifier), "their line\nab\u65e5\u672c!\u00a0cd\n")

    def test_keys_delete_what_they_delete_in_every_field(self):
        identifier = made("Keys", "one two\n\nthree 😀")
        self.note(identifier)
        # Places are counted in UTF-16 units.
        for at, key, expected in ((17, Keys.BACK_SPACE, "one two\n\nthree "), (8, Keys.BACK_SPACE, "one two\nthree "),
                                  (8, Keys.BACK_SPACE, "one twothree "), (0, Keys.DELETE, "ne twothree ")):
            self.caret(at)
            self.write(key)
            self.wait_equal(self.text, expected)
        self.caret(2)
        self.chord(Keys.DELETE)
        self.wait_equal(self.text, "ne ")
        self.saved()
        self.wait_equal(lambda: self.content(identifier), "ne ")

    def test_files_are_pasted_and_dropped_shown_and_removed(self):
        identifier = made("Pictures", "before\nafter")
        self.note(identifier)
        self.caret(6)
        self.give("paste", ".note-text", ["a b.png", "image/png", PIXEL])
        self.wait_equal(lambda: self.content(identifier), "before![a b.png](attachments/a%20b.png)\nafter")
        self.caret(0)
        script = base64.b64encode(b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>").decode()
        self.give("drop", "#details", ["evil.svg", "image/svg+xml", script], ["paper.pdf", "application/pdf", PIXEL])
        start = "![evil.svg](attachments/evil.svg)\n[paper.pdf](attachments/paper.pdf)before"
        self.wait(lambda: self.content(identifier).startswith(start), "the links to the dropped files")
        self.wait_equal(lambda: self.browser.execute_script("return [...document.querySelectorAll('.file-name')].map((it) => it.textContent)"),
                        ["a b.png", "evil.svg", "paper.pdf"])
        self.wait(lambda: self.browser.execute_script("return document.querySelector('.note-text .pictures img')?.naturalWidth"), "the picture in the text")
        self.assertEqual(self.browser.execute_script("return document.querySelectorAll('.note-text img').length"), 1, "SVG is only saved")
        self.chord(Keys.ENTER)
        self.wait(lambda: self.browser.execute_script("return document.querySelector('.markdown img')?.naturalWidth"), "the picture")
        self.assertEqual(self.browser.execute_script("return document.querySelectorAll('.markdown img').length"), 1, "SVG is only saved")
        self.assertEqual([it.text for it in self.browser.find_elements("css selector", ".file-link")], ["evil.svg", "paper.pdf"])
        heads = self.browser.execute_async_script("""
            const done = arguments[1];
            (async () => {
              const { attachments } = await (await fetch(`/api/notes/${arguments[0]}`, { headers: { "Hub-Key": localStorage.getItem("hub-key") } })).json();
              const answers = await Promise.all(attachments.map(({ sha256 }) => fetch(`/api/notes/${arguments[0]}/attachments/${sha256}`, { headers: { "Hub-Key": localStorage.getItem("hub-key") } })));
              return answers.map(({ headers }) => ["content-type", "content-disposition", "x-content-type-options"].map((name) => headers.get(name)));
            })().then(done);""".replace("arguments[0]", "id").replace("const done", "const id = arguments[0]; const done"), identifier)
        self.assertEqual(heads[0], ["image/png", None, "nosniff"])
        self.assertEqual(heads[1], ["application/octet-stream", "attachment; filename*=UTF-8''evil.svg", "nosniff"])
        for width in (1440, 360):
            self.resize(width, 800)
            self.assert_fits(width)
            self.picture(f"notes_attachments_{width}")
        self.resize(1200, 800)
        self.click("[aria-label='Remove evil.svg']")
        self.wait(lambda: "evil.svg" not in self.content(identifier), "the link is removed")
        self.assertEqual([it["name"] for it in json.loads(hub("notes", "attachments", identifier, "--json"))], ["a b.png", "paper.pdf"])

    def test_a_file_makes_a_new_note(self):
        self.open("?view=new&title=Scan")
        self.wait(lambda: self.one(".note-text").is_displayed(), "the note")
        self.give("drop", "#details", ["scan.pdf", "application/pdf", PIXEL])
        self.wait(lambda: "id=" in self.browser.current_url, "the address of the note")
        identifier = self.browser.current_url.split("id=")[1].split("&")[0]
        self.wait_equal(lambda: self.content(identifier), "[scan.pdf](attachments/scan.pdf)")
        self.open("?view=new")
        self.wait(lambda: self.one(".note-text").is_displayed(), "the note")
        self.away(True)
        self.give("drop", "#details", ["scan.pdf", "application/pdf", PIXEL])
        self.shows("#hub-toast", "Not done. The note could not be saved.")
        self.wait_equal(self.text, "")
        self.away(False)
        self.browser.get_log("browser")

    def test_a_history_of_no_note_says_so(self):
        self.open("?view=history")
        self.shows("#details", "No note selected")


if __name__ == "__main__":
    run()
