"""What the tests of the page of voice records share: sound files, and what can be done and seen on the page."""

import json
import math
import os
import struct
import wave

from page import Page, hub

HOME = os.environ["HOME"]
RATE = 8000


def sound(name, seconds, pitch=220):
    """Writes a WAV file that swells and fades as speech does, and gives its path."""
    path = os.path.join(HOME, name)
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(b"".join(
            struct.pack("<h", int(12000 * math.sin(2 * math.pi * pitch * place / RATE) * abs(math.sin(place / RATE * 2.3)) * (0.3 + 0.7 * abs(math.sin(place / RATE * 0.7)))))
            for place in range(seconds * RATE)))
    return path


def records():
    return json.loads(hub("dictofun", "list", "--json"))


def shown(identifier):
    return json.loads(hub("dictofun", "show", identifier, "--json"))


def imported(name, seconds, *tags, pitch=220):
    """Imports a sound, waits for its text, and gives its id."""
    hub("dictofun", "import", sound(name, seconds, pitch))
    identifier = next(row["id"] for row in records() if row["name"] == name.removesuffix(".wav"))
    if tags:
        hub("dictofun", "tag", identifier, *tags)
    return identifier


class DictofunPage(Page):
    plugin = "dictofun"

    @classmethod
    def setUpClass(cls):
        cls.plumber = imported("20261120_094100.wav", 20, "home")
        cls.idea = imported("20261119_110500.wav", 8, "work", pitch=330)
        cls.milk = imported("20261003_180000.wav", 6, pitch=440)
        super().setUpClass()

    def ready(self):
        return self.browser.execute_script("return document.querySelector('main h2, .list-row:not(.waiting), .state:not(.waiting)') !== null")

    def titles(self):
        """The titles in sight, in their order."""
        return self.browser.execute_script(
            "return [...document.querySelectorAll('.list-row')].sort((one, other) => one.dataset.index - other.dataset.index)"
            ".map((row) => row.querySelector('.title')?.textContent ?? '…')")

    def search(self, words):
        self.fill("#query", words)

    def player(self):
        """Whether the sound is playing, and its place in seconds."""
        return self.browser.execute_script("const it = document.getElementById('sound'); return [!it.paused && !it.ended, it.currentTime]")

    def is_playing(self):
        return self.player()[0]

    def place(self):
        return self.player()[1]

    def focused(self):
        return self.browser.execute_script("const it = document.activeElement; return it.ariaLabel ?? it.querySelector('.title')?.textContent ?? (it.id || it.textContent.trim() || it.tagName)")
