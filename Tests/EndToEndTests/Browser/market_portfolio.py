"""Portfolio, watchlists and alerts on the page: by keyboard alone, by touch alone, and beside the commands."""

import json

from selenium.webdriver.common.keys import Keys

from access import Access
from market_page import MarketPage, buy
from page import hub, run


def trades():
    return json.loads(hub("market", "portfolio", "history", "--json"))


def alerts():
    return json.loads(hub("market", "alerts", "list", "--json"))


class PortfolioPage(Access, MarketPage):
    @classmethod
    def setUpClass(cls):
        hub("market", "list", "--limit", "1")
        buy("100", "demo:demo-9", "500", "--date", "2024-03-03")
        hub("market", "portfolio", "sell", "60", "demo:demo-9", "--price", "420", "--date", "2025-05-03")
        hub("market", "portfolio", "sell", "10", "demo:demo-9", "--price", "900", "--date", "2026-05-03")
        super().setUpClass()

    def ready(self):
        return self.browser.execute_script("return document.querySelector('.board tbody tr, .board-box .state, #details:not([hidden]) h2') !== null")

    def test_nothing_moves_while_the_chart_is_read(self):
        for width in [360, 1440]:
            self.resize(width, 800)
            self.open("?view=portfolio")
            self.wait(lambda: self.one(".past .chart-drawing").is_displayed(), "the chart")
            # The entry of the navigation is always there, so the observer is called.
            moved = self.browser.execute_async_script("""
                const [done] = arguments;
                let sum = 0;
                const observer = new PerformanceObserver((list) => {
                  for (const it of list.getEntries()) if (it.entryType === "layout-shift") sum += it.value;
                  requestAnimationFrame(() => requestAnimationFrame(() => done(sum)));
                });
                for (const type of ["layout-shift", "navigation"]) observer.observe({ type, buffered: true });""")
            self.assertLess(moved, 0.05, f"at {width} pixels")

    def test_keyboard_alone_notes_a_trade_and_takes_it_back(self):
        before = len(trades())
        self.press("b")
        self.wait(lambda: self.one("form.form").is_displayed(), "the form")
        self.fill('[data-field="token"] input', "demo:demo-1")
        self.press(Keys.TAB)
        self.wait(lambda: self.one('[data-field="price"] button').is_displayed(), "the offer of the price now")
        button, field = self.one('[data-field="price"] button').rect, self.one('[data-field="price"] input').rect
        self.assertGreaterEqual(button["y"] - field["y"] - field["height"], 6, "room between the field and its button")
        self.picture("trade-offer")
        self.assertEqual(self.value('[data-field="price"] input'), "", "the field is left to the person")
        self.press("abc")
        self.fill('[data-field="price"] input', "42000")
        self.refusals = [400, 422]
        self.press(Keys.CONTROL, Keys.ENTER)
        self.chord(Keys.ENTER)
        self.shows('[data-field="amount"]', "Must be a number such as 0.5")
        self.assertTrue(self.focus_is_in('[data-field="amount"]'), "the focus is at the mistake")
        self.fill('[data-field="amount"] input', "1,000")
        self.chord(Keys.ENTER)
        self.shows('[data-field="amount"]', "Has two readings")
        self.fill('[data-field="amount"] input', "0.5")
        self.fill('[data-field="fee"] input', "12")
        self.chord(Keys.ENTER)
        self.shows("#hub-toast", "Bought 0.5 BTC at $42,000, fee $12.")
        self.shows(".positions", "Bitcoin (demo)")
        now = trades()
        self.assertEqual(len(now), before + 1)
        added = next(trade for trade in now if trade["token"] == "demo:demo-1")
        self.assertEqual((added["amount"], added["price"], added["fee"]), ("0.5", "42000", "12"))
        self.press("u")
        self.shows("#hub-toast", "Undone")
        self.wait(lambda: "Bitcoin" not in self.one(".positions").text, "without it")

    def test_sums_chart_and_gains_are_those_of_the_commands(self):
        self.open("?view=portfolio")
        self.shows(".years", "2025")
        gains = {row["year"]: row["gain"] for row in json.loads(hub("market", "portfolio", "gains", "--json"))}
        self.assertEqual(float(gains[2025]), -4800)
        self.shows(".years", "-$4,800.00")
        self.shows(".years", "+$4,000.00")
        self.wait(lambda: self.one(".past .chart .line").is_displayed(), "the value over time")
        self.assertEqual(len(self.browser.find_elements("css selector", ".years .gain-bar.bad")), 1)
        self.picture("market-portfolio")

    def test_a_holding_of_many_digits_is_no_wider_than_a_phone(self):
        buy("5000000000000000000000", "demo:demo-5", "0.1")
        try:
            for path in ["?view=portfolio", "?id=demo%3Ademo-5"]:
                self.resize(360, 740)
                self.open(path)
                self.wait(lambda: self.one(".big-price").is_displayed(), "the sum")
                self.settle()
                self.assert_fits(360)
        finally:
            hub("undo")

    def test_a_trade_is_corrected(self):
        self.open("?view=portfolio")
        self.click(".trades summary")
        last = trades()[-1]
        self.click(".trades li:first-child a")
        self.shows("#details h2", "Entry of ")
        self.assertEqual(self.value('[data-field="amount"] input'), last["amount"])
        self.fill('[data-field="price"] input', "900.25")
        self.picture("trade-edit")
        self.chord(Keys.ENTER)
        self.shows("#hub-toast", "at $900.25")
        self.assertEqual(trades()[-1]["price"], "900.25")
        self.press("u")
        self.shows("#hub-toast", "Undone")
        self.assertEqual(trades()[-1], last)

    def test_the_form_has_the_fields_of_the_kind(self):
        self.open("?view=trade&token=demo%3Ademo-9&kind=swap")
        self.shows('[data-field="received_token"]', "Token received")
        self.assertFalse(self.one('[data-field="destination"]').is_displayed())
        self.assertFalse(self.one('[data-field="note"]').is_displayed(), "fields without a value are folded away")
        for name, value in [("amount", "1"), ("received_token", "demo:demo-1"), ("received_amount", "0.01"), ("price", "600"), ("place", "Kraken")]:
            self.fill(f'[data-field="{name}"] input', value)
        self.picture("trade-swap")
        self.chord(Keys.ENTER)
        self.shows("#hub-toast", "Swapped 1 INGO for 0.01 BTC at $600.")
        self.shows(".chips", "at Kraken")
        self.press("u")
        self.shows("#hub-toast", "Undone")

    def test_a_trade_is_deleted_and_restored(self):
        self.open("?view=portfolio")
        before = len(trades())
        self.click(".trades summary")
        self.click(".trades li:first-child button")
        self.shows("#hub-toast", "deleted")
        self.wait(lambda: len(trades()) == before - 1, "the trash")
        self.assertTrue(self.one(".trades").get_attribute("open") is not None, "the list stays open")
        self.click("#hub-toast button")
        self.shows("#hub-toast", "Undone")
        self.assertEqual(len(trades()), before)
        self.click(".trades li:first-child button")
        self.wait(lambda: len(trades()) == before - 1, "the trash again")
        self.click(".view-head [aria-label='Trash']")
        self.shows(".trash", "trade, deleted")
        self.click(".trash button")
        self.wait(lambda: len(trades()) == before, "the trade")
        self.wait(lambda: "trade, deleted" not in self.one("#details").text, "the trash without it")

    def test_more_than_is_held_is_not_sold(self):
        self.open("?view=trade&token=demo%3Ademo-9&kind=sell")
        self.fill('[data-field="amount"] input', "1000")
        self.fill('[data-field="price"] input', "1")
        self.refusals = [400, 422]
        self.chord(Keys.ENTER)
        self.shows(".summary", "cannot be sold")

    def test_touch_alone_makes_and_ends_an_alert(self):
        self.resize(360, 740)
        self.browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
        try:
            self.open("?id=demo%3Ademo-2")
            self.touch(".token-actions .button:not(.main)")
            self.wait(lambda: self.value('[data-field="token"] input') == "demo:demo-2", "the token is there")
            self.touch('[data-field="value"] input')
            self.press("1000000")
            self.touch(".form-bar .main")
            self.shows("#hub-toast", "ETH > 1000000 USD is new.")
            self.shows(".alerts", "ETH rises above $1,000,000")
            self.assertEqual(len(alerts()), 1)
            self.touch(".alert .menu-button")
            self.touch(".action-menu [role=menuitem]")
            self.shows(".alerts .badge", "Off")
            self.assertEqual(alerts()[0]["state"], "off")
            self.touch(".alert .menu-button")
            self.touch(".action-menu .danger")
            self.shows("#details", "No alerts")
            self.assertEqual(alerts(), [])
        finally:
            self.browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})

    def test_a_change_within_a_time_is_an_alert_too(self):
        self.press("n")
        self.wait(lambda: self.one("form.form").is_displayed(), "the form")
        self.fill('[data-field="token"] input', "sol")
        self.one('[data-field="kind"] select').send_keys("It changes")
        self.wait(lambda: self.one('[data-field="period"] select').is_displayed(), "the period")
        self.fill('[data-field="value"] input', "-5")
        self.chord(Keys.ENTER)
        self.shows(".alerts", "SOL falls by 5% in 1 day")
        hub("market", "alerts", "rm", "last", "--yes")
        self.shows("#details", "No alerts")

    def test_lists_are_made_filled_and_ordered(self):
        self.press("l")
        self.shows(".board-box .state", "No tokens in this list")
        self.click(".list-tools nav button")
        self.fill("#list-name", "defi")
        self.press(Keys.ENTER)
        self.wait(lambda: "list=defi" in self.browser.current_url, "the new list")
        for word, count in [("btc", 1), ("eth", 2), ("ada", 3)]:
            self.fill("#add-token", word)
            self.press(Keys.ENTER)
            self.wait(lambda: len(self.ids()) == count, word)
        self.assertEqual(self.ids(), ["demo:demo-1", "demo:demo-2", "demo:demo-4"])
        self.click(".board tbody tr:nth-child(3) .more button")
        self.click(".action-menu [role=menuitem]")
        self.wait_equal(self.ids, ["demo:demo-1", "demo:demo-4", "demo:demo-2"])
        listed = json.loads(hub("market", "watchlist", "list", "--list", "defi", "--json=id"))
        self.assertEqual([row["id"] for row in listed], self.ids())
        self.press("u")
        self.wait_equal(self.ids, ["demo:demo-1", "demo:demo-2", "demo:demo-4"])


if __name__ == "__main__":
    run()
