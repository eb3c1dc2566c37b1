"""What the gallery shows: a store as a person has it after some weeks, and the way to each screen and state."""

import datetime
import json
import math
import os
import random
import struct
import zlib

from selenium.webdriver.common.keys import Keys

from gallery import CHORD, CLICK, FILL, ITEM, PRESS, RUN, SCRIPT, WAIT

PEOPLE = """
Ada Lovelace|+44 20 7946 0001|ada@analytical.example|Analytical Engines|friends|12-10
Łukasz Nowak|+48 601 234 567|lukasz@nowak.example|Zakład Testów|friends|03-31
Emmy Noether|+49 551 390 000|emmy@rings.example|Universität Göttingen|work|03-23
Sofia Kovalevskaya|+46 8 100 100|sofia@tops.example|Stockholms högskola|work|01-15
Grace Hopper|+1 202 555 0101|grace@compilers.example|US Navy|work|12-09
Maria Mitchell|+1 508 555 0142|maria@comets.example|Vassar College|family|08-01
Katherine Johnson|+1 757 555 0180|katherine@orbits.example|NASA|work|08-26
Alan Turing|+44 1908 555 010|alan@machines.example|Bletchley Park|friends|06-23
Hedy Lamarr|+43 1 555 0199|hedy@frequencies.example||family|11-09
Chien-Shiung Wu|+1 212 555 0113|wu@parity.example|Columbia University|work|05-31
Rosalind Franklin|+44 20 7836 5454|rosalind@helix.example|King’s College|work|07-25
Dorothy Hodgkin|+44 1865 555 012|dorothy@crystals.example|Oxford|friends|05-12
Barbara Liskov|+1 617 555 0170|barbara@clu.example|MIT|work|11-07
Edsger Dijkstra|+31 40 555 0172|edsger@paths.example|TU Eindhoven|work|05-11
Mary Somerville|+44 131 555 0180|mary@mechanism.example||family|12-26
Lise Meitner|+43 1 555 0117|lise@uranium.example|Universität Wien|friends|11-07
Vera Rubin|+1 202 555 0128|vera@galaxies.example|Carnegie Institution|work|07-23
Jane Goodall|+44 1202 555 034|jane@gombe.example||friends|04-03
Wisława Szymborska|+48 12 555 0196|wislawa@wiersze.example||friends|07-02
Nina Müller|+49 30 555 0144|nina@mueller.example|Gartenbau Müller|neighbours|02-14
Jonas Müller|+49 30 555 0145|jonas@mueller.example||neighbours|
Dr Okafor|+234 1 555 0150||Praxis am Markt|health|
Plumber Kowalski|+48 58 555 0160|biuro@kowalski.example|Kowalski Instalacje|home|
"""
NOTES = [
    ("Shopping", "- [x] bread\n- [ ] oat milk\n- [ ] coffee beans, see [[Coffee]]\n- [ ] lemons\n", ["--tag", "home", "--pin"]),
    ("Coffee", "# V60\n\n15 g coffee, 250 g water at **94 °C**.\n\n1. Rinse the filter.\n2. Bloom with 50 g for 40 s.\n3. Pour in three steps until 2:30.\n\n| beans | grind |\n|---|---|\n| Kenya | 22 |\n| Huila | 24 |\n", ["--tag", "home"]),
    ("Trip to Gdańsk", "**Train** 09:12 from platform 4.\n\n- museum tickets\n- call [[Shopping]]\n\n> Bring the good camera.\n", ["--tag", "travel", "--folder", "trips"]),
    ("Reading list", "- The Art of Doing Science and Engineering\n- A Pattern Language\n- The Left Hand of Darkness\n", ["--tag", "books"]),
    ("Garden", "Tomatoes by the south wall, beans where the peas were. Ask Nina about her compost.\n", ["--tag", "home"]),
    ("Meeting about the board", "Sort by what changed. Fewer columns on a phone. Next on Thursday at ten.\n", ["--tag", "work", "--folder", "work/ideas"]),
    ("Gift ideas", "Mother: a book about birds.\nJonas: a bicycle bell.\n", ["--tag", "family"]),
]
DROP = r"""
const files = new DataTransfer();
files.items.add(new File(["BEGIN:VCARD\nVERSION:4.0\nFN:Dropped One\nEND:VCARD\nBEGIN:VCARD\nFN:Broken\n"], "people.vcf"));
for (const type of ["dragenter", "dragover", "drop"]) document.body.dispatchEvent(new DragEvent(type, { dataTransfer: files, bubbles: true, cancelable: true }));
"""
HABITS = [
    ("Water", "daily: 6 <= x <= 10", ["health"], (5, 11), 0.95), ("Read", "daily", ["mind"], None, 0.8), ("Meditate", "daily", ["mind"], None, 0.6),
    ("Run", "Mon,Wed,Fri: x >= 5", ["health"], (3, 9), 0.85), ("Coffee", "daily: x <= 3", ["health"], (1, 5), 0.9), ("Piano", "Tue,Thu,Sat: x >= 20", ["mind"], (10, 45), 0.7),
    ("Push-ups", "daily: x >= 30", ["health"], (20, 45), 0.75), ("Write the journal", "daily", ["mind"], None, 0.9), ("Stretch", "daily", ["health"], None, 0.5),
    ("Practise Polish", "daily: x >= 15", ["mind"], (10, 30), 0.7), ("No sweets", "daily", ["health"], None, 0.65), ("Tidy the desk", "Fri", ["home"], None, 0.6),
    ("Water the plants", "Mon,Thu", ["home"], None, 0.9), ("Call home", "Sun", ["family"], None, 0.9), ("Take the bins out", "Sun", ["home"], None, 0.9),
]


