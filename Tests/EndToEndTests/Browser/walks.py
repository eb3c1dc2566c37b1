"""The main paths of hub in four languages: by keys alone, by a finger alone, and while hub is away.

One browser and one hub walk all of them. The script starts and stops hub itself.
"""

import json

from selenium.webdriver.common.keys import Keys

from access import Access
from page import hub, run
from served import Served

# What a person of each language types: a name, a title, a text, a number and what it is, in a field and elsewhere; and the letter where n is.
LANGUAGES = {
    "pl-PL": {"name": "Łucja Żółkiewska", "habit": "Pływanie", "title": "Zakupy", "text": "świeży chleb", "typed": "7,5", "value": 7.5, "price": "1234,5",
              "day": "31", "n": "n", "direction": "ltr", "field": "7,5", "shown": "7,5"},
    "de-DE": {"name": "Jürgen Groß", "habit": "Übungen", "title": "Einkäufe", "text": "zwölf Brötchen", "typed": "7,5", "value": 7.5, "price": "1.234,5",
              "day": "31", "n": "n", "direction": "ltr", "field": "7,5", "shown": "7,5"},
    "ar-EG": {"name": "ليلى منصور", "habit": "سباحة", "title": "مشتريات", "text": "خبز طازج", "typed": "٧٫٥", "value": 7.5, "price": "١٬٢٣٤٫٥",
              "day": "٣١", "n": "ى", "direction": "rtl", "field": "7.5", "shown": "٧٫٥"},
    "ja-JP": {"name": "山田 花子", "habit": "水泳", "title": "買い物", "text": "食パンを買う", "typed": "７．５", "value": 7.5, "price": "１２３４．５",
              "day": "３１", "n": "n", "direction": "ltr", "field": "7.5", "shown": "7.5"},
}


def due(name):
    return next((row for row in json.loads(hub("mintee", "today", "--json=name,value,state")) if row["name"] == name), None)


