"""Opens an encrypted WebSocket from which it reads nothing, and then makes a request on another connection."""

import http.client
import socket
import ssl
import sys

HEAD = (
    "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


def main(host, port, certificate):
    context = ssl.create_default_context(cafile=certificate)
    first = context.wrap_socket(socket.create_connection((host, port)), server_hostname=host)
    first.sendall(HEAD.encode())
    print("opened", first.recv(12).decode().split()[1])
    second = http.client.HTTPSConnection(host, port, context=context)
    second.request("GET", "/")
    print("next", second.getresponse().status)
    first.close()


main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
