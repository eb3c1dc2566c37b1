"""The session of the page, in a browser that also visits a server on another port of the same host."""

import http.server
import os
import threading
import urllib.error
import urllib.request

from contacts_page import ContactsPage, made
from page import PATIENCE, run


class OtherPort(http.server.BaseHTTPRequestHandler):
    """A program on another port; it keeps what browsers send it."""

    cookies = []

    def do_GET(self):
        OtherPort.cookies.append(self.headers["Cookie"] or "")
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


class Session(ContactsPage):
    def test_the_cookie_is_worth_nothing_on_another_port(self):
        server = http.server.HTTPServer(("127.0.0.1", 0), OtherPort)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.browser.get(f"http://127.0.0.1:{server.server_port}/")
        stolen = OtherPort.cookies[0]
        self.assertIn("hub-", stolen, "browsers send cookies to every port of a host")
        base = "http://" + os.environ["HUB_WEB_LISTEN"]
        for method, path in [("GET", "/api/contacts"), ("GET", "/api/live"), ("POST", "/logout"), ("POST", "/api/undo")]:
            request = urllib.request.Request(
                base + path, method=method, data=b"{}" if method == "POST" else None,
                headers={"Cookie": stolen, "Origin": base, "Content-Type": "application/json"})
            with self.assertRaises(urllib.error.HTTPError, msg=path) as refusal:
                urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=PATIENCE)
            self.assertEqual(refusal.exception.code, 403)
            refusal.exception.close()
        self.open()

    def test_a_reload_and_another_tab_need_no_login(self):
        self.browser.refresh()
        self.wait(self.ready, "the page after a reload")
        first = self.browser.current_window_handle
        self.browser.switch_to.new_window("tab")
        self.browser.get(self.home)
        self.wait(self.ready, "the page in another tab")
        made("Aaa First")
        self.wait(lambda: "Aaa First" in self.names(), "news in another tab")
        self.browser.close()
        self.browser.switch_to.window(first)


run()
