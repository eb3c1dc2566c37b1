"""What the tests of all pages share: the browser, its page, and what can be done and seen there.

A test is run by PageTests.swift or LivePageTests.swift while hub serves a store of its own: HUB is the program, HUB_WEB_LISTEN where the page is.
With HUB_SCREENSHOTS=FOLDER pictures of the page are left there.
"""

import os
import subprocess
import sys
import time
import unittest
from urllib.parse import urljoin

from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException, ElementNotInteractableException, NoSuchElementException,
    StaleElementReferenceException, TimeoutException)
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

PATIENCE = 180
# What a look at the page meets while the page is drawing itself anew.
NOT_YET = (ElementClickInterceptedException, ElementNotInteractableException, NoSuchElementException,
           StaleElementReferenceException)


# On a busy machine seconds pass between two keys and before a look. So all keys follow each other at once, and a message goes when a
# test says so, by messageEnds().
UNHURRIED = """{
    const [later, messageLasts] = [window.setTimeout, 10_000];
    window.setTimeout = (body, delay, ...words) => {
      if (delay !== messageLasts) return later(body, delay, ...words);
      window.messageEnds = body;
      return 0;
    };
    Object.defineProperty(Event.prototype, "timeStamp", { get: () => 0 });
}"""


def hub(*words, codes=(0,)):
    """The output of a command that ends with one of these exit codes."""
    done = subprocess.run([os.environ["HUB"], *words], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode not in codes:
        raise AssertionError(f"hub {' '.join(words)}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


# A service worker costs each new profile a copy of all files, and each read of a page a way through one more process: a fifth of all that
# these tests cost.
WITHOUT_WORKER = 'Object.defineProperty(Navigator.prototype, "serviceWorker", { value: undefined });'


def start_browser(*words, has_worker=False):
    """A browser with a profile of its own, which draws without a GPU and has no windows, menus or services of its own."""
    options = Options()
    # The driver adds the folder of the profile, and a page to begin with.
    options.binary_location = "/usr/lib/chromium/chromium-headless-shell"
    for word in ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-proxy-server", "--window-size=1200,800", *words]:
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = Service("/usr/bin/chromedriver", env=os.environ | {"TMPDIR": os.environ["HOME"]})
    browser = webdriver.Chrome(service=service, options=options)
    browser.set_script_timeout(PATIENCE)
    for script in [UNHURRIED] if has_worker else [UNHURRIED, WITHOUT_WORKER]:
        browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
    return browser


class Page(unittest.TestCase):
    """A page in a window of a desktop, in light colours; `plugin` says whose it is, `ready` what shows that it is drawn."""

    plugin = None
    # Further options of the browser.
    options = []
    # Whether the page has its service worker, as in browsers of people; it is for what happens while hub is away, and for messages.
    has_worker = False
    # What each test begins with; None when every test opens a page itself.
    start = ""

    def ready(self):
        raise NotImplementedError

    @classmethod
    def setUpClass(cls):
        cls.browser = start_browser(*cls.options, has_worker=cls.has_worker)
        cls.addClassCleanup(cls.browser.quit)
        cls.browser.get(hub("web", cls.plugin).strip())
        cls.home = "http://" + os.environ["HUB_WEB_LISTEN"] + "/" + cls.plugin

    def setUp(self):
        # Answers that a test provokes; the browser notes each of them.
        self.refusals = []
        self.resize(1200, 800)
        self.scheme("light")
        if self.start is not None:
            self.open(self.start)

    def tearDown(self):
        # What the page still asks for belongs to no test. A file of the same server, for which the browser needs no other process.
        self.browser.get(urljoin(self.home, "/assets/hub.svg"))
        wrong = [line["message"] for line in self.browser.get_log("browser") if line["level"] in ("SEVERE", "WARNING")]
        wrong = [line for line in wrong if not any(f"status of {status} " in line for status in self.refusals)]
        self.assertEqual(wrong, [], "the console is quiet")

    # What the tests do

    def open(self, address=""):
        self.browser.get(self.home + address)
        self.wait(self.ready, "the page")

    def resize(self, width, height):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def scheme(self, name):
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": name},
                         {"name": "prefers-reduced-motion", "value": "reduce"}]})

    def press(self, *keys):
        # To the page, not to an element, which may be drawn anew this very moment.
        ActionChains(self.browser).send_keys(*keys).perform()

    def hold(self):
        """Holds back all that the page reads from now on, as a slow machine does, until `release`."""
        self.browser.execute_script("""
            const [fetch, held] = [window.fetch, new Promise((done) => { window.releaseFetch = done; })];
            window.heldReads = [];
            window.fetch = async (address, options) => {
              if ((options?.method ?? "GET") === "GET") {
                window.heldReads.push(String(address));
                await held;
              }
              return fetch(address, options);
            };""")

    def held(self, words):
        """The addresses with these words that are held back."""
        return [address for address in self.browser.execute_script("return window.heldReads") if words in address]

    def release(self):
        self.browser.execute_script("window.releaseFetch()")

    def hold_key(self, key, times=5):
        """Presses a key, and holds it until it has come again some times."""
        self.browser.execute_script("""
            for (let time = 0; time <= arguments[1]; time++) {
              document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: arguments[0], repeat: time > 0, bubbles: true, cancelable: true }));
            }""", key, times)

    def chord(self, key):
        """Presses a key together with Control."""
        ActionChains(self.browser).key_down(Keys.CONTROL).send_keys(key).key_up(Keys.CONTROL).perform()

    def click(self, selector):
        self.wait(lambda: self.one(selector).click() is None, f"a click on {selector}")

    def enter(self, selector):
        self.wait(lambda: self.one(selector).send_keys(Keys.ENTER) is None, f"Enter on {selector}")

    def picture(self, name):
        folder = os.environ.get("HUB_SCREENSHOTS")
        if folder:
            self.browser.save_screenshot(os.path.join(folder, name + ".png"))

    # What the tests see

    def one(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def style(self, selector, name):
        return self.browser.execute_script(
            "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]", selector, name)

    def wait(self, condition, what):
        """Looks until a condition holds, and returns what it is then. A look costs more than a page does meanwhile, and on a busy machine
        waits are long: so each pause is longer than the one before."""
        deadline, pause = time.monotonic() + PATIENCE, 0.02
        while True:
            try:
                if found := condition():
                    return found
            except NOT_YET:
                pass
            if time.monotonic() > deadline:
                raise TimeoutException(what)
            time.sleep(pause)
            pause = min(pause * 1.5, 0.5)

    def wait_equal(self, look, expected):
        try:
            self.wait(lambda: look() == expected, "")
        except Exception:
            self.assertEqual(look(), expected)

    def shows(self, selector, words):
        """Waits until an element has these words in it."""
        self.wait(lambda: words in self.one(selector).text, f"“{words}” in {selector}")

    def settle(self):
        """Waits until the page has drawn what it has just read."""
        self.browser.execute_async_script(
            "const done = arguments[0]; setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 100);")

    def fill(self, selector, words):
        """Types into a field, in place of what it holds."""
        self.wait(lambda: self.one(selector).is_displayed(), selector)
        field = self.one(selector)
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(Keys.DELETE)
        field.send_keys(words)

    def value(self, selector):
        return self.one(selector).get_attribute("value")

    def focus_is_in(self, selector):
        return self.browser.execute_script("return document.activeElement.closest(arguments[0]) !== null", selector)

    def assert_fits(self, width):
        wide = self.browser.execute_script(
            "return [...document.querySelectorAll('main *, header *')].filter((it) => it.checkVisibility()"
            " && !it.closest('.visually-hidden, .scroll') && it.getBoundingClientRect().right > arguments[0] + 1)"
            ".map((it) => it.outerHTML.slice(0, 80))", width)
        self.assertEqual(wide, [], "nothing is wider than the phone")

    def assert_readable(self, selectors, what):
        """Words stand out from what is behind them (WCAG 2.2, 1.4.3)."""
        for selector in selectors:
            ink, paper = self.browser.execute_script(
                "const it = document.querySelector(arguments[0]); let behind = it;"
                "while (getComputedStyle(behind).backgroundColor === 'rgba(0, 0, 0, 0)') behind = behind.parentElement;"
                "return [getComputedStyle(it).color, getComputedStyle(behind).backgroundColor]", selector)
            self.assertGreaterEqual(contrast(luminance(ink), luminance(paper)), 4.5, f"{selector} {what}")


def run():
    unittest.main(argv=[sys.argv[0], "--verbose", *sys.argv[1:]])


def luminance(color):
    """The relative luminance of a CSS colour (WCAG 2.2)."""
    inner = color[color.index("(") + 1:-1]
    # Mixed colours are written as color(srgb 0.1 0.2 0.3).
    parts = ([float(part) for part in inner.split()[1:4]] if inner.startswith("srgb")
             else [float(part) / 255 for part in inner.split(",")[:3]])
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    """The contrast ratio of two luminances (WCAG 2.2)."""
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)
