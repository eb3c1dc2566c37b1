"""Phones, programs and machines on their page: added with a password that is shown once, seen, refused, removed."""

import base64
import os
import urllib.error
import urllib.request

from access import Access
from page import Page, hub, run

SERVER = "http://" + os.environ["HUB_DEVICES"]
CARD = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:u1\r\nFN:Ada\r\nTITLE:{}\r\nEND:VCARD\r\n"


def ask(method, path, user, password, body=None, **headers):
    """The status of a request of a device."""
    words = base64.b64encode(f"{user}:{password}".encode()).decode()
    request = urllib.request.Request(
        SERVER + path, method=method, data=body and body.encode(),
        headers={"Authorization": "Basic " + words, "User-Agent": "Phone/1",
                 "Content-Type": "text/vcard", **headers})
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


class Devices(Page, Access):
    plugin = "contacts"
    start = None

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.home = cls.home.rsplit("/", 1)[0]

    def ready(self):
        return self.one("#devices[aria-busy=false], #devices:not([aria-busy])").is_displayed()

    def texts(self, selector):
        return [it.text for it in self.browser.find_elements("css selector", selector)]

    def test_a_phone_is_added_seen_refused_and_removed(self):
        self.open("/devices")
        self.shows("#devices", "They find this hub at " + SERVER)
        self.assert_asks_once(lambda: self.open("/devices"))
        self.click("section button.main")
        self.fill("#device-name", "Phone!")
        self.click("#add-device button.main")
        self.assertTrue(self.one("#add-device").is_displayed(), "a name that is none is not sent")
        self.fill("#device-name", "phone")
        self.click("#add-device input[name=tasks]")
        self.assert_accessible("the question for a phone")
        self.picture("devices-add")
        self.click("#add-device button.main")
        self.shows("#device-added h2", "phone is added")
        address, user, password = self.texts("#device-added .secret")
        self.assertEqual((address, user), (SERVER + "/", "phone"))
        self.assertIn("No other machine reaches this address", self.one("#device-added").text)
        self.assert_accessible("what is told once")
        self.picture("devices-added")
        self.click("#device-added button.main")
        self.shows("#devices", "Not here yet")
        self.assertNotIn(password, self.browser.page_source)
        # The phone comes, and sends a change of what is no longer there.
        self.assertEqual(ask("PUT", "/contacts/all/u1.vcf", "phone", password, CARD.format("a")), 201)
        hub("contacts", "set", "Ada", "title=b")
        stale = ask("PUT", "/contacts/all/u1.vcf", "phone", password, CARD.format("c"), **{"If-Match": '"0"'})
        self.assertEqual(stale, 412)
        self.assertEqual(ask("GET", "/tasks/days/", "phone", password), 403)
        self.open("/devices")
        self.shows("#devices", "Phone")
        self.shows("#devices", "1 change not stored as sent")
        self.shows("#refused ~ .sessions", "/contacts/all/u1.vcf")
        for width, height in [(360, 740), (1440, 900)]:
            self.resize(width, height)
            for scheme in ["light", "dark"]:
                self.scheme(scheme)
                self.assert_accessible(f"devices at {width} in {scheme}", only_colours=scheme == "dark")
                self.assert_fits(width)
                self.picture(f"devices-{width}-{scheme}")
        self.resize(360, 740)
        self.assert_targets("devices", 44)
        self.click("[aria-label='Remove phone']")
        self.click("#remove-device .danger")
        self.shows("#hub-toast", "phone is removed.")
        self.assertEqual(ask("GET", "/contacts/all/", "phone", password), 401)
        self.assertNotIn("phone", hub("devices", "list"))

    def test_a_machine_gets_a_line_and_its_code(self):
        self.open("/devices")
        self.click("#machines ~ .actions button")
        self.fill("#device-name", "laptop")
        self.click("#add-device button.main")
        self.shows("#device-added .secret", "hub join '" + SERVER + "/#join=laptop.")
        self.wait(lambda: self.browser.execute_script("return document.querySelector('#device-added img').naturalWidth > 100"), "the code")
        self.assert_accessible("the line of a machine")
        self.picture("devices-machine")
        self.click("#device-added button.main")
        self.shows("#devices", "its line waits to be used")
        # A name that is taken is said, and nothing is lost.
        self.click("#machines ~ .actions button")
        self.fill("#device-name", "laptop")
        self.refusals = [409]
        self.click("#add-device button.main")
        self.shows("#hub-toast", "device named laptop already")
        self.click("[aria-label='Remove laptop']")
        self.click("#remove-device .danger")
        self.shows("#hub-toast", "laptop is removed.")


if __name__ == "__main__":
    run()
