"""The board of the market: live cells, paging, order, favorites, one token, by keyboard alone and by touch alone."""

from selenium.webdriver.common.keys import Keys

from access import Access, in_every_look
from market_page import MarketPage
from page import hub, run


class BoardPage(Access, MarketPage):
    def test_the_board_has_prices_and_says_where_they_come_from(self):
        self.assertEqual(len(self.ids()), 100)
        self.assertEqual([self.cell(row, "rank") for row in (1, 2, 3)], ["1", "2", "3"])
        self.assertIn("$", self.cell(1, "price"))
        self.shows(".origin", "Demo data, not real prices")
        self.shows(".origin", "just now")
        self.shows(".board-foot", "100 of 250 tokens")

    def test_live_prices_leave_focus_caret_scroll_and_words_alone(self):
        self.fill("#query", "demo")
        self.wait(lambda: len(self.ids()) == 100, "what matches")
        self.press(Keys.HOME, Keys.ARROW_RIGHT)
        self.wait_for_other_prices()
        self.assertEqual(self.value("#query"), "demo")
        self.assertEqual(self.browser.execute_script("return [document.activeElement.id, document.activeElement.selectionStart]"), ["query", 1])
        self.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN, "jjjjjjjjjj")
        row = self.focused_row()
        self.assertEqual(row, self.ids()[11])
        self.scroll(300)
        order = self.ids()
        self.wait_for_other_prices(12)
        self.assertEqual((self.focused_row(), self.scrolled()), (row, 300))
        self.assertEqual(self.ids(), order, "rows stay where they are")

    def test_more_rows_come_below_and_nothing_jumps(self):
        self.browser.execute_script("window.third = document.querySelector('.board tbody tr:nth-child(3)')")
        self.scroll(10_000)
        place = self.scrolled()
        self.wait(lambda: len(self.ids()) == 200, "the next rows")
        self.assertEqual(self.scrolled(), place)
        self.assertEqual(len(set(self.ids())), 200)
        self.assertTrue(self.browser.execute_script("return window.third === document.querySelector('.board tbody tr:nth-child(3)')"))
        self.scroll(100_000)
        self.wait(lambda: len(self.ids()) == 250, "the last rows")
        self.shows(".board-foot", "250 tokens")
        self.scroll(4_000)
        self.click(f".board tbody tr:nth-child(95) .coin a")
        self.wait(lambda: self.one("#details h2").is_displayed(), "the token")
        self.browser.back()
        self.wait(lambda: self.one(".board").is_displayed(), "the board")
        self.wait_equal(self.scrolled, 4_000)

    def test_a_heading_sorts_and_turns_the_order_around(self):
        self.click("thead .price button")
        self.wait(lambda: self.one("thead .price").get_attribute("aria-sort") == "descending", "the order")
        self.click("thead .price button")
        self.wait(lambda: self.one("thead .price").get_attribute("aria-sort") == "ascending", "the other order")
        self.wait(lambda: int(self.cell(1, "rank")) > 100, "the cheapest first")
        self.open("?sort=name")
        self.wait_equal(lambda: self.names()[:20], sorted(self.names()[:20]))
        self.click(".sorter")
        self.wait(lambda: self.focus_is_in(".action-menu"), "the menu")
        self.press(Keys.HOME, Keys.ENTER)
        self.wait_equal(lambda: self.cell(1, "rank"), "1")

    def test_the_filter_finds_and_says_when_there_is_nothing(self):
        self.fill("#query", "ethe")
        self.wait_equal(self.names, ["Ethereum (demo)"])
        self.fill("#query", "zzzz")
        self.shows(".board-box .state", "No known token")
        self.click(".board-box .state button")
        self.shows(".board-box .state", "No token matches")
        self.fill("#query", "")
        self.press(Keys.BACKSPACE)
        self.wait(lambda: len(self.ids()) == 100, "the board")

    def test_what_the_provider_found_stays_when_the_board_is_read_again(self):
        token = self.ids()[8]
        self.fill("#query", "zzzz")
        self.click(".board-box .state button")
        self.shows(".board-box .state", "No token matches")
        before = self.board_reads()
        hub("market", "watchlist", "add", token)
        self.addCleanup(hub, "market", "watchlist", "rm", token)
        self.wait(lambda: self.board_reads() > before, "another reading")
        self.settle()
        self.assertEqual(self.one(".board-box .state").text, "No token matches “zzzz”")

    def test_a_change_elsewhere_is_on_the_page(self):
        star = ".board tbody tr:nth-child(9) .star button"
        self.wait(lambda: self.one(star).get_attribute("aria-pressed") == "false", "no star")
        hub("market", "watchlist", "add", self.ids()[8])
        self.wait(lambda: self.one(star).get_attribute("aria-pressed") == "true", "the star")
        self.click(star)
        self.shows("#hub-toast", "removed from favorites")
        self.wait(lambda: self.one(star).get_attribute("aria-pressed") == "false", "no star any more")

    @in_every_look
    def test_keyboard_alone_finds_opens_reads_and_marks(self):
        self.open()
        self.press("f", "bitc")
        self.wait_equal(self.names, ["Bitcoin (demo)"])
        self.press(Keys.ARROW_DOWN)
        self.wait(lambda: self.focused_row() == "demo:demo-1", "the row")
        self.press("w")
        self.shows("#hub-toast", "added to favorites")
        self.assertEqual(self.focused_row(), "demo:demo-1")
        self.press("u")
        self.shows("#hub-toast", "Undone")
        self.press(Keys.ENTER)
        self.wait(lambda: self.focus_is_in("#details h2"), "the heading of the token")
        self.wait(lambda: self.one(".chart-drawing").is_displayed(), "the chart")
        self.browser.execute_script("document.querySelector('.chart-drawing').focus()")
        self.press(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
        read = self.one(".chart-value").text
        self.assertRegex(read, r": \$[0-9,.]+$")
        self.wait_for_other_big_price()
        self.assertTrue(self.focus_is_in(".chart-drawing"))
        self.assertEqual(self.one(".chart-value").text, read, "news do not end the reading")
        self.assertEqual(len(self.browser.find_elements("css selector", ".chart .at .hair")), 1)
        self.press(Keys.ESCAPE)
        self.wait(lambda: self.one(".board").is_displayed(), "the board")
        self.assertEqual(self.value("#query"), "bitc")

    def wait_for_other_big_price(self):
        before = self.one(".big-price").text
        self.wait(lambda: self.one(".big-price").text != before, "another price")

    def test_the_time_of_a_chart_is_chosen_and_stays_in_the_address(self):
        self.open("?id=demo%3Ademo-2")
        self.shows(".chart figcaption", "7 days")
        for place, words in [(1, "1 day"), (5, "1 year"), (6, "all time")]:
            self.click(f".spans button:nth-child({place})")
            self.shows(".chart figcaption", words)
        self.assertIn("days=max", self.browser.current_url)
        self.picture("market-token-max")
        self.browser.refresh()
        self.shows(".chart figcaption", "all time")

    @in_every_look
    def test_touch_alone_opens_a_token_marks_it_and_goes_back(self):
        with self.fingers():
            self.open()
            self.touch(".board tbody tr:nth-child(5) .coin a")
            self.wait(lambda: self.one("#details h2").is_displayed(), "the token")
            self.touch(".spans button:nth-child(3)")
            self.shows(".chart figcaption", "30 days")
            self.touch(".chart-drawing")
            self.wait(lambda: "$" in self.one(".chart-value").text, "the value under the finger")
            self.touch(".starred")
            self.shows("#hub-toast", "added to favorites")
            self.touch("#hub-toast button")
            self.shows("#hub-toast", "Undone")
            self.touch(".back")
            self.wait(lambda: self.one(".board").is_displayed(), "the board")

    def test_an_unknown_token_is_said(self):
        self.refusals = [404]
        self.browser.get(self.home + "?id=nothing")
        self.shows("#details", "No token named")


if __name__ == "__main__":
    run()
