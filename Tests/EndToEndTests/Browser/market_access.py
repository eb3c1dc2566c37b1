"""The page of the market for everybody: every view by axe-core and by hand checks, at every width."""

from selenium.webdriver.common.keys import Keys

from access import ViewAccess
from market_page import MarketPage, buy
from page import hub, run


class AccessPage(ViewAccess, MarketPage):
    refused = []

    @classmethod
    def setUpClass(cls):
        hub("market", "list", "--limit", "1")
        buy("0.5", "demo:demo-1", "42000", "--fee", "12", "--date", "2026-01-03")
        buy("1", "demo:demo-1", "30000", "--currency", "eur", "--date", "2026-02-01")
        buy("100", "demo:demo-9", "500", "--date", "2024-03-03")
        hub("market", "portfolio", "sell", "60", "demo:demo-9", "--price", "420", "--date", "2025-05-03")
        hub("market", "portfolio", "sell", "10", "demo:demo-9", "--price", "900", "--date", "2026-05-03")
        hub("market", "watchlist", "add", "demo:demo-1", "demo:demo-2")
        hub("market", "watchlist", "add", "demo:demo-3", "--list", "decentralized finance")
        hub("market", "alerts", "new", "demo:demo-1", "> 1000000")
        super().setUpClass()

    def views(self):
        return [("", ".board tbody tr"), ("?q=zzzz", ".board-box .state"), ("?id=demo%3Ademo-1", ".past .chart"), ("?view=lists", ".board tbody tr"), ("?view=lists&list=new", ".board-box .state"),
                ("?view=portfolio", ".past .chart"), ("?view=trade", "form.form"), ("?view=alerts", ".alerts"), ("?view=new-alert", "form.form"), ("?view=providers", ".cards")]

    def ready(self):
        return self.browser.execute_script("return document.querySelector('main') !== null")

    def test_forced_colours_keep_order_and_charts(self):
        self.visit("?id=demo%3Ademo-1", ".past .chart")
        self.forced_colors(True)
        self.assertNotEqual(self.style(".chart .line", "stroke"), "none")
        self.picture("market-forced")
        self.forced_colors(False)

    def test_the_rows_are_one_stop_of_the_tab_key(self):
        self.visit("", ".board tbody tr")
        stops = self.browser.execute_script("return document.querySelectorAll('tbody :is(a, button):not([tabindex=\"-1\"])').length")
        self.assertLessEqual(stops, 2)

    def test_single_letters_can_be_turned_off(self):
        self.visit("", ".board tbody tr")
        self.browser.execute_script("document.documentElement.dataset.shortcuts = 'off'; document.querySelector('tbody a').focus()")
        self.press("w", "b", "n", "p", "l")
        self.assertNotIn("view=", self.browser.current_url)
        self.press(Keys.ARROW_DOWN, Keys.ENTER)
        self.wait(lambda: self.focus_is_in("#details h2"), "the token by Enter")


if __name__ == "__main__":
    run()
