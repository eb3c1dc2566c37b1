"""`hub serve` with the notes server: SIGHUP has it read its settings, SIGTERM sends the clients away first, and the end of its terminal ends it."""

import asyncio
import http.client
import os
import pty
import signal
import subprocess
import sys

from server import HUB, PATIENCE, Live, configure, connect, invite

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))

from loopback import free_port  # noqa: E402

PORT, MONITOR = free_port(), free_port()


def settings(drain):
    configure(f'enabled = true\nmonitor = "127.0.0.1:{MONITOR}"\ndrain_seconds = {drain}\n', (PORT, PORT))


async def until(status):
    """Waits until the server says so of whether it is ready; None where it does not listen."""

    def ask():
        connection = http.client.HTTPConnection("127.0.0.1", MONITOR, timeout=PATIENCE)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status
        except ConnectionError:
            return None
        finally:
            connection.close()

    async with asyncio.timeout(PATIENCE):
        while await asyncio.to_thread(ask) != status:
            await asyncio.sleep(0.05)


async def says(words, ask=lambda: None):
    """Waits until the log says so: without a terminal, it is in a file. `ask` is called before each look."""

    def log():
        try:
            with open(os.path.join(os.environ["XDG_STATE_HOME"], "hub/serve.log"), encoding="utf-8") as lines:
                return lines.read()
        except FileNotFoundError:
            return ""

    async with asyncio.timeout(PATIENCE):
        ask()
        while words not in log():
            await asyncio.sleep(0.05)
            ask()


async def use(token):
    # Without the service that follows the file.
    process = subprocess.Popen([HUB, "serve", "--only", "notes"], stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        await until(200)
        settings(1)
        process.send_signal(signal.SIGHUP)
        await says("starting the services again")
        await until(200)
        # Until then the services that end may be ready too, for which the settings are others.
        await says("SIGHUP: the settings are the same", lambda: process.send_signal(signal.SIGHUP))
        async with connect(f"ws://127.0.0.1:{PORT}/", subprotocols=["hub.notes.v1"], compression=None, proxy=None, open_timeout=None,
                           ping_timeout=None, additional_headers={"Authorization": "Bearer " + token}) as socket:
            await Live(socket).hello("page")
            process.send_signal(signal.SIGTERM)
            await until(503)
            await socket.wait_closed()
            assert socket.close_code == 1001 and socket.close_reason == "the server is restarting", socket.close_reason
        assert await asyncio.to_thread(process.wait, PATIENCE) == 0
    finally:
        if process.poll() is None:
            process.kill()
    child, terminal = pty.fork()
    if child == 0:
        os.execv(HUB, [HUB, "serve", "--only", "notes"])
    await until(200)
    os.close(terminal)
    status = (await asyncio.to_thread(os.waitpid, child, 0))[1]
    assert os.waitstatus_to_exitcode(status) == 0, status


settings(600)
asyncio.run(use(invite("ada")))
