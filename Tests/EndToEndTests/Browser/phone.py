"""hub on a phone: installed, with things shared from other apps, messages, and dragging under a finger."""

import json
import urllib.request

from access import Access
from page import Page, hub, run

# The browser of the tests has neither a push service nor notifications; what hub does with a subscription is the same.
SUBSCRIPTION = """
    const subscription = { endpoint: "https://fcm.googleapis.com/fcm/send/test", options: {}, unsubscribe: async () => true,
      toJSON: () => ({ endpoint: "https://fcm.googleapis.com/fcm/send/test", keys: { p256dh: "KEY", auth: "BTBZMqHH6r4Tts7J_aSIgg" } }) };
    let current = null;
    PushManager.prototype.getSubscription = async () => current;
    PushManager.prototype.subscribe = async (options) => { window.subscribedWith = options; return (current = subscription); };
    Object.defineProperty(Notification, "permission", { get: () => "granted" });
    Notification.requestPermission = async () => "granted";"""
KEY = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
SHARE = """
    const [fields, files] = arguments;
    const form = document.createElement("form");
    Object.assign(form, { method: "post", action: "/share", enctype: "multipart/form-data" });
    for (const [name, value] of Object.entries(fields)) form.append(Object.assign(document.createElement("input"), { name, value }));
    const chosen = new DataTransfer();
    for (const [name, type, text] of files) chosen.items.add(new File([text], name, { type }));
    const field = Object.assign(document.createElement("input"), { type: "file", name: "files", multiple: true });
    field.files = chosen.files;
    form.append(field);
    document.body.append(form);
    form.submit();"""


class Phone(Page, Access):
    has_worker = True
    plugin = "mintee"
    start = None

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.home = cls.home.rsplit("/", 1)[0]

    def setUp(self):
        super().setUp()
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True})

    def ready(self):
        return self.one("h1").is_displayed()

    def tearDown(self):
        self.browser.get_log("browser")

    def worker(self):
        self.browser.execute_async_script("navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller ? arguments[0]() "
                                          ": navigator.serviceWorker.addEventListener('controllerchange', () => arguments[0]()))")

    def share(self, fields, *files):
        self.open("/")
        self.worker()
        self.browser.execute_script(SHARE, fields, files)
        self.wait(lambda: self.browser.current_url.endswith("/share"), "the page that asks where it belongs")

    def test_the_app_has_shortcuts_and_takes_what_is_shared(self):
        self.open("/")
        manifest = json.loads(self.browser.execute_cdp_cmd("Page.getAppManifest", {})["data"])
        self.assertEqual(self.browser.execute_cdp_cmd("Page.getAppManifest", {})["errors"], [])
        self.assertEqual(self.browser.execute_cdp_cmd("Page.getInstallabilityErrors", {})["installabilityErrors"], [])
        self.assertIn({"name": "Note", "url": "/?add=Note"}, manifest["shortcuts"])
        self.assertIn("audio/*", manifest["share_target"]["params"]["files"][0]["accept"])
        self.assertIn(".vcf", manifest["share_target"]["params"]["files"][0]["accept"])
        self.open("/?add=Contact")
        self.wait(lambda: self.one("#add input[value=Contact]").is_selected(), "the kind that was chosen")
        self.assertTrue(self.browser.current_url.endswith("/"))

    def test_a_link_becomes_a_note(self):
        self.share({"title": "Oslo", "text": "See https://example.org/oslo", "url": "https://example.org/oslo"})
        self.shows("#share .shared", "See https://example.org/oslo")
        self.assert_accessible("what was shared")
        self.assert_targets("what was shared", 44)
        self.picture("phone-share")
        self.click("#share .actions button.main")
        self.wait(lambda: "/notes?id=" in self.browser.current_url, "the note")
        notes = json.loads(hub("notes", "list", "--json"))
        self.assertEqual([note["title"] for note in notes if "Oslo" in note["title"]], ["Oslo"])
        self.open("/share")
        self.shows("#share", "Nothing is waiting here")

    def test_a_card_goes_to_the_contacts_and_a_sound_to_the_memos(self):
        card = "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Shared;Sue;;;\r\nFN:Sue Shared\r\nEND:VCARD\r\n"
        self.share({}, ("sue.vcf", "text/x-vcard", card))
        self.shows("#share .actions", "Import contacts")
        self.assertNotIn("Import voice memos", self.one("#share").text)
        self.click("#share .actions button.main")
        self.wait(lambda: "/contacts" in self.browser.current_url, "the contacts")
        self.assertIn("Sue Shared", hub("contacts", "list"))
        self.share({}, ("memo.m4a", "audio/mp4", "x"))
        self.shows("#share .actions", "Import voice memos")
        self.share({}, ("a.bin", "application/octet-stream", "x"))
        self.shows("#share", "hub has no place for this kind of file.")
        self.click("#share .actions .quiet")
        self.shows("#share", "Nothing is waiting here")

    def test_messages_are_turned_on_and_off_and_a_refusal_is_said(self):
        self.open("/settings")
        self.worker()
        self.shows("#push-hint", "blocked in the settings of this browser")
        script = self.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": SUBSCRIPTION.replace("KEY", KEY)})
        try:
            self.open("/settings")
            self.click("#push")
            self.shows("#messages + .setting + button", "Send a test message")
            self.assertEqual(self.browser.execute_script("return window.subscribedWith.applicationServerKey.length"), 65)
            self.assert_accessible("the settings")
            self.picture("phone-messages")
            # It is of this login: a reload knows it.
            self.open("/settings")
            self.wait(lambda: self.one("#push").is_selected(), "the switch")
            self.click("#push")
            self.shows("#hub-toast", "No more messages on this device.")
            self.wait(lambda: not self.browser.find_elements("css selector", "#messages + .setting + button"), "no more messages")
        finally:
            self.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)

    def test_a_finger_puts_the_sections_of_today_in_order(self):
        hub("mintee", "new", "Water", "--on", "daily")
        self.open("/")
        with self.fingers():
            self.touch("#today .head button")
            self.wait(lambda: len(self.browser.find_elements("css selector", ".ordered li")) > 2, "the sections")
            before = [it.text for it in self.browser.find_elements("css selector", ".ordered li")]
            boxes = self.browser.execute_script(
                "return [...document.querySelectorAll('.ordered [data-drag]')].map((it) => it.getBoundingClientRect()).map(({ x, y, width, height }) => [x + width / 2, y + height / 2, width, height])")
            self.assertTrue(all(width >= 44 and height >= 44 for _, _, width, height in boxes), boxes)
            (x, y), (_, to) = boxes[0][:2], boxes[1][:2]
            self.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
            for part in range(1, 5):
                self.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {
                    "type": "touchMove", "touchPoints": [{"x": x, "y": y + (to - y + 8) * part / 4}]})
            self.picture("phone-drag")
            self.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        self.wait_equal(lambda: [it.text for it in self.browser.find_elements("css selector", ".ordered li")],
                        [before[1], before[0], *before[2:]])

    def test_a_phone_learns_to_trust_hub_without_a_login(self):
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(self.home + "/phone") as answer:
            self.assertIn("Add to Home Screen", answer.read().decode())


if __name__ == "__main__":
    run()