class Walks(Access, Served):
    plugin = "mintee"
    start = None

    @classmethod
    def prepare(cls):
        hub("market", "list", "--limit", "1")
        hub("contacts", "new", "Ada Lovelace")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.agent = cls.browser.execute_script("return navigator.userAgent")

    def tearDown(self):
        # What cannot be reached is in the console, as it should be.
        self.browser.get_log("browser")
        self.browser.execute_cdp_cmd("Emulation.setLocaleOverride", {"locale": ""})

    def ready(self):
        return self.one("h1").is_displayed()

    def speak(self, language):
        """Makes the browser that of a person of this language."""
        self.browser.execute_cdp_cmd("Emulation.setLocaleOverride", {"locale": language.replace("-", "_")})
        self.browser.execute_cdp_cmd("Emulation.setUserAgentOverride", {"userAgent": self.agent, "acceptLanguage": language})

    def in_each_language(self, walk):
        for language, words in LANGUAGES.items():
            with self.subTest(language=language):
                self.speak(language)
                walk(words)

    def key(self, letter, code):
        """Presses a letter where it is on the keyboard of the language."""
        for kind in ["keyDown", "keyUp"]:
            self.browser.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": kind, "key": letter, "code": code})

    def type(self, words):
        """Types into what has the focus, as the keyboard of a phone does."""
        self.browser.execute_cdp_cmd("Input.insertText", {"text": words})

    def to(self, selector):
        """Presses Tab until something in the selector has the focus, and it is in sight."""
        for _ in range(60):
            if self.focus_is_in(selector):
                self.assertTrue(self.browser.execute_script("""
                    const it = document.activeElement, box = it.getBoundingClientRect();
                    const over = document.elementFromPoint(box.x + box.width / 2, box.y + Math.min(box.height / 2, 20));
                    return it.contains(over) || over?.contains(it) || it.closest("label")?.contains(over);"""), f"{selector} is in sight")
                return
            self.press(Keys.TAB)
        self.fail(f"no way by keys to {selector}")

    def go(self, path):
        """Opens a page as a link of the navigation does, by Enter."""
        self.to(f".places a[href='{path}']")
        self.press(Keys.ENTER)
        self.wait(lambda: path in self.browser.current_url and self.ready(), path)

    # By keys alone

    def test_keys_alone(self):
        self.in_each_language(self.walk_by_keys)

    def walk_by_keys(self, words):
        self.open("/")
        self.wait(lambda: self.one("#today h2, #today .rest, #today .lead").is_displayed(), "Today")
        self.go("/contacts")
        self.wait(lambda: self.one("#new a").is_displayed(), "the page")
        self.key(words["n"], "KeyN")
        self.wait(lambda: self.focus_is_in('[data-field="name"]'), "the form")
        self.type(words["name"])
        self.to(".date-part .day")
        self.type(words["day"])
        self.to(".date-part .month") if not self.focus_is_in(".date-part .month") else None
        self.press(Keys.ARROW_DOWN)
        self.chord(Keys.ENTER)
        self.shows("#details h2", words["name"])
        card = json.loads(hub("contacts", "show", self.browser.current_url.split("id=")[1].split("&")[0], "--json"))
        self.assertEqual((card["name"], card["birthday"]), (words["name"], "--01-31"))
        self.assertEqual(self.style("#details h2", "direction"), words["direction"])
        # The search finds it by a part of its name, and opens it.
        self.chord("k")
        self.wait(lambda: self.focus_is_in("dialog.search"), "the search")
        self.type(words["name"].split()[0])
        self.shows("#hits", words["name"])
        self.press(Keys.ESCAPE, Keys.ESCAPE)
        self.go("/mintee")
        self.wait(lambda: self.one("#new a").is_displayed(), "the page")
        hub("mintee", "new", words["habit"], "--on", "daily: x >= 5")
        self.shows("#view", words["habit"])
        self.to(".task .name")
        for _ in range(20):
            if self.browser.execute_script("return document.activeElement.textContent.includes(arguments[0])", words["habit"]):
                break
            self.press(Keys.ARROW_DOWN)
        self.key("v", "KeyV")
        self.wait(lambda: self.focus_is_in(".task .value"), "the field of the value")
        self.type(words["typed"])
        self.press(Keys.ENTER)
        self.wait(lambda: due(words["habit"])["value"] == words["value"], "the value")
        self.shows("#hub-toast", words["habit"])
        self.go("/market")
        self.wait(lambda: self.one(".board tbody tr").is_displayed(), "the board")
        self.key("b", "KeyB")
        self.wait(lambda: self.one("form.form").is_displayed(), "the form")
        self.to('[data-field="token"] input')
        self.type("demo:demo-1")
        self.to('[data-field="amount"] input')
        self.type(words["typed"])
        self.to('[data-field="price"] input')
        self.type(words["price"])
        self.chord(Keys.ENTER)
        self.shows("#hub-toast", words["shown"])
        last = json.loads(hub("market", "portfolio", "history", "--json"))[-1]
        self.assertEqual((float(last["amount"]), float(last["price"])), (7.5, 1234.5))
        self.press("u")
        self.wait(lambda: not json.loads(hub("market", "portfolio", "history", "--json")), "the undo")
        self.go("/notes")
        self.wait(lambda: self.browser.execute_script("return document.querySelector('.list-row:not(.waiting), #details .state') !== null"), "the list")
        self.key(words["n"], "KeyN")
        self.wait(lambda: self.focus_is_in(".note-title"), "the note")
        self.type(words["title"])
        self.press(Keys.ENTER)
        self.wait(lambda: self.focus_is_in(".note-text"), "the text")
        self.type(words["text"])
        self.wait(lambda: self.one(".note-state").text.startswith("Saved"), "everything is saved")
        self.wait(lambda: self.browser.execute_script(
            "return getComputedStyle(document.querySelector('.note-text .text-line') ?? document.querySelector('.note-text')).direction") == words["direction"],
            "a text in its own direction")
        self.assertIn(words["text"], hub("notes", "show", words["title"]))
        self.picture("walk-keys-" + words["habit"])

    # By a finger alone

    def test_a_finger_alone(self):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True})
        with self.fingers():
            self.in_each_language(self.walk_by_finger)

    def walk_by_finger(self, words):
        hub("mintee", "new", words["habit"] + " 2", "--on", "daily")
        self.open("/")
        self.shows("#today", words["habit"] + " 2")
        self.touch(".floating button")
        self.touch('dialog#add label:has([value="Task for today"])')
        self.touch("dialog#add input[type=text]")
        self.type(words["title"] + " 2")
        self.touch("dialog#add .main")
        self.wait(lambda: due(words["title"] + " 2"), "what was added")
        self.touch(".places a[href='/mintee']")
        self.shows("#view", words["habit"] + " 2")
        row = f'.task:has([aria-label^="{words["habit"]} 2"]) .tick'
        self.touch(row)
        self.wait(lambda: due(words["habit"] + " 2")["state"] == "reached", "the tick")
        self.touch(".views a[href='/mintee?view=month']")
        self.wait(lambda: self.one(".month-row .name").is_displayed(), "the month")
        days = self.browser.execute_script(
            "return [...document.querySelectorAll('.month-scale .month-days > span')].map((it) => it.getBoundingClientRect()).map(({ left, right }) => [left, right])")
        self.assertGreaterEqual(min(left for left, _ in days), 0, "the month begins in sight")
        self.assertLessEqual(max(right for _, right in days), 360, "and ends there")
        self.assert_targets("a month", 44)
        self.picture("walk-month-" + words["habit"])
        self.touch(".places a[href='/contacts']")
        self.wait(lambda: self.one(".floating a").is_displayed(), "the button")
        self.touch(".floating a")
        self.touch('[data-field="name"] input')
        self.wait(lambda: self.focus_is_in('[data-field="name"]'), "the field")
        self.type(words["name"] + " 2")
        self.touch(".form-bar .main")
        self.shows("#details h2", words["name"] + " 2")
        self.assertIn(words["name"] + " 2", hub("contacts", "list"))
        self.touch("#details .back")
        self.wait(lambda: self.one(".list-row .title").is_displayed(), "the list")

    # While hub is away

    def test_hub_is_away_and_comes_back(self):
        self.in_each_language(self.walk_while_away)

    def walk_while_away(self, words):
        name = words["habit"] + " 3"
        hub("mintee", "new", name, "--on", "daily: x >= 5")
        self.open("/")
        self.browser.execute_async_script("navigator.serviceWorker.ready.then(arguments[0])")
        self.open("/contacts?view=new")
        self.wait(lambda: self.focus_is_in('[data-field="name"]'), "the form")
        self.type(words["name"] + " 3")
        self.stop()
        try:
            self.chord(Keys.ENTER)
            self.shows(".form-bar", "reach")
            self.assertEqual(self.value('[data-field="name"] input'), words["name"] + " 3", "the text is kept")
        finally:
            self.serve()
        self.wait(lambda: not self.one("#hub-notice").is_displayed() if self.browser.find_elements("css selector", "#hub-notice") else True, "hub again")
        self.chord(Keys.ENTER)
        self.shows("#details h2", words["name"] + " 3")
        self.open("/mintee")
        self.shows("#view", name)
        self.stop()
        try:
            field = f'.task:has([aria-label^="{name}"]) .value'
            self.browser.execute_script("document.querySelector(arguments[0]).focus()", field)
            self.type(words["typed"])
            self.press(Keys.ENTER)
            self.shows("#hub-outbox", "1 waiting")
            self.shows(".task:has(.extra) .extra", "Waits to be sent")
            self.picture("walk-away-" + words["habit"])
            self.wait_equal(lambda: self.value(".task:has(.extra) .value"), words["field"])
        finally:
            self.serve()
        self.wait(lambda: not self.browser.find_elements("css selector", "#hub-outbox button"), "all is sent")
        self.wait(lambda: due(name)["value"] == words["value"], "the value")


if __name__ == "__main__":
    run()
