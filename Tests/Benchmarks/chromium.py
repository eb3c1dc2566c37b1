#!/usr/bin/env python3
"""The pages in Chromium with 10 000 contacts: first paint, requests, typing in the search, duplicates, and a table of 200 live rows.

Each time stands beside a fixed loop of the same browser, run in the same minute; the fastest of several visits counts. Runs alone too, for
a build that is not the release: HUB=.build/debug/hub Tests/Benchmarks/chromium.py
"""

import functools
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import cards
from measuring import HUB, ROOT, hub_folders, measure, row, table

sys.path.insert(0, os.path.join(ROOT, "Tests/EndToEndTests/Browser"))

PROGRAM = os.environ.get("HUB", HUB)
PORT = 24821
PEOPLE = 10_000
VISITS = 8
# With a warm cache, before the pages were rebuilt.
REQUESTS_BEFORE = {"/contacts": 28, "/mintee": 45}
TYPED = ["a", "an", "ann", "anna", "ada lov", "50", "501", "müll", "kraków", "lovelace", "iva", "user123", "zhang", "linus", "o"]
LOOP = """
    const start = performance.now();
    let number = 1;
    for (let turn = 0; turn < 5_000_000; turn += 1) number = number * 16807 % 2147483647;
    return number && performance.now() - start;"""
PAINT = """
    const paint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null;
    const all = performance.getEntriesByType("resource");
    // The document, and the stream of events, which has no end.
    return [paint, all.filter(({ transferSize }) => transferSize > 0).length + 2];"""
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
DUPLICATES = """
    const done = arguments[0], start = performance.now();
    const look = () => (document.querySelector(".duplicates .card") ? setTimeout(() => done(performance.now() - start)) : requestAnimationFrame(look));
    document.querySelector('.views a[href$="view=duplicates"]').click();
    look();"""


def screens(folder):
    """Measures all of it in a hub of its own below `folder`."""
    from page import start_browser
    environment = hub_folders(f"{folder}/chromium")
    os.environ["HOME"] = folder
    cards.write(PEOPLE, f"{folder}/10k.vcf")
    measure([PROGRAM, "contacts", "import", f"{folder}/10k.vcf"], environment)
    for number in range(55):
        measure([PROGRAM, "mintee", "new", f"Habit {number}", "--on", "daily: x >= 3" if number % 2 else "daily"], environment)
    serving = dict(environment, HUB_WEB_LISTEN=f"127.0.0.1:{PORT}")
    daemon = subprocess.Popen([PROGRAM, "serve"], env=serving, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    browser = None
    try:
        time.sleep(2)
        browser = start_browser("chromium-bench")
        browser.set_script_timeout(120)
        browser.get(subprocess.check_output([PROGRAM, "web"], env=serving, text=True).strip())
        home = f"http://127.0.0.1:{PORT}"
        first_paint(browser, home)
        typing(browser, home)
        duplicates(browser, home)
        live_rows(browser)
    finally:
        if browser:
            browser.quit()
        daemon.terminate()
        daemon.wait()


def timed(what, times, loop, goal):
    """Adds a row for times in milliseconds beside those of the loop."""
    fastest, usual, reference = min(times), statistics.median(times), min(loop)
    row(what, f"{fastest:.0f} ms, median {usual:.0f} ms", "a loop", f"{reference:.0f} ms", f"{fastest / reference:.1f} times the loop", f"under {goal} ms", fastest < goal)


def first_paint(browser, home):
    for path in ["/", "/contacts", "/mintee"]:
        paints, loop, requests = [], [], []
        for _ in range(VISITS):
            browser.get(home + path)
            time.sleep(1)
            paint, sent = browser.execute_script(PAINT)
            paints.append(paint)
            requests.append(sent)
            loop.append(browser.execute_script(LOOP))
        timed(f"first paint of {path}", [paint for paint in paints if paint is not None], loop, 100)
        before = REQUESTS_BEFORE.get(path)
        if before:
            row(f"requests of {path}, with a warm cache", str(min(requests)), "once", str(before), f"{min(requests) / before:.2f} of before", "half", min(requests) <= before / 2)


def typing(browser, home):
    browser.get(home + "/contacts")
    time.sleep(2)
    times, loop = [], []
    for _ in range(4):
        for words in TYPED:
            times.append(browser.execute_async_script(TYPE, words))
        loop.append(browser.execute_script(LOOP))
    timed("key press to rows drawn, 10 000 contacts", [statistics.median(times)], loop, 50)
    row("the slowest of these key presses", f"{max(times):.0f} ms", "-", "-", f"{max(times):.0f} ms", "-", True)


def duplicates(browser, home):
    browser.get(home + "/contacts?view=duplicates")
    while browser.execute_script("return !document.querySelector('.duplicates .card') || /ooking/.test(document.querySelector('#details').textContent)"):
        time.sleep(0.5)
    times, loop = [], []
    for _ in range(VISITS):
        browser.execute_script("document.querySelector('.views a[href=\"/contacts\"]').click()")
        time.sleep(0.5)
        times.append(browser.execute_async_script(DUPLICATES))
        loop.append(browser.execute_script(LOOP))
    timed("the page of duplicates, 10 000 contacts", times, loop, 200)


def live_rows(browser):
    import components
    things = components.Things()
    server = components.ToyServer(("127.0.0.1", 0), functools.partial(components.Server, things))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        browser.get(f"http://127.0.0.1:{server.server_port}/?live")
        while not browser.execute_script("return window.toy?.isReady"):
            time.sleep(0.1)
        browser.execute_cdp_cmd("Performance.enable", {})
        work = lambda: {line["name"]: line["value"] for line in browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]}
        before = work()
        took = browser.execute_async_script("toy.run(500, 50).then(arguments[0])") / 1000
        after = work()
        script, all_work = ((after[name] - before[name]) / took for name in ["ScriptDuration", "TaskDuration"])
        row("50 cells a second of a table of 200 rows", f"{script:.1%} of a core", "with drawing", f"{all_work:.1%}", f"{script:.1%} of a core", "under 5 %", script < 0.05)
    finally:
        [listener.put(None) for listener in things.listeners]
        server.shutdown()
        server.server_close()


if __name__ == "__main__":
    directory = tempfile.mkdtemp(prefix="hub-bench-")
    try:
        screens(directory)
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    print("", *table(), sep="\n")
