"""The editor of the ledger: types or deletes signs in a file as LEDGER_PLAN says, and writes to LEDGER_REPORT what it does before it saves."""

import json
import os
import sys


def apply(plan, text, start):
    """Carries out a plan in the text from `start` on; returns what was typed and deleted, and the new text."""
    first, end = plan["first"], plan["first"] + plan["size"]
    if plan["signs"]:
        place = start + int(plan["place"] * (len(text) - start + 1))
        return {"typed": list(plan["signs"]), "deleted": []}, text[:place] + plan["signs"] + text[place:]
    own = [place for place in range(start, len(text)) if first <= ord(text[place]) < end]
    if not own:
        return {"typed": [], "deleted": []}, text
    place = own[int(plan["place"] * len(own))]
    return {"typed": [], "deleted": [text[place]]}, text[:place] + text[place + 1 :]


if __name__ == "__main__":
    path = sys.argv[-1]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    change, text = apply(json.loads(os.environ["LEDGER_PLAN"]), text, text.index("\n\n") + 2)
    with open(os.environ["LEDGER_REPORT"] + ".new", "w", encoding="utf-8") as file:
        json.dump(change, file)
    os.rename(os.environ["LEDGER_REPORT"] + ".new", os.environ["LEDGER_REPORT"])
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
