"""A search over HTTP in a database of books.py: fts_server.py FILE prints its port."""

import http.server
import json
import sqlite3
import sys
import urllib.parse

QUERY = "SELECT c.uid, c.name, c.reach FROM words JOIN contact c ON c.rowid = words.rowid WHERE words MATCH ? LIMIT ?"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        fields = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
        words = " ".join(f'"{word}"*' for word in fields["q"].replace('"', " ").split())
        body = json.dumps(self.server.database.execute(QUERY, (words, int(fields["limit"]))).fetchall()).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
    server.database = sqlite3.connect(sys.argv[1])
    print(server.server_port, flush=True)
    server.serve_forever()
