"""Recorders on the page: found, paired, read while one watches, renamed and unpaired. A simulated recorder is nearby."""

import json

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from access import Access
from dictofun_page import DictofunPage, records
from page import hub, run


class Recorders(Access, DictofunPage):
    start = None

    @classmethod
    def setUpClass(cls):
        # No records but those of the recorder.
        super(DictofunPage, cls).setUpClass()

    def devices(self):
        return json.loads(hub("dictofun", "devices", "--json"))

    def test_a_recorder_goes_the_whole_way(self):
        self.open("?view=recorders")
        self.shows("#details .state", "No recorder is paired")
        self.resize(360, 740)
        self.picture("dictofun-no-recorder")
        self.resize(1200, 800)
        self.click(".state .main")
        self.shows(".transfer", "Looking for recorders")
        self.wait(lambda: self.browser.find_elements(By.CSS_SELECTOR, "[aria-label='Found recorders'] .card"), "what was found")
        self.picture("dictofun-found")
        self.assert_accessible("found")
        self.click("[aria-label='Found recorders'] .main")
        self.wait(lambda: self.one(".device").is_displayed(), "the recorder")
        self.assertEqual(len(self.devices()), 1)
        self.wait(lambda: self.browser.find_elements(By.CSS_SELECTOR, ".transfer [max]"), "a transfer that is seen")
        self.picture("dictofun-transfer")
        self.assert_accessible("transfer")
        self.assert_fits_all_widths("transfer", lambda: True)
        self.resize(1200, 800)
        self.wait(lambda: len(records()) == 2, "both records")
        self.wait(lambda: not self.browser.find_elements(By.CSS_SELECTOR, ".transfer"), "the end of it")
        self.shows(".device", "in use, 2 files")
        self.shows(".device", "%")
        self.picture("dictofun-device")
        self.assert_accessible("device")
        self.click(".device .menu-button")
        self.press("r", Keys.ENTER)
        self.wait(lambda: self.focus_is_in("#rename"), "the dialog")
        self.fill("#rename input", "desk")
        self.click("#rename .main")
        self.shows(".device h3", "desk")
        self.assertEqual(self.devices()[0]["name"], "desk")
        self.click(".device .menu-button")
        self.press("u", Keys.ENTER)
        self.shows("#unpair", "Its records are kept here")
        self.click("#unpair .danger")
        self.shows("#hub-toast", "Unpaired from desk")
        self.wait(lambda: not self.browser.find_elements(By.CSS_SELECTOR, ".device"), "no recorder")
        self.assertEqual(self.devices(), [])
        self.assertEqual(len(records()), 2)


if __name__ == "__main__":
    run()
