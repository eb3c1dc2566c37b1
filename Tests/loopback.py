"""Ports of the loopback interface for servers that cannot choose one by themselves."""

import random
import socket

_reservations = []


def free_port():
    """Returns a port that no other test gets while this process runs.

    It lies below those that the system gives to outgoing connections, which could take it before the server does. Tests in Swift reserve
    theirs by the same names among the abstract sockets.
    """
    for _ in range(10_000):
        port = random.SystemRandom().randrange(20_000, 30_000)
        reservation = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            reservation.bind(f"\0hub-test-port-{port}")
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", port))
        except OSError:
            reservation.close()
            continue
        _reservations.append(reservation)
        return port
    raise OSError("no port is free")
