"""The address book of Evolution Data Server, on the session bus that it is started with.

    eds_book.py import FILE    cards a second
    eds_book.py beside FILE    seconds that the writes of another process take beside an import, the median and the longest
    eds_book.py write          writes until stdin ends
"""

import select
import statistics
import subprocess
import sys
import time

import gi

gi.require_version("EBook", "1.2")
gi.require_version("EBookContacts", "1.2")
gi.require_version("EDataServer", "1.2")
from gi.repository import EBook, EBookContacts, EDataServer  # noqa: E402

BATCH = 1000
# Of the backend for a connection, which a book on this machine does not have.
NO_WAIT = 0xFFFFFFFF


def connect():
    registry = EDataServer.SourceRegistry.new_sync(None)
    return EBook.BookClient.connect_sync(registry.ref_builtin_address_book(), NO_WAIT, None)


def add(book, path):
    """Adds the cards of the file; how many a second."""
    with open(path, newline="") as file:
        cards = [text + "END:VCARD\r\n" for text in file.read().split("END:VCARD\r\n")[:-1]]
    start = time.perf_counter()
    for first in range(0, len(cards), BATCH):
        contacts = [EBookContacts.Contact.new_from_vcard(card) for card in cards[first:first + BATCH]]
        book.add_contacts_sync(contacts, EBookContacts.BookOperationFlags.NONE, None)
    return len(cards) / (time.perf_counter() - start)


def write(book):
    """Adds a contact again and again until stdin ends."""
    times = []
    while not times or not select.select([sys.stdin], [], [], 0.02)[0]:
        contact = EBookContacts.Contact.new_from_vcard("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Grace Hopper\r\nEND:VCARD\r\n")
        start = time.perf_counter()
        book.add_contact_sync(contact, EBookContacts.BookOperationFlags.NONE, None)
        times.append(time.perf_counter() - start)
    print(f"median\t{statistics.median(times)}\nlongest\t{max(times)}")


def main():
    book = connect()
    if sys.argv[1] == "write":
        write(book)
    elif sys.argv[1] == "import":
        print(f"rate\t{add(book, sys.argv[2])}")
    else:
        writer = subprocess.Popen([sys.executable, "-B", __file__, "write"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        add(book, sys.argv[2])
        print(writer.communicate()[0], end="")
        sys.exit(writer.returncode)


main()
