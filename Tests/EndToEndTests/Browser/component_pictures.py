#!/usr/bin/python3
"""Draws the pictures of docs/web.md, one of each component, into the folder that is named: docs/pictures/components."""

import functools
import os
import sys
import threading
import time

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

import components
from page import start_browser

WINDOW = {"width": 1040, "height": 4400, "deviceScaleFactor": 1, "mobile": False}


def main(folder):
    os.makedirs(folder, exist_ok=True)
    server = components.ToyServer(("127.0.0.1", 0), functools.partial(components.Server, components.Things()))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser = start_browser()
    try:
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", WINDOW)
        browser.get(f"http://127.0.0.1:{server.server_port}/toy/pictures.html")
        while not browser.execute_script("return window.toy?.isReady && document.querySelectorAll('.list-row .title').length > 3"):
            time.sleep(0.1)
        browser.find_element("css selector", "#menu button").click()
        time.sleep(1)  # The icons are drawn a moment later.
        take(browser, folder, "menu")
        ActionChains(browser).send_keys(Keys.ESCAPE).perform()
        for section in browser.find_elements("css selector", "main > section"):
            name = section.get_attribute("id")
            if name != "menu":
                take(browser, folder, name)
    finally:
        browser.quit()
        server.shutdown()
        server.server_close()


def take(browser, folder, name):
    browser.find_element("id", name).screenshot(os.path.join(folder, name + ".png"))


if __name__ == "__main__":
    main(sys.argv[1])