def portrait():
    """A PNG of 128 by 128 pixels: a head and shoulders on a soft ground."""
    def pixel(x, y):
        if (x - 64) ** 2 + (y - 50) ** 2 < 26 ** 2:
            return (232, 190, 160)
        if (x - 64) ** 2 / 46 ** 2 + (y - 128) ** 2 / 44 ** 2 < 1:
            return (60, 90, 130)
        return (150 + y // 3, 190 - y // 4, 200 - x // 4)
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + bytes(value for x in range(128) for value in pixel(x, y)) for y in range(128))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 128, 128, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def day(offset=0):
    return (datetime.datetime.now(datetime.timezone.utc).date() + datetime.timedelta(days=offset)).isoformat()


def fill(home):
    from page import hub
    chance = random.Random(7)
    cards = []
    for line in PEOPLE.strip().splitlines():
        name, phone, mail, work, tag, born = line.split("|")
        cards.append("\n".join(["BEGIN:VCARD", "VERSION:4.0", f"FN:{name}", f"TEL;TYPE=cell:{phone}"] + ([f"EMAIL;TYPE=home:{mail}"] if mail else [])
                               + ([f"ORG:{work}"] if work else []) + [f"CATEGORIES:{tag}"] + ([f"BDAY:1985{born.replace('-', '')}"] if born else []) + ["END:VCARD", ""]))
    cards.append("BEGIN:VCARD\nVERSION:4.0\nFN:A. Lovelace\nEMAIL:ada@analytical.example\nEND:VCARD\n")
    cards.append("BEGIN:VCARD\nVERSION:4.0\nFN:Lukasz Nowak\nTEL:+48 601 234 567\nEND:VCARD\n")
    with open(home + "/people.vcf", "w") as file:
        file.write("\n".join(cards))
    hub("contacts", "import", home + "/people.vcf")
    hub("contacts", "set", "ada lovelace", "phone.work=+44 20 7946 0002", "address.home=12 St James's Square; SW1Y 4JH London; ; UK", "url=https://example.org/notes", "title=Programmer",
        "im=xmpp:ada@chat.example", "note=Likes punched cards and long walks.")
    with open(home + "/ada.png", "wb") as file:
        file.write(portrait())
    hub("contacts", "photo", "ada lovelace", "--set", home + "/ada.png")
    hub("contacts", "rm", json.loads(hub("contacts", "new", "Old Landlord", "--json"))["id"], "--yes")
    os.mkdir(home + "/cards")

    def emmy(phone, note):
        with open(home + "/cards/emmy.vcf.new", "w", newline="") as file:
            file.write(f"BEGIN:VCARD\r\nVERSION:3.0\r\nUID:emmy\r\nFN:Maryam Mirzakhani\r\nN:Mirzakhani;Maryam;;;\r\nTEL;TYPE=CELL:{phone}\r\nNOTE:{note}\r\nEND:VCARD\r\n")
        os.replace(home + "/cards/emmy.vcf.new", home + "/cards/emmy.vcf")
    emmy("+1 650 555 0100", "surfaces")
    hub("contacts", "accounts", "add", "home", home + "/cards")
    for number in range(10):
        hub("contacts", "sync", codes=(0, 2))
        emmy(f"+1 650 555 01{number}1", "billiards and surfaces")
        hub("contacts", "set", "maryam", f"phone.mobile=+1 650 555 01{number}2", "note=curves")
        hub("contacts", "sync", codes=(0, 2))
        if json.loads(hub("contacts", "conflicts", "--json")):
            break

    hub("contacts", "groups", "new", "Choir", "ada lovelace", "emmy noether", "alan turing")
    hub("contacts", "searches", "save", "no-number", "--", "-has:phone")

    os.mkdir(home + "/habits")
    with open(home + "/habits/habits", "w") as file:
        file.writelines(f"{name}: 1\n" for name, *_ in HABITS)
    with open(home + "/habits/log", "w") as file:
        for back in range(120, -1, -1):
            for name, _, _, amount, share in HABITS:
                if back == 0 and name not in ("Read", "Water the plants", "Push-ups"):
                    continue
                done = chance.random() < share
                file.write(f"{day(-back)} : {name} : {'y' if done or amount else 'n'} :  : {chance.randint(*amount) if amount else 1 if done else 0}\n")
    hub("mintee", "import", home + "/habits", codes=(0, 1, 2))
    for name, pattern, tags, _, _ in HABITS:
        hub("mintee", "edit", name, "--on", pattern, *[word for tag in tags for word in ("--tag", tag)], "--yes")
    hub("mintee", "set", "Water", "4")
    hub("mintee", "set", "Coffee", "5")
    hub("mintee", "note", "Read", "The Left Hand of Darkness, chapter 7")
    hub("mintee", "skip", "No sweets", "--why", "birthday cake")
    hub("mintee", "new", "Renew the passport", "--dates", f"{day()},{day(30)}", "--notes", "Photos first, then the form.")
    hub("mintee", "analyses", "new", "Health", "--tag", "health", "--days", "60")
    hub("mintee", "analyses", "new", "Mind", "--tag", "mind", "--type", "line", "--days", "60")

    for title, text, words in NOTES:
        hub("notes", "new", title, "-m", text, *words)
    hub("notes", "append", "coffee", "- [ ] try a coarser grind")
    hub("notes", "share", "trip", "maria")
    hub("notes", "rm", "gift", "--yes")
    hub("notes", "new", "Recipe", "-m", "water, salt")
    hub("notes", "append", "recipe", "and one bay leaf")
    hub("notes", "publish", "recipe", codes=(0, 1, 2))
    hub("notes", "attach", "recipe", home + "/ada.png", home + "/people.vcf")
    hub("devices", "add", "phone", codes=(0, 1, 2))
    hub("devices", "add", "laptop", "--hub", codes=(0, 1, 2))
    os.environ["HUB_NOTES_NAME"] = "ada"
    hub("notes", "new", "Winter plan", "-m", "not for all")
    hub("notes", "share", "winter plan", "maria")
    del os.environ["HUB_NOTES_NAME"]
    hub("notes", "new", "Winter diary", "-m", "snow")
    hub("notes", "share", "winter diary", "ben")
    os.environ["HUB_NOTES_NAME"] = "maria"
    hub("notes", "unlock", "winter diary", "-m", "I was there too")
    del os.environ["HUB_NOTES_NAME"]

    from dictofun_page import imported
    imported("20261120_094100.wav", 20, "home")
    imported("20261119_110500.wav", 8, "work", pitch=330)
    imported("20261003_180000.wav", 6, "home", pitch=440)
    imported("20260922_073000.wav", 4, pitch=550)
    hub("dictofun", "rm", "20260922_073000", "--yes", codes=(0, 1, 2))

    hub("market", "list", "--limit", "1")
    for words in [("0.5", "demo:demo-1", "--price", "42000", "--fee", "12", "--date", "2026-01-03"), ("1", "demo:demo-2", "--price", "2100", "--date", "2026-02-01"),
                  ("100", "demo:demo-9", "--price", "500", "--date", "2024-03-03"), ("2500", "demo:demo-12", "--price", "0.4", "--date", "2025-03-03")]:
        hub("market", "portfolio", "buy", *words)
    hub("market", "portfolio", "sell", "60", "demo:demo-9", "--price", "420", "--date", "2025-05-03")
    hub("market", "portfolio", "sell", "10", "demo:demo-9", "--price", "900", "--date", "2026-05-03")
    hub("market", "watchlist", "add", "demo:demo-1", "demo:demo-2", "demo:demo-5", "demo:demo-9")
    hub("market", "watchlist", "add", "demo:demo-3", "demo:demo-12", "--list", "decentralized finance")
    hub("market", "alerts", "new", "demo:demo-1", "> 1000000")
    hub("market", "alerts", "new", "demo:demo-2", "< 1000")


