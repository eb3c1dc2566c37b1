"""The WebSocket of hub's page, for the scripts beside this one; `environment` is that of the machine with the page."""

import http.client
import os
import re

from websockets.asyncio.client import connect

from server import PATIENCE, hub


def log_in(environment=os.environ):
    """The cookie and the key of a new session."""
    page = environment["HUB_WEB_LISTEN"]
    link = re.search(r"http://\S+", hub("web", environment=environment)).group()
    connection = http.client.HTTPConnection(page, timeout=PATIENCE)
    connection.request("GET", link.split(page)[1])
    answer = connection.getresponse()
    text = answer.read().decode()
    cookie = answer.getheader("Set-Cookie").split(";")[0]
    return cookie, re.search(r'name="hub-key" content="([0-9a-z]+)"', text).group(1)


def open_socket(cookie=None, key=None, environment=os.environ, **options):
    page = environment["HUB_WEB_LISTEN"]
    options = {"origin": "http://" + page} | options
    return connect(
        f"ws://{page}/api/notes/live", subprotocols=["hub.notes.v1"] + (["hub-key." + key] if key else []),
        additional_headers={"Cookie": cookie} if cookie else None, compression=None, proxy=None, open_timeout=None,
        ping_timeout=None, **options)
