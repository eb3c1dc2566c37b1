"""The component library in Chromium, on a page of its own: what stays where it is while other things change.

The server is this script's own, with the content security policy of hub; it needs no store.
"""

import functools
import http.server
import io
import json
import math
import os
import queue
import struct
import sys
import threading
import unittest
import wave

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from page import Page, run, start_browser

HERE = os.path.dirname(os.path.abspath(__file__))
ASSETS = os.path.join(HERE, "../../../Sources/HubRuntime/Web/Assets")
TYPES = {"js": "text/javascript", "css": "text/css", "html": "text/html; charset=utf-8", "svg": "image/svg+xml", "wav": "audio/wav"}
POLICY = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"


def tone():
    """A quiet tone of ten seconds."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(b"".join(struct.pack("<h", int(300 * math.sin(place / 4))) for place in range(80_000)))
    return file.getvalue()


class Things:
    """What the toy API holds: things, what was done, and who listens."""

    def __init__(self):
        self.things, self.asked, self.undone, self.listeners, self.number = [], [], [], [], 0

    def add(self, name):
        self.number += 1
        self.things.append({"id": self.number, "name": name})
        for listener in self.listeners:
            listener.put({"topics": ["domain.toy/thing-added"]})


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, things, *rest):
        self.api = things
        super().__init__(*rest)

    def answer(self, body, kind, headers=()):
        self.send_response(200)
        for name, value in [("Content-Type", kind), ("Content-Length", str(len(body))), ("Content-Security-Policy", POLICY), ("Cache-Control", "no-store"), *headers]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        path = self.path.split("?")[0]
        self.api.asked.append(path)
        if path == "/api/things":
            return self.answer(json.dumps(self.api.things).encode(), "application/json")
        if path == "/api/live":
            return self.stream()
        if path == "/toy/tone.wav":
            return self.answer(tone(), "audio/wav")
        folder, name = (ASSETS, path[len("/assets/"):]) if path.startswith("/assets/") else (HERE + "/toy", path.split("/")[-1] or "toy.html")
        try:
            with open(os.path.join(folder, name), "rb") as file:
                self.answer(file.read(), TYPES[name.rsplit(".", 1)[-1]])
        except (FileNotFoundError, KeyError):
            self.send_error(404)

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/api/undo":
            self.api.undone.append(body["operation"])
            return self.answer(b"{}", "application/json", [("Hub-Operation", "un" + body["operation"])])
        self.api.add(f"Thing {self.api.number + 1}")
        self.answer(json.dumps(self.api.things[-1]).encode(), "application/json", [("Hub-Operation", f"op{self.api.number}")])

    def stream(self):
        events = queue.Queue()
        self.api.listeners.append(events)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.close_connection = True
        try:
            self.wfile.flush()
            while (event := events.get()) is not None:
                self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
                self.wfile.flush()
        except OSError:
            pass

    def log_message(self, *_):
        pass


class ToyServer(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *client):
        # A browser that leaves a page in the middle of an answer closes the connection.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(*client)


class Components(Page):
    plugin = "toy"

    @classmethod
    def setUpClass(cls):
        cls.api = Things()
        server = ToyServer(("127.0.0.1", 0), functools.partial(Server, cls.api))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        cls.addClassCleanup(server.server_close)
        cls.addClassCleanup(server.shutdown)
        cls.addClassCleanup(lambda: [listener.put(None) for listener in cls.api.listeners])
        cls.browser = start_browser()
        cls.addClassCleanup(cls.browser.quit)
        cls.home = f"http://127.0.0.1:{server.server_port}/"

    def setUp(self):
        self.refusals = []
        self.resize(1200, 800)
        self.scheme("light")

    def show(self, part):
        self.open("?" + part)

    def ready(self):
        return self.do("return window.toy?.isReady")

    def do(self, script, *words):
        return self.browser.execute_script(script, *words)

    # Patching

    def test_what_is_typed_played_and_selected_stays_while_everything_else_changes(self):
        self.show("live")
        self.one("textarea").send_keys("Some words", Keys.ARROW_LEFT, Keys.ARROW_LEFT)
        self.do("document.querySelector('details').open = true; document.querySelector('.pane').scrollTop = 3000;"
                "const audio = document.querySelector('audio'); audio.muted = true; window.sound = audio; return audio.play()")
        self.do("window.pauses = 0; sound.addEventListener('pause', () => { pauses += 1; }); toy.update(7, 3.5); toy.redrawAll(); toy.reverse(); toy.redrawAll()")
        self.assertEqual(self.do("const it = document.activeElement; return [it.tagName, it.value, it.selectionStart]"), ["TEXTAREA", "Some words", 8])
        self.assertEqual(self.do("return [sound === document.querySelector('audio'), sound.paused, pauses]"), [True, False, 0])
        self.assertTrue(self.do("return document.querySelector('details').open"))
        self.assertEqual(self.do("return document.querySelector('.pane').scrollTop"), 3000)
        self.assertEqual(self.one("h1").text, "Board again")
        self.do("getSelection().selectAllChildren(document.getElementById('prose')); toy.redrawAll()")
        self.assertEqual(self.do("return String(getSelection())"), "Some words that one selects for copying.")

    def test_a_row_with_the_focus_keeps_it_when_the_others_move_around_it(self):
        self.show("live")
        self.do("const it = document.querySelector('#rows tr:nth-child(100) button'); it.focus(); window.held = it")
        self.do("window.blurs = 0; held.addEventListener('blur', () => { blurs += 1; }); toy.reverse()")
        self.assertEqual(self.do("return [document.activeElement === held, blurs, document.querySelector('#rows tr').textContent]"),
                         [True, 0, "Coin 199299.000.00Buy 199"])
        self.assertEqual(self.do("return [...document.querySelectorAll('#rows th')].map((it) => it.textContent)[100]"), "Coin 99")

    def test_the_neighbour_gets_the_focus_of_a_row_that_goes(self):
        self.show("live")
        self.do("document.querySelector('#rows tr:nth-child(6) button').focus(); toy.remove(5)")
        self.assertEqual(self.do("return document.activeElement.textContent"), "Buy 6")

    def test_a_table_of_200_rows_takes_50_updates_a_second(self):
        self.show("live")
        self.browser.execute_cdp_cmd("Performance.enable", {})
        self.one("textarea").send_keys("Words")
        before = self.work()
        took = self.browser.execute_async_script("const done = arguments[0]; toy.run(250, 50).then(done)")
        after = self.work()
        self.assertEqual(self.do("return document.querySelectorAll('#rows tr').length"), 200)
        self.assertEqual(self.value("textarea"), "Words")
        # A figure for people, not a condition: the machine may be busy.
        print(f"200 rows, 250 updates in {took:.0f} ms: script {1e5 * (after['ScriptDuration'] - before['ScriptDuration']) / took:.2f} % of a core, "
              f"all work of the page {1e5 * (after['TaskDuration'] - before['TaskDuration']) / took:.2f} %", file=sys.stderr)

    def work(self):
        return {line["name"]: line["value"] for line in self.browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]}

    # Views

    def test_a_view_reads_once_and_follows_the_events_of_its_topic(self):
        self.api.things.clear()
        self.api.asked.clear()
        self.show("followed")
        self.shows("main", "No things yet")
        self.assertEqual(self.api.asked.count("/api/things"), 1)
        self.one("input").send_keys("half a wo")
        self.api.add("Kettle")
        self.shows("ul", "Kettle")
        self.assertEqual(self.do("const it = document.activeElement; return [it.tagName, it.value, it.selectionStart]"), ["INPUT", "half a wo", 9])
        self.assertEqual(self.api.asked.count("/api/things"), 2)
        self.assertEqual(self.one("h1").text, "1 thing")

    # The list

    def test_a_list_of_100_000_draws_what_is_in_sight_and_is_one_tab_stop(self):
        self.show("list")
        self.shows(".pane", "A person 0")
        self.assertLess(self.do("return document.querySelectorAll('.list-row').length"), 60)
        self.assertEqual(self.do("return document.querySelectorAll('.pane [tabindex=\"0\"]').length"), 1)
        self.press(Keys.TAB, Keys.TAB)
        self.do("document.querySelector('.list-row[tabindex=\"0\"]').focus()")
        self.press(Keys.END)
        self.wait(lambda: "Z person 99999" in self.focused(), "the last one")
        self.assertLess(self.do("return toy.reads.length"), 6)
        self.press(Keys.ARROW_UP)
        self.wait(lambda: "Z person 99998" in self.focused(), "the one before")
        self.press(Keys.HOME, Keys.PAGE_DOWN)
        self.wait(lambda: "A person" in self.focused() and "person 0" not in self.focused(), "a page further")
        self.press(Keys.ENTER)
        self.wait(lambda: self.do("return toy.opened") == self.do("return document.activeElement.dataset.id"), "it is open")

    def focused(self):
        return self.do("return document.activeElement.textContent")

    def test_several_are_selected_by_keys_pointer_and_a_range(self):
        self.show("list")
        self.shows(".pane", "A person 0")
        self.do("document.querySelector('.list-row').focus()")
        self.press(" ", Keys.ARROW_DOWN)
        ActionChains(self.browser).key_down(Keys.SHIFT).send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN).key_up(Keys.SHIFT).perform()
        self.wait_equal(lambda: self.do("return toy.selected"), ["p1", "p2", "p3"])
        ActionChains(self.browser).key_down(Keys.CONTROL).click(self.one("[data-index='6']")).key_up(Keys.CONTROL).perform()
        self.wait_equal(lambda: self.do("return toy.selected"), ["p1", "p2", "p3", "p6"])
        self.click("[data-index='2'] .pick")
        self.wait_equal(lambda: self.do("return toy.selected"), ["p1", "p3", "p6"])
        self.assertEqual(self.one("[data-index='3']").get_attribute("aria-selected"), "true")
        self.press(Keys.ESCAPE)
        self.wait_equal(lambda: self.do("return toy.selected"), [])

    def test_a_letter_jumps_to_its_place(self):
        self.show("list")
        self.shows(".pane", "A person 0")
        self.click(".letters span:nth-child(14)")
        self.shows(".pane", "N person 50000")

    # Forms

    def test_a_form_gives_back_what_it_was_filled_with(self):
        self.show("form")
        self.assertEqual(self.do("return toy.form.read()"), {
            "name": "Ada", "phones": [{"kind": "mobile", "value": "+44 1"}], "born": "1815-12-10", "tags": ["friends"], "size": "m", "plan": "a",
            "days": ["mo"], "news": True, "note": ""})
        self.assertFalse(self.do("return toy.form.isDirty()"))

    def test_every_field_is_filled_by_the_keyboard(self):
        self.show("form")
        self.fill("[data-field=name] input", "Grace")
        self.click("[data-field=phones] > .quiet")
        self.press("+1 2")
        self.one("[data-field=phones] .row:nth-child(2) select.kind").send_keys("C")
        self.wait(lambda: self.focus_is_in("input.kind"), "a kind of one's own")
        self.press("boat")
        self.fill("[data-field=born] .day", "9")
        self.one("[data-field=born] select").send_keys("December")
        self.fill("[data-field=born] .year", "")
        self.one("[data-field=tags] input").send_keys("che", Keys.ARROW_DOWN, Keys.ENTER, "navy,")
        self.press(Keys.TAB)
        self.one("[data-field=plan] input[value=b]").send_keys(" ")
        self.one("[data-field=days] input[value=tu]").send_keys(" ")
        self.assertEqual(self.do("return toy.form.read()"), {
            "name": "Grace", "phones": [{"kind": "mobile", "value": "+44 1"}, {"kind": "boat", "value": "+1 2"}], "born": "--12-09",
            "tags": ["friends", "chess", "navy"], "size": "m", "plan": "b", "days": ["mo", "tu"], "news": True, "note": ""})
        self.assertTrue(self.do("return toy.form.isDirty()"))
        ActionChains(self.browser).key_down(Keys.CONTROL).send_keys(Keys.ENTER).key_up(Keys.CONTROL).perform()
        self.wait(lambda: self.do("return toy.saved"), "it is saved")
        self.assertFalse(self.do("return toy.form.isDirty()"))

    def test_a_mistake_is_named_beside_save_and_at_its_field(self):
        self.show("form")
        self.fill("[data-field=name] input", "")
        self.click(".form-bar .main")
        self.shows(".summary", "Name: A person needs a name.")
        self.shows("[data-field=name] .problem", "A person needs a name.")
        self.wait(lambda: self.focus_is_in("[data-field=name]"), "the focus")

    def test_an_error_of_no_field_is_seen_where_one_looks(self):
        self.show("form")
        self.resize(360, 500)
        self.do("toy.failWith('the disk is full', 'free some space')")
        self.do("scrollTo(0, 0); toy.form.submit()")
        self.shows(".summary", "Not saved. The disk is full. Free some space.")
        self.wait(lambda: self.focus_is_in(".summary"), "the focus")
        self.assertTrue(self.do("const box = document.querySelector('.summary').getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight"))

    def test_changes_elsewhere_come_into_the_form_and_typed_words_stay(self):
        self.show("form")
        self.fill("[data-field=name] input", "Ada King")
        self.do("toy.change({ name: 'Countess', tags: ['friends', 'chess'], born: '1815-12-11' })")
        self.click(".form-bar .main")
        self.shows(".newer", "Your value is kept: Ada King.")
        self.assertEqual(self.do("const { name, tags, born } = toy.form.read(); return [name, tags, born]"), ["Ada King", ["friends", "chess"], "1815-12-11"])
        self.click(".form-bar .main")
        self.wait(lambda: self.do("return toy.saved"), "it is saved")

    # Keys, messages, menus

    def test_keys_act_and_can_be_turned_off(self):
        self.show("parts")
        self.press("n")
        self.wait_equal(lambda: self.do("return toy.pressed"), "n")
        self.press("g", "t")
        self.wait_equal(lambda: self.do("return toy.pressed"), "g t")
        self.do("document.documentElement.dataset.shortcuts = 'off'")
        self.press("n")
        self.chord(Keys.ENTER)
        self.wait_equal(lambda: self.do("return toy.pressed"), "save")
        self.do("delete document.documentElement.dataset.shortcuts")
        self.press("?")
        self.shows("#help", "New thing")
        self.press(Keys.ESCAPE)

    def test_undo_and_redo_are_a_stack(self):
        self.api.undone.clear()
        self.show("parts")
        self.do("sessionStorage.clear()")
        for count in (1, 2):
            self.do("return toy.act()")
        self.chord("z")
        self.wait(lambda: len(self.api.undone) == 1, "the last one")
        self.shows("#hub-toast", "Undone: Thing")
        self.press("u")
        self.wait(lambda: len(self.api.undone) == 2, "the one before")
        done = list(self.api.undone)
        self.assertGreater(done[0], done[1])
        ActionChains(self.browser).key_down(Keys.CONTROL).key_down(Keys.SHIFT).send_keys("z").key_up(Keys.SHIFT).key_up(Keys.CONTROL).perform()
        self.wait_equal(lambda: self.api.undone[2:], ["un" + done[1]])

    def test_a_menu_works_by_keyboard_and_gives_the_focus_back(self):
        self.show("parts")
        self.do("document.querySelector('.menu-button').focus()")
        self.press(Keys.ENTER)
        self.wait(lambda: self.focus_is_in("[role=menuitem]"), "the menu")
        below = "return document.querySelector('[role=menu]').getBoundingClientRect().top - document.querySelector('.menu-button').getBoundingClientRect().bottom"
        self.assertGreaterEqual(self.do(below), 0, "it covers its button")
        self.press(Keys.ARROW_DOWN, Keys.ENTER)
        self.wait_equal(lambda: self.do("return toy.chosen"), "delete")
        self.wait(lambda: self.focus_is_in(".menu-button"), "the button again")

    def test_a_message_goes_after_its_time_unless_somebody_is_at_it(self):
        self.show("form")
        self.do("toy.tell('Saved.')")
        self.shows("#hub-toast", "Saved.")
        self.do("document.querySelector('#hub-toast button').focus(); messageEnds()")
        self.shows("#hub-toast", "Saved.")
        self.do("document.activeElement.blur(); messageEnds()")
        self.wait_equal(lambda: self.one("#hub-toast").text, "")

    def test_the_message_does_not_cover_what_has_the_focus(self):
        self.show("form")
        self.resize(360, 500)
        self.do("toy.tell('Saved as always, with quite a few words so that it is wide.')")
        for _ in range(25):
            self.press(Keys.TAB)
            covered = self.do("""const it = document.activeElement, box = document.getElementById('hub-toast');
                if (box.contains(it) || it === document.body) return null;
                return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
                  const [one, other] = [it.getBoundingClientRect(), box.getBoundingClientRect()];
                  done(one.top >= other.top && one.bottom <= other.bottom ? it.outerHTML : null);
                })))""")
            self.assertIsNone(covered)

    def test_a_floating_button_does_not_cover_what_has_the_focus(self):
        self.show("form")
        self.resize(360, 500)
        self.do("""const it = document.createElement('span');
            it.className = 'floating';
            Object.assign(it.style, { position: 'fixed', inset: 'auto 0 80px 0', height: '120px' });
            document.body.append(it)""")
        for _ in range(25):
            self.press(Keys.TAB)
            covered = self.do("""const it = document.activeElement, button = document.querySelector('.floating');
                // What does not scroll stays where it is; a page with such a bar shows no button.
                if (it.closest('.form-bar')) return null;
                return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
                  const [one, other] = [it.getBoundingClientRect(), button.getBoundingClientRect()];
                  done(one.top >= other.top && one.bottom <= other.bottom && one.left >= other.left ? it.outerHTML : null);
                })))""")
            self.assertIsNone(covered)

    def test_charts_are_read_by_keys_and_as_tables(self):
        self.show("parts")
        self.do("document.querySelector('.bars .chart-drawing').focus()")
        self.press(Keys.END)
        self.wait_equal(lambda: self.one(".bars .chart-value").text, "Sun: 8")
        self.press(Keys.ARROW_LEFT)
        self.wait_equal(lambda: self.one(".bars .chart-value").text, "Sat: 7")
        self.do("document.querySelector('.bars details').open = true")
        self.assertIn("Wed 4", self.one(".bars table").text)

    def test_items_are_put_in_order_by_buttons(self):
        self.show("parts")
        self.click("[aria-label='Move one down']")
        self.wait_equal(lambda: self.do("return toy.moved"), ["one", 0, 1])
        self.assertEqual(self.do("return document.activeElement.getAttribute('aria-label')"), "Move one down")

    def test_the_parts_fit_a_phone_and_are_readable(self):
        for part in ("form", "parts", "list"):
            self.show(part)
            self.resize(360, 740)
            for scheme in ("light", "dark"):
                self.scheme(scheme)
                self.picture(f"components-{part}-{scheme}")
            self.assertLessEqual(self.do("return document.documentElement.scrollWidth"), 360)


if __name__ == "__main__":
    run()