def empty(gallery):
    """A hub that holds nothing yet, and what one sees before the login."""
    for name, path in [("today", "/"), ("contacts", "/contacts"), ("contacts-duplicates", "/contacts?view=duplicates"), ("contacts-birthdays", "/contacts?view=birthdays"),
                       ("contacts-trash", "/contacts?view=trash"), ("mintee", "/mintee"), ("mintee-tasks", "/mintee?view=tasks"), ("mintee-analyses", "/mintee?view=analyses"),
                       ("notes", "/notes"), ("notes-trash", "/notes?view=trash"), ("notes-requests", "/notes?view=requests"), ("dictofun", "/dictofun"), ("dictofun-recorders", "/dictofun?view=recorders"), ("market-lists", "/market?view=lists"),
                       ("market-portfolio", "/market?view=portfolio"), ("market-alerts", "/market?view=alerts"), ("trash", "/trash")]:
        gallery.show("empty-" + name, path)


def ids():
    from page import hub
    def of(*words):
        return json.loads(hub(*words, "--json"))
    ada = of("contacts", "search", "ada lovelace")[0]["id"]
    return {"ada": ada, "earlier": of("contacts", "history", ada)[-1]["operation"], "coffee": of("notes", "search", "coffee")[0]["id"], "choir": of("contacts", "search", "choir")[0]["id"], "recipe": of("notes", "search", "recipe")[0]["id"],
            "plan": of("notes", "search", "winter plan")[0]["id"], "shopping": of("notes", "search", "shopping")[0]["id"], "trip": of("notes", "search", "trip")[0]["id"],
            "record": of("dictofun", "list")[0]["id"], "water": next(row["id"] for row in of("mintee", "list") if row["name"] == "Water"), "read": next(row["id"] for row in of("mintee", "list") if row["name"] == "Read"),
            "health": of("mintee", "analyses")[0]["id"], "mind": of("mintee", "analyses")[1]["id"]}


