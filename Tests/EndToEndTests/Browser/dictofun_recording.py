"""Recording with the microphone, which beeps once a second here; and what is kept when the page, or hub, is gone."""

from selenium.webdriver.common.by import By

from access import Access
from dictofun_page import DictofunPage, records, shown
from page import hub, run


class Recording(Access, DictofunPage):
    options = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream", "--autoplay-policy=no-user-gesture-required"]

    def record(self, seconds=2):
        """Begins a recording, and waits until some of it is there."""
        self.known = {row["id"] for row in records()}
        self.press("n")
        self.wait(lambda: self.one("#recording").is_displayed(), "the recording")
        self.wait(lambda: self.seconds() >= seconds, "some sound")

    def seconds(self):
        minutes, seconds = self.one("#recording .time").text.split(":")
        return 60 * int(minutes) + int(seconds)

    def level(self):
        return float(self.browser.execute_script("return document.querySelector('#recording').style.getPropertyValue('--level')").rstrip("%") or 0)

    def new(self):
        return [row for row in records() if row["id"] not in self.known]

    def assert_saved(self, least):
        self.wait(lambda: len(self.new()) == 1, "the record")
        row = shown(self.new()[0]["id"])
        self.assertEqual(row["format"], "ogg")
        self.assertGreaterEqual(row["length_ms"], least)
        self.assertFalse(row["is_time_unknown"])
        self.assertEqual(row["name"].replace("Recording ", "").replace(" ", "T").replace(".", ":"), row["recorded_at"])
        # What the engine hears follows from the length, and that from how busy the machine is.
        self.wait(lambda: shown(row["id"])["text"], "its text")
        self.assertEqual(self.kept(), 0)
        hub("dictofun", "rm", row["id"], "--yes")
        return row

    def kept(self):
        """The number of recordings that the browser keeps."""
        return self.browser.execute_async_script("""
            const done = arguments[0], request = indexedDB.open("hub-dictofun", 1);
            request.onsuccess = () => {
              const count = request.result.transaction("recordings").objectStore("recordings").count();
              count.onsuccess = () => { done(count.result); request.result.close(); };
            };""")

    def test_a_recording_shows_level_and_time_can_be_paused_and_becomes_a_record(self):
        self.record(1)
        self.wait(lambda: self.level() > 10, "a beep")
        self.assertEqual(self.browser.execute_script("return document.querySelector('main').scrollTop"), 0, "nothing is below the bar")
        self.picture("dictofun-recording")
        self.assert_accessible("while recording")
        self.resize(360, 740)
        self.settle()
        self.assert_fits(360)
        self.picture("dictofun-recording-phone")
        for button in self.browser.find_elements(By.CSS_SELECTOR, "#recording button"):
            self.assertGreaterEqual(min(button.size["width"], button.size["height"]), 44)
        self.resize(1200, 800)
        self.click("#recording [aria-label='Pause']")
        self.shows("#recording", "Paused")
        paused = self.seconds()
        self.wait(lambda: self.level() == 0, "no level")
        # Other records can be looked at meanwhile.
        self.open_row()
        self.assertEqual(self.seconds(), paused)
        self.click("#recording [aria-label='Continue']")
        self.wait(lambda: self.seconds() > paused, "more of it")
        self.click("#recording .main")
        self.shows("#hub-toast", "The recording is saved.")
        self.shows(".record-head", "Recording ")
        self.assertFalse(self.one("#recording").is_displayed())
        row = self.assert_saved(1000 * paused)
        self.assertIn(row["id"], self.browser.current_url)

    def open_row(self):
        self.click("[data-index='1']")
        self.shows(".transcript", "Idea")

    def test_a_recording_is_discarded_after_a_question(self):
        self.record(0)
        self.click("#recording [aria-label='Discard']")
        self.shows("#discard", "Discard this recording?")
        self.click("#discard .danger")
        self.wait(lambda: not self.one("#recording").is_displayed(), "the end")
        self.wait(lambda: self.kept() == 0, "nothing is kept")
        self.assertEqual(self.new(), [])

    def test_what_was_recorded_when_the_tab_died_is_saved_by_the_next_page(self):
        self.record(3)
        first = self.browser.current_window_handle
        self.browser.switch_to.new_window("tab")
        second = self.browser.current_window_handle
        self.browser.switch_to.window(first)
        # Closed as by the system: no page is asked.
        self.browser.execute_cdp_cmd("Target.closeTarget", {"targetId": first})
        self.browser.switch_to.window(second)
        self.open()
        self.shows("#hub-toast", "The interrupted recording of")
        self.assert_saved(1500)

    def test_a_recording_is_saved_when_hub_is_back(self):
        self.record(1)
        self.browser.execute_script("""
            const fetch = window.fetch;
            window.lost = [];
            window.backAgain = () => { window.fetch = fetch; dispatchEvent(new Event("online")); };
            window.fetch = async (address, options) => {
              if (!String(address).includes("/api/dictofun/import")) return fetch(address, options);
              window.lost.push(address);
              throw new TypeError("Failed to fetch");
            };""")
        self.click("#recording .main")
        self.shows("#hub-toast", "as soon as hub responds")
        self.assertEqual(self.kept(), 1)
        self.browser.execute_script("window.backAgain()")
        self.shows("#hub-toast", "The recording is saved.")
        self.assert_saved(900)

    def test_an_upload_goes_on_where_the_connection_was_lost(self):
        # 20 MB in three pieces: the answer to the first and the whole second request are lost.
        sent = self.browser.execute_async_script("""
            const done = arguments[0], fetch = window.fetch, sent = [];
            let count = 0;
            window.fetch = async (address, options) => {
              const url = new URL(address, location.href);
              if (url.pathname !== "/api/dictofun/import" || options.method === "GET") return fetch(address, options);
              count += 1;
              sent.push(Number(url.searchParams.get("offset")));
              if (count === 1) await fetch(address, options);
              if (count <= 2) { setTimeout(() => dispatchEvent(new Event("online")), 50); throw new TypeError("Failed to fetch"); }
              return fetch(address, options);
            };
            const file = new File([new Uint8Array(20 << 20)], "Long.bin");
            import("/assets/components/files.js")
              .then(({ sendFile }) => sendFile("/api/dictofun/import", file, { resumes: true }))
              .catch((error) => error.code)
              .then((answer) => { window.fetch = fetch; done([answer, sent]); });""")
        # The second finds the first received; the third and last parts follow; zeros are not sound.
        self.assertEqual(sent[0], "sound-unknown")
        self.assertEqual(sorted(set(sent[1])), [0, 8 << 20, 16 << 20])
        self.refusals = [400, 409, 422]

    def test_a_page_without_microphone_says_why(self):
        for name, script, words in [
            ("plain", "Object.defineProperty(navigator, 'mediaDevices', { value: undefined }); Object.defineProperty(window, 'isSecureContext', { value: false });", "hub.web.listen"),
            ("denied", "navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('', 'NotAllowedError'); };", "Allow it in the settings"),
            ("none", "navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('', 'NotFoundError'); };", "Connect one"),
        ]:
            self.open()
            self.browser.execute_script(script)
            self.click("#record button")
            self.shows("#no-microphone", words)
            self.picture("dictofun-no-microphone-" + name)
            self.click("#no-microphone button")
        self.assertFalse(self.one("#recording").is_displayed())

    def test_several_files_are_all_tried_each_with_its_own_result(self):
        self.browser.execute_script("""
            const wave = (pitch) => {
              const view = new DataView(new ArrayBuffer(44 + 16000));
              const text = (place, words) => [...words].forEach((it, index) => view.setUint8(place + index, it.charCodeAt(0)));
              text(0, "RIFF"); view.setUint32(4, 16036, true); text(8, "WAVEfmt "); view.setUint32(16, 16, true); view.setUint16(20, 1, true); view.setUint16(22, 1, true);
              view.setUint32(24, 8000, true); view.setUint32(28, 16000, true); view.setUint16(32, 2, true); view.setUint16(34, 16, true); text(36, "data"); view.setUint32(40, 16000, true);
              for (let place = 0; place < 8000; place++) view.setInt16(44 + 2 * place, 9000 * Math.sin(place * pitch), true);
              return view.buffer;
            };
            const data = new DataTransfer();
            for (const [name, content] of [["first.wav", wave(0.3)], ["second.wav", "not sound"], ["empty.wav", ""], ["third.wav", wave(0.4)]]) data.items.add(new File([content], name));
            document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));""")
        self.shows("#import-results", "2 files of 4 imported")
        lines = [it.text.split("\n") for it in self.browser.find_elements(By.CSS_SELECTOR, "#import-results li")]
        self.assertEqual([name for name, _ in lines], ["first.wav", "second.wav", "empty.wav", "third.wav"])
        self.assertEqual([words for _, words in lines][::3], ["Imported.", "Imported."])
        self.assertIn("not supported", lines[1][1])
        self.assertIn("is empty", lines[2][1])
        self.picture("dictofun-import-results")
        self.refusals = [400, 422]
        self.click("#import-results button")
        for name in ["first", "third"]:
            hub("dictofun", "rm", next(row["id"] for row in records() if row["name"] == name), "--yes")


if __name__ == "__main__":
    run()
