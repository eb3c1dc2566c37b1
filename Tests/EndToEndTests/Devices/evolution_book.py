"""Uses an address book through Evolution Data Server, the real code of GNOME's programs.

    evolution_book.py PORT USER PASSWORD PATH STEP...

It runs in `dbus-run-session` with a HOME of its own. Steps are done in their order: `has:TEXT` and `lacks:TEXT` wait until a card has
a text, or none has; `set:CARD|OLD|NEW` replaces a text in the card that has another; `add:CARD` adds one, with `~` for line ends;
`remove:TEXT` removes one; `refresh` asks the server; `sh:COMMAND` runs a command. What a step says is printed; the first failure ends it.
"""

import os
import subprocess
import sys
import time

import dbus

SERVER = "org.gnome.evolution.dataserver."
ROOT = "/org/gnome/evolution/dataserver/"
TRIES = 600

port, user, password, path = sys.argv[1:5]
folder = os.environ["HOME"] + "/.config/evolution/sources"
os.makedirs(folder, exist_ok=True)
with open(folder + "/peer.source", "w", encoding="utf-8") as file:
    file.write(
        "[Data Source]\nDisplayName=peer\nEnabled=true\nParent=carddav-stub\n\n"
        "[Address Book]\nBackendName=carddav\n\n"
        f"[Authentication]\nHost=127.0.0.1\nMethod=plain/password\nPort={port}\nUser={user}\n\n"
        f"[Security]\nMethod=none\n\n[WebDAV Backend]\nResourcePath={path}\n"
    )


def until(what, body):
    """Waits until `body` returns something, which may fail before."""
    last = None
    for _ in range(TRIES):
        try:
            found = body()
            if found:
                return found
        except dbus.DBusException as error:
            last = error
        time.sleep(0.05)
    sys.exit(f"{what}: never ({last})")


bus = dbus.SessionBus()


def peer():
    """The path of the source in the registry."""
    manager = bus.get_object(SERVER + "Sources5", ROOT + "SourceManager")
    objects = dbus.Interface(manager, "org.freedesktop.DBus.ObjectManager").GetManagedObjects()
    return next((path for path, has in objects.items() if has.get(SERVER + "Source", {}).get("UID") == "peer"), None)


source = until("source", peer)
factory = until("factory", lambda: bus.get_object(SERVER + "AddressBook10", ROOT + "AddressBookFactory"))
place, name = dbus.Interface(factory, SERVER + "AddressBookFactory").OpenAddressBook("peer")
book = dbus.Interface(bus.get_object(name, place), SERVER + "AddressBook")
book.Open(timeout=60)
status = dbus.Interface(bus.get_object(SERVER + "Sources5", source), "org.freedesktop.DBus.Properties")
until("question", lambda: status.Get(SERVER + "Source", "ConnectionStatus") == "awaiting-credentials")
dbus.Interface(bus.get_object(SERVER + "Sources5", source), SERVER + "Source").InvokeAuthenticate(
    dbus.Array(["username:" + user, "password:" + password], signature="s")
)
properties = dbus.Interface(bus.get_object(name, place), "org.freedesktop.DBus.Properties")


def cards():
    """All cards that it has."""
    return [str(card) for card in book.GetContactList("", timeout=60)]


def uid(card):
    """The UID of a card."""
    return next(line[4:].strip() for line in card.splitlines() if line.startswith("UID:"))


none = dbus.UInt32(0)
for step in sys.argv[5:]:
    kind, _, text = step.partition(":")
    match kind:
        case "writable":
            until(step, lambda: properties.Get(SERVER + "AddressBook", "Writable"))
        case "refused":
            until(step, lambda: status.Get(SERVER + "Source", "ConnectionStatus") == "awaiting-credentials")
            if cards():
                sys.exit("cards in spite of a wrong password")
        case "has":
            until(step, lambda: any(text in card for card in cards()))
        case "lacks":
            until(step, lambda: not any(text in card for card in cards()))
        case "set":
            which, old, new = text.split("|")
            book.ModifyContacts([next(card for card in cards() if which in card).replace(old, new)], none, timeout=60)
        case "add":
            book.CreateContacts([text.replace("~", "\r\n")], none, timeout=60)
        case "remove":
            book.RemoveContacts([uid(next(card for card in cards() if text in card))], none, timeout=60)
        case "refresh":
            book.Refresh(timeout=60)
        case "sh":
            print(subprocess.run(text, shell=True, check=True, capture_output=True, text=True).stdout)
        case _:
            sys.exit("what is " + step)
    print(kind, flush=True)