def full(gallery, home):
    it, show = ids(), gallery.show
    menu = lambda selector: (CLICK, selector)
    # The frame
    show("today", "/")
    show("today-add", "/", [(PRESS, "c")])
    show("share", "/share?title=A%20page&text=Worth%20reading&url=https%3A%2F%2Fexample.org%2Fpage")
    show("timeline", "/timeline")
    show("timeline-earlier", "/timeline?at=" + it["earlier"])
    show("today-arrange", "/", [(CLICK, "#today .head button")])
    show("search", "/", [(CLICK, "[data-command=search], .find"), (PRESS, "coffee")])
    show("search-start", "/", [(CLICK, ".find")])
    show("search-none", "/", [(CLICK, ".find"), (PRESS, "qwertz")])
    show("menu", "/", [menu("#menu-button")])
    show("keys", "/contacts", [(PRESS, "?")])
    show("settings", "/settings")
    show("trash", "/trash")
    show("devices", "/devices")
    show("devices-add", "/devices", [(CLICK, "#devices section button.main")])
    show("devices-machine", "/devices", [(CLICK, "#machines ~ .actions button")])
    show("devices-remove", "/devices", [(CLICK, "#devices [aria-label='Remove phone']")])
    show("trash-question", "/trash", [(CLICK, "#trash .danger")])
    show("nowhere", "/nowhere")
    # Contacts
    show("contacts", "/contacts")
    show("contacts-card", "/contacts?id=" + it["ada"])
    show("contacts-card-menu", "/contacts?id=" + it["ada"], [menu(".head-actions .menu-button")])
    show("contacts-edit", f"/contacts?id={it['ada']}&view=edit")
    show("contacts-new", "/contacts?view=new")
    show("contacts-error", "/contacts?view=new", [(FILL, "[data-field=birthday] .day", "31"), (FILL, "[data-field=email] input", "nothing"), (CLICK, ".form-bar .main")])
    show("contacts-leave", "/contacts?view=new", [(FILL, "[data-field=name] input", "Somebody"), (CLICK, ".places [href='/contacts']")])
    show("contacts-search", "/contacts?q=no")
    show("contacts-none", "/contacts?q=qwertz")
    show("contacts-filter", "/contacts", [menu(".list-tools .menu-button")])
    show("contacts-selection", "/contacts", [(CLICK, "[data-index='1'] .pick"), (CLICK, "[data-index='2'] .pick")])
    show("contacts-duplicates", "/contacts?view=duplicates", [(WAIT, 2), (CLICK, ".duplicates summary")])
    show("contacts-conflicts", "/contacts?view=conflicts")
    show("contacts-birthdays", "/contacts?view=birthdays&days=366")
    show("contacts-group", "/contacts?id=" + it["choir"])
    show("contacts-group-menu", "/contacts?id=" + it["choir"], [menu(".head-actions .menu-button")])
    show("contacts-saved", "/contacts", [menu(".list-tools .menu-button")])
    show("contacts-import", "/contacts", [(SCRIPT, DROP)])
    show("contacts-import-why", "/contacts", [(SCRIPT, DROP), (CLICK, "#hub-toast button")])
    show("contacts-trash", "/contacts?view=trash")
    show("contacts-history", f"/contacts?id={it['ada']}&view=history")
    show("contacts-earlier", f"/contacts?id={it['ada']}&view=history", [(CLICK, ".history li:last-child button")])
    show("contacts-gone", "/contacts?id=zzzz")
    # Mintee
    show("mintee", "/mintee")
    show("mintee-toast", "/mintee", [(CLICK, ".task[data-state=open] .tick")])
    show("mintee-past", "/mintee?day=" + day(-1))
    show("mintee-menu", "/mintee", [menu(".task .menu-button")])
    show("mintee-skip", "/mintee", [menu(".task .menu-button"), (ITEM, "Skip")])
    show("mintee-task", "/mintee?id=" + it["water"])
    show("mintee-task-yes", "/mintee?id=" + it["read"])
    show("mintee-month", "/mintee?view=month")
    show("mintee-tasks", "/mintee?view=tasks")
    show("mintee-new", "/mintee?view=new")
    show("mintee-edit", f"/mintee?view=edit&id={it['water']}")
    show("mintee-set", f"/mintee?view=edit&id={it['water']}", [(CLICK, ".ordered .icon-button[aria-label*=Edit], .set button, .ordered button")])
    show("mintee-analyses", "/mintee?view=analyses")
    show("mintee-analysis", "/mintee?view=analysis&id=" + it["health"])
    show("mintee-analysis-line", "/mintee?view=analysis&id=" + it["mind"])
    show("mintee-analysis-new", "/mintee?view=newanalysis")
    # Notes
    show("notes", "/notes")
    show("notes-note", "/notes?id=" + it["coffee"])
    show("notes-preview", "/notes?id=" + it["coffee"], [(CHORD, Keys.ENTER)])
    show("notes-tasks", "/notes?id=" + it["shopping"], [(CHORD, Keys.ENTER)])
    show("notes-menu", "/notes?id=" + it["coffee"], [menu(".note-bar .menu-button")])
    show("notes-history", f"/notes?id={it['coffee']}&view=history")
    show("notes-versions", f"/notes?id={it['recipe']}&view=history")
    show("notes-locked", "/notes?id=" + it["plan"])
    show("notes-requests", "/notes?view=requests")
    show("notes-publish", "/notes?id=" + it["recipe"], [menu(".note-bar .menu-button"), (ITEM, "Public link")])
    show("notes-save-as", "/notes?id=" + it["recipe"], [menu(".note-bar .menu-button"), (ITEM, "Save as")])
    show("notes-tags", "/notes?id=" + it["recipe"], [menu(".note-bar .menu-button"), (ITEM, "Tags")])
    show("notes-share", "/notes?id=" + it["recipe"], [menu(".note-bar .menu-button"), (ITEM, "Share")])
    show("notes-shared", "/notes?id=" + it["trip"])
    show("notes-files", "/notes?id=" + it["recipe"])
    show("notes-files-drawn", "/notes?id=" + it["recipe"], [(CHORD, Keys.ENTER)])
    show("notes-new", "/notes?view=new")
    show("notes-none", "/notes?q=qwertz")
    show("notes-selection", "/notes", [(CLICK, "[data-index='1'] .pick"), (CLICK, "[data-index='2'] .pick")])
    show("notes-trash", "/notes?view=trash")
    # Dictofun
    show("dictofun", "/dictofun")
    show("dictofun-record", "/dictofun?id=" + it["record"])
    show("dictofun-search", "/dictofun?q=boiler&id=" + it["record"])
    show("dictofun-menu", "/dictofun?id=" + it["record"], [menu(".head-actions [aria-label='More actions']")])
    show("dictofun-edit", f"/dictofun?id={it['record']}&view=edit")
    show("dictofun-playing", "/dictofun?id=" + it["record"], [(PRESS, " "), (WAIT, 2)])
    show("dictofun-tags", "/dictofun?id=" + it["record"], [(CLICK, ".record-head button.chip")])
    show("dictofun-title", "/dictofun?id=" + it["record"], [menu(".head-actions [aria-label='More actions']"), (ITEM, "Correct title")])
    show("dictofun-engines", "/dictofun?view=engines")
    show("dictofun-recording", "/dictofun", [(PRESS, "n"), (WAIT, 3)])
    show("dictofun-recorders", "/dictofun?view=recorders")
    show("dictofun-trash", "/dictofun?view=trash")
    # Market
    show("market", "/market")
    show("market-none", "/market?q=qwertz")
    show("market-token", "/market?id=demo%3Ademo-1")
    show("market-lists", "/market?view=lists")
    show("market-portfolio", "/market?view=portfolio")
    show("market-trade", "/market?view=trade")
    show("market-alerts", "/market?view=alerts")
    show("market-new-alert", "/market?view=new-alert")
    show("market-new-list", "/market?view=lists", [(CLICK, "main .chip:last-of-type")])
    show("market-providers", "/market?view=providers")


def away(gallery, daemon):
    """Without a login, and without hub."""
    from page import hub
    show = gallery.show
    show("expired", "/contacts?view=new", [(FILL, "[data-field=name] input", "Somebody"), (RUN, lambda: hub("web", "--logout")), (CLICK, ".form-bar .main")], is_opened_once=True)
    gallery.log_in()
    show("logged-out", "/settings", [(CLICK, "#menu-button"), (CLICK, ".logout button")], is_opened_once=True)
    show("login", "/mintee?view=tasks")
    show("login-used", "/login?code=dzn8a9a6qr58h8a5vss279zjk7")
    gallery.log_in()
    stopped = []

    def stop():
        if not stopped:
            daemon.terminate()
            daemon.wait()
            stopped.append(True)
    show("offline", "/mintee?view=new", [(FILL, "[data-field=name] input", "Somebody"), (RUN, stop), (CLICK, ".form-bar .main")], is_opened_once=True)
