"""A page whose script starts and stops hub itself."""

import os
import signal
import socket
import subprocess
import time

from page import Page


class Served(Page):
    """`prepare` fills the store before hub is started."""

    has_worker = True
    daemon = None

    @classmethod
    def prepare(cls):
        pass

    @classmethod
    def setUpClass(cls):
        cls.prepare()
        cls.serve()
        cls.addClassCleanup(cls.stop)
        super().setUpClass()
        cls.home = "http://" + os.environ["HUB_WEB_LISTEN"]

    @classmethod
    def serve(cls):
        cls.daemon = subprocess.Popen([os.environ["HUB"], "serve"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        address, port = os.environ["HUB_WEB_LISTEN"].split(":")
        while cls.daemon.poll() is None:
            try:
                return socket.create_connection((address, int(port))).close()
            except ConnectionRefusedError:
                time.sleep(0.02)
        raise AssertionError("hub serve ended")

    @classmethod
    def stop(cls):
        if cls.daemon.poll() is None:
            cls.daemon.send_signal(signal.SIGTERM)
            cls.daemon.wait()
