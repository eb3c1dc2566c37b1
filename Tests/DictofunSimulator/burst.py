"""The packets of a file, laid out once for sendmmsg(2): hundreds leave with one call, so that a measurement of a client does not
measure Python.
"""

import array
import ctypes
import errno
import os
import socket

_libc = ctypes.CDLL(None, use_errno=True)
# The numbers of 64 bits in an mmsghdr, of which one is its iovec's address and the next the number of iovecs.
_HEADER_WORDS = 8
# The most messages that the kernel takes in a call.
_CALL_LIMIT = 1024


class Burst:
    """`data` as packets of the given sizes, one after the other."""

    def __init__(self, data, sizes):
        self.count = len(sizes)
        address = ctypes.cast(data, ctypes.c_void_p).value
        vectors, headers = array.array("Q"), array.array("Q")
        for size in sizes:
            vectors.extend((address, size))
            address += size
        first = vectors.buffer_info()[0]
        for place in range(self.count):
            headers.extend((0, 0, first + place * 16, 1, 0, 0, 0, 0))
        # The headers point to both.
        self._headers, self._kept = headers, (data, vectors)

    def send(self, descriptor, start):
        """Sends packets from number `start` on until the socket is full, and returns the number of the next one."""
        headers = self._headers.buffer_info()[0]
        while start < self.count:
            sent = _libc.sendmmsg(
                descriptor, ctypes.c_void_p(headers + start * _HEADER_WORDS * 8), min(_CALL_LIMIT, self.count - start),
                socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)
            if sent < 0:
                code = ctypes.get_errno()
                if code == errno.EAGAIN:
                    break
                raise OSError(code, os.strerror(code))
            start += sent
        return start
