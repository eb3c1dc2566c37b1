"""What the tests of the page of the market share."""

from page import Page, hub


class MarketPage(Page):
    plugin = "market"

    def ready(self):
        return self.browser.execute_script("return document.querySelector('.board tbody tr, #details:not([hidden]) h2') !== null")

    def ids(self):
        """The ids of the rows in their order."""
        return self.browser.execute_script("return [...document.querySelectorAll('.board tbody tr')].map((row) => row.dataset.id)")

    def names(self):
        return self.browser.execute_script("return [...document.querySelectorAll('.board .coin-name')].map((it) => it.textContent)")

    def cell(self, row, name):
        """The words of a cell of a row, from 1."""
        return self.one(f".board tbody tr:nth-child({row}) .{name}").text

    def board_reads(self):
        """How many times the board was read."""
        return self.browser.execute_script(
            "return performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/market/board?')).length")

    def focused_row(self):
        """The id of the row that has the focus."""
        return self.browser.execute_script("return document.activeElement.closest('tr')?.dataset.id ?? null")

    def scrolled(self):
        return self.browser.execute_script("return document.getElementById('main').scrollTop")

    def scroll(self, place):
        self.browser.execute_script("document.getElementById('main').scrollTop = arguments[0]", place)

    def wait_for_other_prices(self, row=1):
        """Waits until the price of a row is another one."""
        before = self.cell(row, "price")
        self.wait(lambda: self.cell(row, "price") != before, "another price")


def buy(amount, token, price, *words):
    return hub("market", "portfolio", "buy", amount, token, "--price", price, *words)
