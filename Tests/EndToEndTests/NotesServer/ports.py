"""Routes and WebSockets of both kinds on one port, in clear text and with a certificate from files; and what is said of files that
cannot be used."""

import asyncio
import json
import os
import ssl
import subprocess
import sys

from server import PATIENCE, Live, Server, configure, database, elsewhere, hub, invite, note, told

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))

from loopback import free_port  # noqa: E402

PROTOCOL = "hub.notes.v1"
FOLDER = os.environ["HOME"] + "/tls"


def make_certificates():
    """An authority with a certificate for this machine, and a key that belongs to neither."""
    os.makedirs(FOLDER)
    with open(FOLDER + "/names", "w") as file:
        file.write("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    for words in (
            "req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=ca",
            "req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=localhost",
            "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out server.pem",
            "genrsa -out other.key 2048"):
        subprocess.run(["openssl", *words.split()], cwd=FOLDER, check=True, capture_output=True, timeout=PATIENCE)


def settings(certificate, key):
    return "".join(
        f'{name} = "{FOLDER}/{file}"\n' for name, file in (("certificate", certificate), ("key", key)) if file)


async def serve_both(server, tokens):
    """Everything that the server has, at the one address of both."""
    assert server.rest == server.sockets
    made = await server.json("POST", "/api/notes", note("Plan", "one", access=["ada", "bob"]), token=tokens["ada"])
    assert made[0] == 201
    wire = made[1]["insertedId"]
    async with server.socket(token=tokens["ada"]) as one, server.socket("/ws", token=tokens["bob"]) as other:
        assert one.subprotocol is None
        changed = note("Plan", "two", access=["ada", "bob"], owner="ada")
        assert (await server.json("PUT", f"/api/notes/{wire}", changed, token=tokens["ada"]))[0] == 200
        assert (await told(one, other))["method"] == "update"
        async with server.socket(token=tokens["bob"], protocol=PROTOCOL) as socket:
            assert socket.subprotocol == PROTOCOL
            client = Live(socket)
            assert (await client.hello("log-of-bob", "log"))["user"] == "bob"
            found = await client.next("note", trash=False)
            answer, _ = await client.ask("set", found["note"], tag=["x"])
            assert answer["t"] == "ack"
            assert (await told(one, other))["method"] == "update"
    status, listed = await server.json("GET", "/api/notes", token=tokens["bob"])
    assert status == 200 and [found["content"] for found in listed] == ["two"]
    assert (await server.json("DELETE", f"/api/notes/{wire}", token=tokens["ada"]))[0] == 200
    assert (await server.json("GET", "/api/notes"))[0] == 401


def run(tokens, lines="", tls=None):
    port = free_port()
    server = Server(lines, (port, port), tls)
    try:
        asyncio.run(serve_both(server, tokens))
        if tls:
            add_as_client(server, tokens)
        server.stop()
    finally:
        if server.process.poll() is None:
            server.kill()


def add_as_client(server, tokens):
    """Another machine adds the server by its authority, and syncs with it; without the authority it is told what to do."""
    other = elsewhere("other")
    port = server.rest.split(":")[1]
    words = ["notes", "servers", "add", "home", f"https://localhost:{port}", "--user", "bob", "--token-command",
             "echo " + tokens["bob"]]
    refused = hub(*words, code=69, environment=other)
    assert "--trust " in refused, refused
    hub(*words, "--ca-file", FOLDER + "/ca.pem", environment=other)
    hub("notes", "new", "From bob", environment=other)
    hub("notes", "sync", environment=other)
    if database:
        assert database.query("SELECT owner FROM hub_note WHERE deleted_at IS NULL") == [["bob"]]
    else:
        assert "From bob" in hub("notes", "list", "--json=name")


def refuse():
    """Each fault ends the command with the file or the setting, and what to do."""
    with open(FOLDER + "/text.pem", "w") as file:
        file.write("text\n")
    both = "the settings certificate and key must name"
    faults = [
        ("missing.pem", "server.key", ("missing.pem: No such file or directory", both)),
        ("server.pem", "missing.key", ("missing.key: No such file or directory", both)),
        ("text.pem", "server.key", ("text.pem: it is not in PEM format", both)),
        ("", "server.key", ("the notes server has no plugins.notes.server.certificate", "hub config set plugins.notes.server.certificate")),
        ("server.pem", "", ("the notes server has no plugins.notes.server.key", "hub config set plugins.notes.server.key")),
        ("server.pem", "other.key", ("the certificate cannot be used", both + " a certificate and its own key")),
        ("names/..", "server.key", ("names/..: Not a directory", both)),
        (".", "server.key", (FOLDER + "/.: Is a directory", both)),
    ]
    for certificate, key, said in faults:
        configure(settings(certificate, key))
        error = hub("notes", "serve", code=78)
        for text in said:
            assert text in error, (certificate, key, error)
    if os.getuid() != 0:
        os.chmod(FOLDER + "/server.key", 0)
        configure(settings("server.pem", "server.key"))
        assert "server.key: Permission denied" in hub("notes", "serve", code=78)


make_certificates()
configure()
tokens = {name: invite(name) for name in ("ada", "bob")}
run(tokens)
context = ssl.create_default_context(cafile=FOLDER + "/ca.pem")
run(tokens, settings("server.pem", "server.key"), context)
refuse()
