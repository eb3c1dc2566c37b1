"""The list, the player, the text, tags, trash and files, as a person uses them."""

import os
import subprocess

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from dictofun_page import DictofunPage, imported, records, shown, sound
from page import hub, luminance, run


class Records(DictofunPage):
    start = None

    def lines(self):
        return [it.text for it in self.browser.find_elements(By.CSS_SELECTOR, ".transcript p")]

    def show(self, identifier, more=""):
        self.open(f"?id={identifier}{more}")
        self.wait(lambda: self.one(".transcript li").is_displayed(), "the text")

    def jump(self, start):
        """Plays from the phrase that begins at this millisecond."""
        self.click(f".transcript li[data-start='{start}'] button")

    def slowly(self):
        """Lets the sound of 20 seconds last for five minutes, since on a busy machine many pass between two looks."""
        self.wait(self.is_playing, "the sound")
        self.browser.execute_script("document.getElementById('sound').playbackRate = 0.0625")

    def test_the_list_shows_what_was_said_newest_first_by_month(self):
        self.open()
        self.wait_equal(self.titles, ["Call the plumber about the boiler before Monday, and ask whether the old pump can stay. Mother's birthday is on the…",
                                      "Idea: sort the board by what changed since yesterday.", "Buy oat milk and bread."])
        self.assertEqual([it.text for it in self.browser.find_elements(By.CSS_SELECTOR, ".list-group")], ["November 2026", "October 2026"])
        self.shows(".count", "3 records")
        self.assertIn("home", self.one("[data-index='0'] .subtitle").text)
        self.assertTrue(self.one("[data-index='0'] .aside").text.startswith("0:20"))

    def test_search_finds_spoken_words_and_marks_them(self):
        self.open()
        self.search("boil")
        self.wait_equal(lambda: [it[:16] for it in self.titles()], ["Call the plumber"])
        self.shows(".count", "1 match")
        self.press(Keys.ENTER)
        self.wait(lambda: [it.text for it in self.browser.find_elements(By.CSS_SELECTOR, ".transcript mark")] == ["boiler"], "the mark")
        self.search("qqqq")
        self.shows("#list-state", "No record matches “qqqq”")

    def test_tags_filter_the_list_and_are_changed(self):
        self.open()
        self.click(".list-tools .menu-button")
        self.press("w", Keys.ENTER)
        self.wait_equal(lambda: [it[:4] for it in self.titles()], ["Idea"])
        self.assertIn("tag=work", self.browser.current_url)
        self.click(".list-tools .icon-button")
        self.wait(lambda: len(self.titles()) == 3, "all of them")
        self.show(self.idea)
        self.press("t")
        self.wait(lambda: self.focus_is_in("#tagging"), "the dialog")
        self.press("later", Keys.ENTER)
        self.click("#tagging .main")
        self.shows(".record-head .chips", "later")
        self.assertEqual(shown(self.idea)["tags"], ["later", "work"])
        self.press("u")
        self.wait_equal(lambda: shown(self.idea)["tags"], ["work"])

    def test_the_sound_plays_from_any_place_and_the_text_follows(self):
        self.show(self.plumber)
        starts = [int(it.get_attribute("data-start")) for it in self.browser.find_elements(By.CSS_SELECTOR, ".transcript li")]
        self.jump(starts[1])
        self.slowly()
        self.wait(lambda: self.place() * 1000 >= starts[1], "the place")
        self.wait(lambda: self.one(".transcript li.now").get_attribute("data-start") == str(starts[1]), "the phrase")
        self.wait(lambda: self.one(".transcript span.now").text in self.lines()[1], "the word")
        self.click(".player .play")
        self.wait(lambda: not self.is_playing(), "a pause")
        place = self.place()
        self.one(".player .play").send_keys(Keys.ARROW_RIGHT)
        self.wait(lambda: abs(self.place() - place - 5) < 0.2, "five seconds on")
        self.assertTrue(self.one(".wave").get_attribute("aria-valuetext").endswith("of 20 seconds"))

    def test_the_sound_comes_in_ranges_and_needs_a_ticket(self):
        self.show(self.plumber)
        self.jump(0)
        self.slowly()
        answers = self.browser.execute_async_script("""
            const done = arguments[0], url = document.getElementById("sound").src;
            const part = (address) => fetch(address, { headers: { Range: "bytes=100-199" } }).then(async (answer) => [answer.status, (await answer.arrayBuffer()).byteLength]);
            Promise.all([part(url), part(url.split("?")[0])]).then(done);""")
        self.assertEqual(answers[0], [206, 100])
        self.assertEqual(answers[1][0], 403)
        self.refusals = [403]

    def test_a_live_update_stops_neither_the_sound_nor_the_place_nor_the_typing(self):
        self.show(self.plumber)
        self.jump(0)
        self.slowly()
        self.click("#query")
        self.press("zq")
        self.press(Keys.ARROW_LEFT)
        self.wait_equal(self.titles, [])
        hub("dictofun", "tag", self.plumber, "urgent")
        self.shows(".record-head .chips", "urgent")
        self.assertTrue(self.is_playing(), "the sound goes on")
        self.assertEqual(self.browser.execute_script("const it = document.activeElement; return [it.id, it.value, it.selectionStart]"), ["query", "zq", 1])
        hub("dictofun", "untag", self.plumber, "urgent")
        self.fill("#query", "")
        self.press(Keys.BACKSPACE)
        self.wait(lambda: len(self.titles()) == 3, "all of them")

    def test_what_plays_stays_in_reach_while_something_else_is_shown(self):
        self.show(self.plumber)
        self.jump(0)
        self.slowly()
        self.assertFalse(self.one("#now").is_displayed())
        self.click("[data-index='1']")
        self.shows(".transcript", "Idea")
        self.shows("#now", "November 20")
        self.assertTrue(self.is_playing())
        self.picture("dictofun-now")
        self.click(".views a[href*='recorders']")
        self.shows("#details h2", "Recorders")
        self.assertTrue(self.is_playing())
        self.click("#now a")
        self.shows(".transcript", "plumber")
        self.wait(lambda: not self.one("#now").is_displayed(), "no bar for what is shown")
        self.click(".player .play")
        self.wait(lambda: not self.is_playing(), "a pause")

    def test_the_speed_is_chosen_and_kept(self):
        self.show(self.plumber)
        self.click(".speed")
        self.press("2", Keys.ENTER)
        self.shows(".speed", "2×")
        self.jump(0)
        self.wait(self.is_playing, "the sound")
        self.assertEqual(self.browser.execute_script("return document.getElementById('sound').playbackRate"), 2)
        self.show(self.idea)
        self.shows(".speed", "2×")
        self.press("-", "-", "-", "-")
        self.shows(".speed", "1×")

    def test_the_text_is_edited_in_place_and_the_engine_s_comes_back(self):
        self.show(self.milk)
        self.press("e")
        self.wait(lambda: self.focus_is_in("textarea"), "the text field")
        self.fill("textarea", "Buy oat milk, bread and butter.")
        hub("dictofun", "tag", self.milk, "shopping")
        self.shows(".record-head .chips", "shopping")
        self.assertEqual(self.value("textarea"), "Buy oat milk, bread and butter.")
        self.assertTrue(self.focus_is_in("textarea"))
        self.refusals = [412]
        self.chord(Keys.ENTER)
        # The tag has changed the record since: what was typed is still there, and is saved over it.
        self.shows(".newer", "changed elsewhere")
        self.chord(Keys.ENTER)
        self.shows("#hub-toast", "The text is saved.")
        self.wait_equal(self.lines, ["Buy oat milk, bread and butter."])
        # The words that were not changed still lead to their places.
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, ".transcript p span[data-start]")), 6)
        self.assertEqual(shown(self.milk)["text"], "Buy oat milk, bread and butter.")
        self.click(".head-actions [aria-label='More actions']")
        self.press("r", Keys.ENTER)
        self.wait_equal(self.lines, ["Buy oat milk and bread."])
        hub("dictofun", "untag", self.milk, "shopping")

    def test_leaving_an_edit_asks_first(self):
        self.open(f"?id={self.milk}&view=edit")
        self.wait(lambda: self.focus_is_in("textarea"), "the text field")
        self.press("X")
        self.press(Keys.ESCAPE)
        self.shows("#leave", "Leave without saving?")
        self.click("#leave .danger")
        self.wait_equal(self.lines, ["Buy oat milk and bread."])

    def test_a_record_is_transcribed_again(self):
        self.show(self.milk)
        self.click(".head-actions [aria-label='More actions']")
        self.press("t", Keys.ENTER)
        self.wait(lambda: self.focus_is_in("#engine"), "the engines")
        self.picture("dictofun-engine")
        self.click("#engine [value='whisper']")
        self.shows("#hub-toast", "will be transcribed")
        self.wait(lambda: not self.browser.find_elements(By.CSS_SELECTOR, ".job"), "the end of it")
        self.wait_equal(self.lines, ["Buy oat milk and bread."])

    def test_what_an_engine_lacks_is_a_command_that_can_be_copied(self):
        self.open("?view=engines")
        # The engine that one line installs comes first.
        self.shows(".engine .setup", "pip install faster-whisper")
        commands = [code.text for code in self.browser.find_elements(By.CSS_SELECTOR, ".engine .setup code")]
        self.assertTrue(any(command.startswith("hub config set plugins.dictofun.engine.") for command in commands), commands)
        self.assertFalse(any(command.endswith(".") for command in commands), "a command has no full stop")
        self.assertTrue(self.one(".engine .setup [aria-label='Copy the command']").is_displayed())

    def test_dropped_files_become_records_once(self):
        self.open()
        path = sound("Meeting notes.wav", 3, 500)
        self.click("#more button")
        # The driver cannot open the dialog of the system: the field behind it takes the file.
        self.browser.execute_script("HTMLInputElement.prototype.click = function () { window.chosen = this; };")
        for words in ["imported", "was already imported"]:
            self.press(Keys.ESCAPE)
            self.press("i")
            self.wait(lambda: self.browser.execute_script("return window.chosen?.isConnected ?? false"), "the field")
            self.browser.execute_script("window.chosen.hidden = false")
            self.browser.execute_script("return window.chosen").send_keys(path)
            self.shows("#hub-toast", words)
        self.shows(".record-head", "Meeting notes")
        self.wait_equal(self.lines, ["One two three."])
        identifier = next(row["id"] for row in records() if row["name"] == "Meeting notes")
        hub("dictofun", "rm", identifier, "--yes")
        self.shows(".callout", "In the trash since")

    def test_a_deleted_record_is_in_the_trash_and_comes_back(self):
        identifier = imported("20260102_030405.wav", 4, pitch=600)
        self.show(identifier)
        self.press("#")
        self.shows("#hub-toast", "The record moved to the trash.")
        self.open("?view=trash")
        self.shows(".cards", "One two three.")
        self.click(".cards li button")
        self.shows("#hub-toast", "restored")
        self.assertIn(identifier, [row["id"] for row in records()])
        self.press("u")
        self.wait(lambda: identifier not in [row["id"] for row in records()], "in the trash again")

    def test_several_are_tagged_at_once(self):
        self.open()
        self.click("[data-index='0'] .pick")
        self.click("[data-index='2'] .pick")
        self.shows(".selection-bar", "2 selected")
        self.picture("dictofun-selection")
        self.click(".selection-bar [aria-label='Change tags']")
        self.press("both", Keys.ENTER)
        self.click("#tagging .main")
        self.shows("#hub-toast", "Tags of 2 records changed.")
        self.press("u")
        self.wait(lambda: "both" not in shown(self.plumber)["tags"], "an undo")

    def test_exports_are_what_the_command_writes(self):
        self.show(self.plumber)
        for form in ["srt", "text", "markdown", "original"]:
            page = self.browser.execute_async_script("""
                const done = arguments[2];
                import("/assets/hub.js").then(async ({ getBlob }) => done([...new Uint8Array(await (await getBlob(`/api/dictofun/records/${arguments[0]}/export?as=${arguments[1]}`)).arrayBuffer())]));""", self.plumber, form)
            path = os.path.join(os.environ["HOME"], "export." + form)
            hub("dictofun", "export", self.plumber, "--as", form, "-o", path, "--force")
            with open(path, "rb") as file:
                self.assertEqual(bytes(page), file.read(), form)

    def test_a_recorder_s_file_is_played_as_wav(self):
        path = os.path.join(os.environ["HOME"], "0000260301101112.dictofun")
        with open(path, "wb") as file:
            file.write(b"adpcm;16000;2\0" + bytes((place * 37) % 256 for place in range(64 * 125 * 4 - 14)))
        hub("dictofun", "import", path)
        identifier = next(row["id"] for row in records() if row["name"] == "0000260301101112")
        self.show(identifier)
        self.jump(0)
        self.wait(self.is_playing, "the sound")
        url = self.browser.execute_script("return document.getElementById('sound').src")
        size = self.browser.execute_async_script("const [url, done] = arguments; fetch(url).then(async (answer) => done([answer.headers.get('Content-Type'), (await answer.arrayBuffer()).byteLength]))", url)
        self.assertEqual(size, ["audio/wav", 44 + 2 * 2 * (64 * 125 * 4 - 14)])
        hub("dictofun", "rm", identifier, "--yes")

    def dictaphone(self, seconds):
        """A record of a codec that the browser does not know."""
        path = os.path.join(os.environ["HOME"], "dictaphone.wav")
        subprocess.run(["sox", sound("plain.wav", seconds, 330), "-e", "ms-adpcm", path], check=True)
        hub("dictofun", "import", path)
        identifier = next(row["id"] for row in records() if row["name"] == "dictaphone")
        self.addCleanup(hub, "dictofun", "rm", identifier, "--yes")
        self.show(identifier)
        self.browser.execute_script("""
            window.said = new Set();
            new MutationObserver(() => said.add(document.querySelector(".player .converting")?.textContent))
              .observe(document.body, { subtree: true, childList: true, characterData: true });""")

    def converted(self):
        return "converted=1" in self.browser.execute_script("return document.getElementById('sound').src")

    def test_a_file_whose_codec_the_browser_does_not_know_is_played_by_the_first_press(self):
        self.dictaphone(40)
        self.click(".player .play")
        self.wait(lambda: self.is_playing() and self.place() > 0, "the sound")
        self.assertTrue(self.converted())
        self.assertIn("Converting the sound for this browser…", self.browser.execute_script("return [...said]"))
        self.wait_equal(lambda: self.one(".player .converting").text, "")
        self.press(" ")
        self.wait(lambda: not self.is_playing(), "a pause")

    def test_where_a_press_is_needed_again_play_has_the_focus(self):
        self.dictaphone(3)
        # As browsers refuse it when the press is too long ago.
        self.browser.execute_script("""
            const [sound, play] = [document.getElementById("sound"), HTMLMediaElement.prototype.play];
            sound.play = () => {
              if (!sound.src.includes("converted=1")) return play.call(sound);
              delete sound.play;
              return Promise.reject(new DOMException("", "NotAllowedError"));
            };""")
        self.click(".player .play")
        self.shows("#hub-toast", "The sound is ready. Press Play.")
        self.assertEqual([self.focused(), self.is_playing()], ["Play", False])
        self.press(Keys.ENTER)
        self.wait(self.is_playing, "the sound")

    def test_dark_and_light_are_both_readable(self):
        papers = []
        for name in ["light", "dark"]:
            self.scheme(name)
            self.show(self.plumber)
            self.jump(0)
            self.wait(lambda: self.one(".transcript span.now").is_displayed(), "the word")
            papers.append(luminance(self.style("html", "backgroundColor")))
            self.assert_readable([".list-row .title", ".list-row .subtitle", ".transcript p", ".transcript button", ".record-head .hint", ".player-times", ".speed", "#details h2", ".chip"], f"in {name}")
            self.click(".player .play")
        self.assertGreater(papers[0], 0.8)
        self.assertLess(papers[1], 0.1)


if __name__ == "__main__":
    run()
