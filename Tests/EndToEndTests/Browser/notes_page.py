"""What the tests of the page of notes share."""

import json

from page import Page, hub, start_browser


# Lets a test close the WebSockets of the page, and keep new ones from being opened.
SOCKETS = """
    const [RealSocket, opened] = [window.WebSocket, new Set()];
    let isCut = false;
    window.openSockets = () => [...opened].filter((it) => it.readyState === 1).length;
    window.cutSockets = (isAway) => {
      isCut = isAway;
      // The browser complains about one that is closed before it is open.
      if (isAway) for (const it of opened) it.readyState ? it.close() : it.addEventListener("open", () => it.close());
    };
    window.WebSocket = class extends RealSocket {
      constructor(...words) {
        if (isCut) throw new TypeError("away");
        super(...words);
        opened.add(this);
      }
    };"""


# The text of a note is in lines: a place of the text is a node and an offset in it.
PLACES = """
    const root = document.querySelector(".note-text");
    const lines = [...root.querySelectorAll(":scope > .text-line")];
    const text = lines.map((it) => it.textContent).join("\\n");
    const nodeAt = (at) => {
      at = Math.min(at, text.length);
      const line = lines.find((it) => at <= it.textContent.length || (at -= it.textContent.length + 1) < 0);
      const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (at <= node.length) return [node, at];
        at -= node.length;
      }
      return [line, 0];
    };
    const placeOf = (node, offset) => {
      const at = lines.findIndex((it) => it.contains(node));
      const range = document.createRange();
      range.setStart(lines[at], 0);
      range.setEnd(node, offset);
      return lines.slice(0, at).reduce((sum, it) => sum + it.textContent.length + 1, 0) + range.toString().length;
    };
    const selection = () => {
      const { anchorNode, anchorOffset, focusNode, focusOffset } = document.getSelection();
      return [placeOf(anchorNode, anchorOffset), placeOf(focusNode, focusOffset)].sort((one, other) => one - other);
    };
    const select = (start, end) => {
      root.focus();
      document.getSelection().setBaseAndExtent(...nodeAt(start), ...nodeAt(end));
    };"""


class NotesPage(Page):
    plugin = "notes"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        watch_sockets(cls.browser)

    def ready(self):
        return self.browser.execute_script("return document.querySelector('.list-row:not(.waiting), #details .state, .sheet') !== null")

    def note(self, identifier):
        """Opens a note, and waits until it can be written in."""
        self.open("?id=" + identifier)
        self.wait(lambda: self.one(".note-text").is_displayed() and self.one(".note-text").get_attribute("aria-readonly") != "true", "the note")

    def names(self):
        """The names in sight, in their order."""
        return self.browser.execute_script(
            "return [...document.querySelectorAll('.list-row')].sort((one, other) => one.dataset.index - other.dataset.index)"
            ".map((row) => row.querySelector('.title')?.textContent ?? '…')")

    def focused(self):
        """The words of the focused row, or the class or id of the focused element."""
        return self.browser.execute_script(
            "const it = document.activeElement; return it.querySelector('.title')?.textContent ?? (it.id || it.className || it.tagName)")

    def search(self, words):
        self.fill("#query", words)

    def text(self):
        return self.browser.execute_script(PLACES + "return text")

    def write(self, *keys):
        self.one(".note-text").send_keys(*keys)

    def saved(self):
        self.wait(lambda: self.one(".note-state").text.startswith("Saved"), "everything is saved")

    def menu(self, words):
        """Chooses an item of the menu of the note."""
        self.click(".note-bar .menu-button")
        self.wait(lambda: self.focus_is_in("[role=menuitem]"), "the menu")
        item = next(it for it in self.browser.find_elements("css selector", "[role=menuitem]") if it.text == words)
        item.click()

    def caret(self, at):
        self.select(at, at)

    def select(self, start, end):
        self.browser.execute_script(PLACES + "select(...arguments)", start, end)

    def caret_at(self):
        return self.browser.execute_script(PLACES + "return selection()[0]")

    def away(self, is_away):
        """Makes hub unreachable for the page, or reachable again."""
        self.browser.execute_script("""
            window.realFetch ??= window.fetch;
            window.fetch = arguments[0] ? () => Promise.reject(new TypeError("away")) : window.realFetch;
            window.cutSockets(arguments[0]);""", is_away)


def watch_sockets(browser):
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": SOCKETS})


def another_window(test):
    """Another browser of the same person, until the end of a test."""
    window = type(test)(test._testMethodName)
    window.refusals = []
    window.browser = start_browser()
    test.addCleanup(window.browser.quit)
    watch_sockets(window.browser)
    window.browser.get(hub("web", "notes").strip())
    return window


def made(title, content="", *words):
    """The id of a new note."""
    return json.loads(hub("notes", "new", title, *(["-m", content] if content else []), *words, "--json"))["id"]


def shown(identifier):
    return json.loads(hub("notes", "show", identifier, "--json"))


def notes():
    return json.loads(hub("notes", "list", "--json", "--limit", "1000"))
