"""A database of PostgreSQL for a script alone, and a proxy before it."""

import asyncio
import os
import subprocess
import tempfile

from proxy import Loop, carry

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../PostgresTestSupport/postgres.sh")


class Postgres:
    """Ends with this process."""

    def __init__(self):
        self.folder = tempfile.mkdtemp()
        self.process = subprocess.Popen(["bash", SCRIPT, self.folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.expect("ready")
        self.url = f"postgres:///postgres?host={self.folder}&user=hub"

    def expect(self, word):
        line = self.process.stdout.readline()
        assert line == word + "\n", line

    def tell(self, word):
        """`restart` and `stop` end it at once, as a loss of power does; `start` starts it again."""
        print(word, file=self.process.stdin, flush=True)
        self.expect("done")

    def query(self, sql):
        """The rows of a statement, as lists of texts."""
        run = subprocess.run(
            ["psql", "-X", "-h", self.folder, "-U", "hub", "-d", "postgres", "-A", "-t", "-F", "\t", "-c", sql],
            capture_output=True, text=True, check=True)
        return [line.split("\t") for line in run.stdout.splitlines()]

    def end(self):
        self.process.stdin.close()
        self.process.wait()


class DatabaseProxy(Loop):
    """A port of loopback that leads to a database; it delays bytes and cuts connections where asked to."""

    def __init__(self, database, chance):
        super().__init__(chance)
        self.socket = database.folder + "/.s.PGSQL.5432"
        port = self.listen(self.forward, "127.0.0.1")
        self.url = f"postgres://hub@127.0.0.1:{port}/postgres"

    async def forward(self, reader, writer):
        try:
            out = await asyncio.open_unix_connection(self.socket)
        except OSError:
            writer.close()
            return
        await carry(self, (reader, writer), out, 40_000)
