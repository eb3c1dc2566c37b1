"""The page of the market over a provider that goes away and comes back, and that sends hostile names. MARKET_PORT is where it is."""

import json
import os
import signal
import subprocess
import time
import urllib.request

from selenium.webdriver.support.ui import WebDriverWait

from access import HERE
from market_page import MarketPage
from page import run

ROOT = os.path.join(HERE, "..", "..", "..")


class Backend:
    """The fake market at a port of loopback."""

    def __init__(self):
        self.process = subprocess.Popen(
            [ROOT + "/.build/peers/bin/python", "-B", ROOT + "/Tests/MarketBackend/backend.py", "--port", os.environ["MARKET_PORT"], "--tokens", "120", "--odd-names", "--tick", "0"],
            stdout=subprocess.PIPE, text=True)
        self.process.stdout.readline()
        # The backend's clock begins in the past.
        self.control("clock", {"advance": time.time() - self.control("state", None)["time"]})

    def control(self, name, value, method="POST"):
        request = urllib.request.Request(f"http://127.0.0.1:{os.environ['MARKET_PORT']}/_control/{name}", json.dumps(value).encode(), method=method)
        return json.load(urllib.request.urlopen(request))

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        self.process.stdout.close()


class OfflinePage(MarketPage):
    @classmethod
    def setUpClass(cls):
        cls.backend = Backend()
        cls.addClassCleanup(lambda: cls.backend.stop())
        super().setUpClass()

    def test_the_last_board_stays_without_a_network_and_comes_back_by_itself(self):
        names, ids = self.names(), self.ids()
        self.assertEqual(len(ids), 100)
        type(self).backend.stop()
        self.click('[aria-label="Fetch prices now"]')
        self.shows(".callout", "These are the")
        self.shows(".callout", "cannot be reached")
        self.picture("market-offline")
        self.assertEqual((self.names(), self.ids()), (names, ids))
        # A page that is opened now has the same board.
        self.open()
        self.assertEqual((self.names(), self.ids()), (names, ids))
        self.shows(".callout", "cannot be reached")
        type(self).backend = Backend()
        WebDriverWait(self.browser, 240, 0.5).until(
            lambda _: "just now" in self.one(".origin").text and not self.browser.find_elements("css selector", ".callout"), "fresh prices")
        self.assertEqual(self.ids(), ids)

    def test_a_chart_that_fails_says_why(self):
        self.refusals = [502, 503]
        identifier = self.ids()[2]
        type(self).backend.control("faults", {"path": f"/api/v3/coins/{identifier}/market_chart", "status": 500, "times": -1})
        self.open("?id=" + identifier)
        self.shows(".past .state", "status 500")
        words = self.one(".past .state").text
        self.assertNotIn("hub market", words.lower(), "no command line")
        self.assertIn("coingecko", words.lower())
        self.picture("market-chart-failed")
        type(self).backend.control("faults", None, "DELETE")
        self.assertTrue(self.one(".past .state button").is_displayed(), "it can be read again")

    def test_a_name_is_only_a_name(self):
        self.assertTrue(any(name for name in self.names()))
        found = self.browser.execute_script(
            r"return [...document.querySelectorAll('.board .coin-name')].map((it) => it.textContent).filter((words) => /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(words))")
        self.assertEqual(found, [], "no control characters")
        self.assertEqual(self.browser.execute_script("return document.querySelectorAll('.board img[onerror], .board script').length"), 0)


if __name__ == "__main__":
    run()
