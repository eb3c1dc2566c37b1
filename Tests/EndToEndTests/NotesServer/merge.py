"""A PUT of NoteApp is merged at the version that its client read, also after the server has died in between."""

import json
import os
import subprocess

from server import HUB, Server, database, hub, note

CLIENTS = [f"127.0.0.{number}" for number in range(2, 6)]


def content(server, id, source):
    return json.loads(server.ask("GET", f"/api/notes/{id}", source=source)[1])["content"]


def put(server, id, text, source):
    assert server.ask("PUT", f"/api/notes/{id}", note("ledger", text), source=source)[0] == 200


server = Server()
lines = "".join(f"line {number}\n" for number in range(len(CLIENTS)))
id = json.loads(server.ask("POST", "/api/notes", note("ledger", lines))[1])["insertedId"]
for turn in range(4):
    read = {client: content(server, id, client) for client in CLIENTS}
    # It dies without a word between the reading and the writing.
    server.kill()
    server = Server()
    for number, client in enumerate(CLIENTS):
        put(server, id, read[client].replace(f"line {number}\n", f"line {number}{'abcd'[number]}\n"), client)
    text = content(server, id, "127.0.0.9")
    assert text == "".join(f"line {number}{'abcd'[number]}\n" for number in range(len(CLIENTS))), text
    for number, client in enumerate(CLIENTS):
        # Nobody has read again: what a client wrote itself is the base of what it writes next.
        put(server, id, read[client], client)
    assert content(server, id, "127.0.0.9") == lines
# What each client has written is in the history, also what a server has stored just before it died.
if database:
    history = sum(database.query("SELECT person FROM hub_batch"), [])
    assert set(CLIENTS) <= set(history), history
else:
    history = hub("notes", "history", "ledger")
    assert all(client in history for client in CLIENTS) and history.count("text") >= len(CLIENTS), history

# A port in use is named with the process that holds it.
run = subprocess.run(
    [HUB, "notes", "serve"], capture_output=True, text=True,
    env=os.environ | {"HUB_NOTES_SERVER_PORT": server.rest.split(":")[1]})
assert run.returncode == 69 and f"process {server.process.pid}" in run.stderr, (run.returncode, run.stderr)
server.stop()
