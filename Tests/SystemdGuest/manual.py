"""The commands and files of a page of the manual, in its own words."""

import re


class Page:
    """A page in Markdown, whose blocks of code are found by the words before them."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.text = file.read()

    def block(self, words, at=0):
        """The first block after these words, or the one that many after it."""
        assert self.text.count(words) == 1, (words, self.text.count(words))
        blocks = re.findall(r"^```\w*\n(.*?)^```$", self.text[self.text.index(words):], re.S | re.M)
        return blocks[at]

    def line(self, words):
        """The one line of code in the running text that begins with these words."""
        found = set(re.findall(rf"`({re.escape(words)}[^`\n]*)`", self.text))
        assert len(found) == 1, (words, found)
        return found.pop()
