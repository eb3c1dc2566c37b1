"""The pages in Chromium with 10,000 contacts: first paint, layout shift, requests, typing in the search, ticks, duplicates, and a table of 200 live rows.

The peer is the page of Radicale, which keeps a book of its own, in the same browser: it shows a list of collections after a login, which it
reads from its server. Visits of both alternate.
"""

import functools
import os
import statistics
import subprocess
import sys
import threading
import time

import cards
from measuring import HUB, PEERS, ROOT, Failure, free_port, hub_folders, measure, output, row, size, stop, wait_for

PEOPLE = size(10_000, 20)
HABITS = size(55, 2)
VISITS = size(8, 1)
TYPED = size(["a", "an", "ann", "anna", "ada lov", "50", "501", "müll", "kraków", "lovelace", "iva", "user123", "zhang", "linus", "o"], ["a", "user1"])
PEER = "Radicale's page"
PAINT = """
    const paint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null;
    const all = performance.getEntriesByType("resource");
    // And the document.
    return [paint, all.filter(({ transferSize }) => transferSize > 0).length + 1];"""
# Words that find what was shown already change nothing: the answer of the server has come then, and its rows had a frame to be drawn.
TYPE = """
    const [words, done] = arguments, field = document.getElementById("query"), ask = window.fetch;
    const start = performance.now();
    window.fetch = async (...request) => {
      const answer = await ask(...request);
      if (String(request[0]).startsWith("/api/contacts/rows")) {
        window.fetch = ask;
        answer.clone().text().then(() => requestAnimationFrame(() => setTimeout(() => done(performance.now() - start))));
      }
      return answer;
    };
    field.value = words;
    field.dispatchEvent(new Event("input"));"""
# How far things have moved since the page was opened. The entry of the navigation is always there, so the observer is called.
SHIFT = """
    const done = arguments[0];
    let sum = 0;
    const observer = new PerformanceObserver((list) => {
      for (const it of list.getEntries()) if (it.entryType === "layout-shift") sum += it.value;
      requestAnimationFrame(() => setTimeout(() => done(sum)));
    });
    for (const type of ["layout-shift", "navigation"]) observer.observe({ type, buffered: true });"""
# From a click on an open task to its tick, laid out; hub's answer comes later and is awaited before the next one.
TICK = """
    const done = arguments[0], tick = document.querySelector(".task button.tick[aria-pressed=false]"), start = performance.now();
    tick.click();
    const isDrawn = tick.getAttribute("aria-pressed") === "true";
    tick.getBoundingClientRect();
    const time = performance.now() - start;
    if (!isDrawn) throw new Error("the tick waits for hub");
    const look = () => (document.querySelector("#hub-toast:not(:empty)") ? setTimeout(() => done(time), 50) : requestAnimationFrame(look));
    look();"""
DUPLICATES = """
    const done = arguments[0], start = performance.now();
    const look = () => (document.querySelector(".duplicates .card") ? setTimeout(() => done(performance.now() - start)) : requestAnimationFrame(look));
    document.querySelector('.views a[href$="view=duplicates"]').click();
    look();"""


# However few contacts there are, these are duplicates.
TWINS = "".join(f"BEGIN:VCARD\r\nVERSION:4.0\r\nUID:twin-{number}\r\nFN:Grace Hopper\r\nEMAIL:grace@example.org\r\nNOTE:{number}\r\nEND:VCARD\r\n" for number in range(2))
# From a click on Next to the list of collections, drawn.
LOG_IN = """
    const done = arguments[0], form = document.querySelector("#loginscene [data-name=form]");
    const look = () => (document.querySelector("#collectionsscene article:not(.hidden)") ? setTimeout(() => done(performance.now() - start)) : requestAnimationFrame(look));
    form.querySelector("[data-name=user]").value = "ann";
    form.querySelector("[data-name=password]").value = "none";
    const start = performance.now();
    form.querySelector("button").click();
    look();"""
