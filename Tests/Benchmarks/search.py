"""The page's search as you type, over HTTP, beside a server of Python's over the FTS5 index of the same cards."""

import http.cookiejar
import re
import statistics
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

import books
from measuring import HERE, HUB, SYSTEM_PYTHON, Failure, free_port, output, row, size, stop

WORDS = size(["l", "lo", "lov", "love", "lovel", "user123", "234 567", "łuk", "müll", "kraków", "ada lov", "ивано"], ["l", "müll"])


def searching(folder):
    """How long the page waits for the hits of each key press."""
    books.database(f"{folder}/search.db", folder)
    environment = dict(books.store(folder), HUB_WEB_LISTEN=f"127.0.0.1:{free_port()}")
    peer = subprocess.Popen([SYSTEM_PYTHON, "-B", f"{HERE}/fts_server.py", f"{folder}/search.db"], stdout=subprocess.PIPE, text=True)
    daemon = subprocess.Popen([HUB, "serve"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    ours, theirs = [], []
    try:
        browser = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
        link = log_in(browser, environment, daemon)
        addresses = [(ours, link[:link.index("/login")] + "/api/contacts"), (theirs, f"http://127.0.0.1:{int(peer.stdout.readline())}/")]
        for _ in range(size(20, 1)):
            for words in WORDS:
                query = urllib.parse.urlencode({"q": words, "limit": 50})
                for times, address in addresses:
                    start = time.perf_counter()
                    browser.open(f"{address}?{query}", timeout=600).read()
                    times.append(time.perf_counter() - start)
    finally:
        stop(daemon)
        stop(peer)
        peer.stdout.close()
    row(f"a key press of the search, {books.COUNT:,} cards", ours, "Python http.server, SQLite FTS5", theirs, BOUNDS, at_most=1)
    row("99 of 100 of these", late(ours), "Python http.server, SQLite FTS5", late(theirs), BOUNDS, at_most=1)


BOUNDS = ("Joining the matches by words, by beginnings and by parts of words, and ranking them. The peer looks for beginnings of words only and "
          "sorts nothing.")


def late(times):
    return statistics.quantiles(times, n=100)[98] if len(times) > 1 else times[0]


def log_in(browser, environment, daemon):
    """Logs in with a link of `hub web`, once the daemon answers; returns the link."""
    while True:
        if daemon.poll() is not None:
            raise Failure(f"hub serve ended with {daemon.returncode}")
        link = output([HUB, "web", "contacts"], environment).strip()
        try:
            welcome = browser.open(link, timeout=600).read().decode()
            browser.addheaders = [("Hub-Key", re.search('name="hub-key" content="(.*)"', welcome)[1])]
            return link
        except urllib.error.URLError:
            time.sleep(0.05)


STEPS = [searching]