# The same changes of a table in a page without any script of hub.
PLAIN_TABLE = """
    const [count, rate, done] = arguments, body = document.createElement("tbody"), table = document.createElement("table");
    for (let place = 0; place < 200; place += 1) body.insertRow().innerHTML = `<th>Coin ${place}</th><td>${100 + place}</td><td>0</td><td><button>Buy ${place}</button></td>`;
    table.style = "table-layout: fixed; width: 40em";
    table.append(body);
    document.body.append(table);
    let made = 0;
    const prices = Array.from({ length: 200 }, (_, place) => 100 + place), begun = performance.now();
    const timer = setInterval(() => {
      const place = (made * 37) % 200, price = 100 + ((made * 7919) % 1000) / 1000, [, first, second] = body.rows[place].cells;
      first.textContent = price.toFixed(2);
      second.textContent = (price - prices[place]).toFixed(2);
      prices[place] = price;
      if (++made < count) return;
      clearInterval(timer);
      done(performance.now() - begun);
    }, 1000 / rate);"""


class Radicale:
    """Radicale with a book for the user `ann`."""

    def __init__(self, folder):
        port = free_port()
        self.address = f"http://127.0.0.1:{port}/.web/"
        os.makedirs(f"{folder}/data/collection-root/ann/book")
        with open(f"{folder}/data/collection-root/ann/book/.Radicale.props", "w") as file:
            file.write('{"tag": "VADDRESSBOOK", "D:displayname": "Book"}')
        with open(f"{folder}/config", "w") as file:
            file.write(f"""[server]
hosts = 127.0.0.1:{port}
[auth]
type = none
[storage]
filesystem_folder = {folder}/data
[logging]
level = warning
""")
        self.process = subprocess.Popen(
            [f"{PEERS}/radicale", "--config", f"{folder}/config"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(self.process, port)


def screens(folder):
    """Measures all of it in a hub of its own below `folder`."""
    # Behind our own folder, whose modules would be hidden.
    sys.path.append(os.path.join(ROOT, "Tests/EndToEndTests/Browser"))
    from page import start_browser
    environment = hub_folders(f"{folder}/chromium")
    os.environ["HOME"] = folder
    cards.write(PEOPLE, f"{folder}/people.vcf")
    with open(f"{folder}/people.vcf", "a", newline="") as file:
        file.write(TWINS)
    measure([HUB, "contacts", "import", f"{folder}/people.vcf"], environment)
    for number in range(HABITS):
        measure([HUB, "mintee", "new", f"Habit {number}", "--on", "daily: x >= 3" if number % 2 else "daily"], environment)
    port = free_port()
    serving = dict(environment, HUB_WEB_LISTEN=f"127.0.0.1:{port}")
    radicale = Radicale(f"{folder}/radicale")
    daemon = subprocess.Popen([HUB, "serve"], env=serving, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    browser = None
    try:
        wait_for(daemon, port)
        browser = start_browser(has_worker=True)
        browser.set_script_timeout(600)
        browser.get(output([HUB, "web"], serving).strip())
        home = f"http://127.0.0.1:{port}"
        first_paint(browser, home, radicale.address)
        logins = [log_in(browser, radicale.address) for _ in range(VISITS)]
        typing(browser, home, logins)
        ticks(browser, home, logins)
        duplicates(browser, home, logins)
        live_rows(browser)
    finally:
        if browser:
            browser.quit()
        stop(daemon)
        stop(radicale.process)


def painted(browser, address):
    """Milliseconds to the first paint of a page, and its requests, once it is quiet."""
    browser.get(address)
    time.sleep(size(1, 0))
    return wait_until(lambda: (found := browser.execute_script(PAINT))[0] is not None and found)


def wait_until(look):
    """What `look` finds in the end."""
    for _ in range(12_000):
        found = look()
        if found:
            return found
        time.sleep(0.05)
    raise Failure("a page does not show what it should")


def first_paint(browser, home, peer):
    for path in size(["/", "/contacts", "/mintee"], ["/contacts"]):
        visits, theirs, shifts = [], [], []
        # The first fills the cache.
        for number in range(VISITS + 1):
            found = []
            for address in [home + path, peer]:
                found.append(painted(browser, address))
                shifts.append((address == peer, browser.execute_async_script(SHIFT)))
            if number:
                visits.append(found[0])
                theirs.append(found[1])
        moved, peers = (max(shift for is_peer, shift in shifts if is_peer == wanted) for wanted in (False, True))
        row(f"layout shift of {path}, the largest", moved, PEER, max(peers, 0.001), "The room of what is read later is kept free.",
            show=lambda shift: f"{shift:.3f}", limit=("under 0.02", moved < 0.02))
        row(f"first paint of {path}", [paint / 1000 for paint, _ in visits], PEER, [paint / 1000 for paint, _ in theirs],
            "Chromium's first layout of the page; hub sends the rows of the page in it, the peer an empty form.", at_most=2)
        row(f"requests of {path}, with a warm cache", min(sent for _, sent in visits), PEER, min(sent for _, sent in theirs),
            "The document, the data that may have changed, and the stream of events.", at_most=1, show=str)


def log_in(browser, address):
    """Seconds from the login at the page of Radicale to its list of collections."""
    browser.get(address)
    wait_until(lambda: browser.execute_script("return !!document.querySelector('#loginscene:not(.hidden) [data-name=form]')"))
    return browser.execute_async_script(LOG_IN) / 1000


def typing(browser, home, logins):
    browser.get(home + "/contacts")
    wait_until(lambda: browser.execute_script("return document.querySelectorAll('[role=option], [role=row], main a').length > 0"))
    time.sleep(size(2, 1))
    times = [browser.execute_async_script(TYPE, words) / 1000 for _ in range(size(4, 1)) for words in TYPED]
    bounds = "A request, the search in the store, and drawing the rows in view. The peer asks for one collection and draws it."
    row(f"key press to rows drawn, {PEOPLE:,} contacts", statistics.median(times), f"{PEER}, login to list", statistics.median(logins), bounds,
        at_most=1)
    row("the slowest of these", max(times), f"{PEER}, login to list", max(logins), bounds)


def ticks(browser, home, logins):
    browser.get(home + "/mintee")
    wait_until(lambda: browser.execute_script("return document.querySelector('.task button.tick[aria-pressed=false]') !== null"))
    time.sleep(size(1, 0))
    times = [browser.execute_async_script(TICK) / 1000 for _ in range(size(10, 2))]
    row("tick to drawn", statistics.median(times), f"{PEER}, login to list", statistics.median(logins),
        "Describing the day once more and changing one row of it; hub is told meanwhile.", limit=("under 16 ms", statistics.median(times) < 0.016))


def duplicates(browser, home, logins):
    browser.get(home + "/contacts?view=duplicates")
    wait_until(lambda: browser.execute_script(
        "return !!document.querySelector('.duplicates .card') && !/ooking/.test(document.querySelector('#details').textContent)"))
    times = []
    for _ in range(VISITS):
        browser.execute_script("document.querySelector('.views a[href=\"/contacts\"]').click()")
        time.sleep(size(0.5, 0))
        times.append(browser.execute_async_script(DUPLICATES) / 1000)
    row(f"the page of duplicates, {PEOPLE:,} contacts", times, f"{PEER}, login to list", logins,
        "Drawing a card for each contact of the first groups, which the server has found before.", at_most=3)


def live_rows(browser):
    import components
    things = components.Things()
    server = components.ToyServer(("127.0.0.1", 0), functools.partial(components.Server, things))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    changes = size(500, 10)
    try:
        browser.get(f"http://127.0.0.1:{server.server_port}/?live")
        wait_until(lambda: browser.execute_script("return window.toy?.isReady"))
        browser.execute_cdp_cmd("Performance.enable", {})
        ours = share(browser, f"toy.run({changes}, 50).then(arguments[0])")
        browser.get("about:blank")
        theirs = share(browser, PLAIN_TABLE, changes, 50)
    finally:
        [listener.put(None) for listener in things.listeners]
        server.shutdown()
        server.server_close()
    core = lambda share: f"{share:.2%} of a core"
    row("scripts of 50 changes a second of a table of 200 rows", ours[0], "a plain table, textContent", theirs[0],
        "Comparing the row with what is drawn: one row is made and compared for each change.", show=core, limit=("under 5 %", ours[0] < 0.05))
    row("that with layout and drawing", ours[1], "a plain table, textContent", theirs[1], "Chromium's layout and painting.", show=core, at_most=2)


def share(browser, script, *arguments):
    """The shares of a core that a script takes while it changes a page, and that all work of the page takes."""
    work = lambda: {line["name"]: line["value"] for line in browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]}
    before = work()
    took = browser.execute_async_script(script, *arguments) / 1000
    after = work()
    return [(after[name] - before[name]) / took for name in ["ScriptDuration", "TaskDuration"]]


STEPS = [screens]
