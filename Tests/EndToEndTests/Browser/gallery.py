#!/usr/bin/python3
"""Pictures of every screen and state of the pages, to look at: wide and narrow, light and dark.

    HUB=.build/debug/hub HUB_SCREENSHOTS=FOLDER Tests/EndToEndTests/Browser/gallery.py [NAME…]

NAME chooses the screens whose name begins so, HUB_SCHEMES the schemes, of light, dark and forced. HUB_GALLERY_STORE names a folder that keeps the store for the next run.
It is no test: it has a daemon and a store of its own, and nothing passes or fails.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(HERE + "/../..")

from loopback import free_port  # noqa: E402

SIZES = {"wide": (1440, 900), "narrow": (360, 740)}
TALLEST = 2400
CLICK, PRESS, CHORD, FILL, RUN, SCRIPT, ITEM, WAIT = "click", "press", "chord", "fill", "run", "script", "item", "wait"


def start_store(home, port):
    """Makes this process and what it starts use a store of its own below `home`."""
    for name in ["CONFIG_HOME", "DATA_HOME", "STATE_HOME", "CACHE_HOME", "RUNTIME_DIR"]:
        os.environ["XDG_" + name] = os.path.join(home, name.lower())
        os.makedirs(os.environ["XDG_" + name], mode=0o700, exist_ok=True)
    os.environ.update(HOME=home, TZ="UTC", LC_ALL="C.UTF-8", HUB_WEB_LISTEN=f"127.0.0.1:{port}", HUB_DAV_LISTEN=f"127.0.0.1:{free_port()}", HUB=os.path.abspath(os.environ["HUB"]))
    os.environ["PATH"] = os.path.join(home, "bin") + ":" + os.environ["PATH"]
    os.makedirs(os.path.join(home, "bin"), exist_ok=True)
    program = os.path.join(home, "bin", "whisper-cli")
    shutil.copy(os.path.join(HERE, "dictofun_whisper.py"), program)
    os.chmod(program, 0o700)
    open(os.path.join(home, "base.bin"), "w").close()
    folder = os.path.join(os.environ["XDG_CONFIG_HOME"], "hub")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "config.toml"), "w") as file:
        file.write('[plugins]\nmarket.providers = ["demo"]\ndictofun.engine.model = "~/base.bin"\ndictofun.engine.name = "whisper"\n')


class Gallery:
    """The browser that goes from screen to screen."""

    def __init__(self, folder, wanted):
        from page import start_browser
        self.folder, self.wanted = folder, wanted
        # A microphone that beeps, so that a recording is seen.
        self.browser = start_browser("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
        self.home = "http://" + os.environ["HUB_WEB_LISTEN"]
        os.makedirs(folder, exist_ok=True)

    def log_in(self):
        from page import hub
        self.browser.get(hub("web").strip())

    def emulate(self, width, height, scheme="light"):
        is_phone = width < 600
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_phone})
        self.browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": is_phone})
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "light" if scheme == "forced" else scheme}, {"name": "prefers-reduced-motion", "value": "reduce"},
            {"name": "forced-colors", "value": "active" if scheme == "forced" else "none"}]})

    def is_wanted(self, name):
        return not self.wanted or any(name.startswith(word) or word.startswith(name) for word in self.wanted)

    def show(self, name, path, steps=(), is_opened_once=None):
        """Pictures of the screen at `path` after `steps`; what lies over the page is opened again for each size."""
        if not self.is_wanted(name):
            return
        for size, (width, height) in SIZES.items():
            self.emulate(width, height)
            if size == "wide" or (bool(steps) if is_opened_once is None else not is_opened_once):
                self.visit(name, path, steps)
            self.shoot(name, size)

    def visit(self, name, path, steps):
        self.browser.get(self.home + path)
        self.settle()
        for step in steps:
            try:
                self.do(*step)
            except Exception as error:
                print(f"{name}: {step}: {str(error).splitlines()[0]}", file=sys.stderr)
        self.settle()

    def shoot(self, name, size):
        width, height = SIZES[size]
        # A window as high as the content, so that all of it is seen.
        inner = self.browser.execute_script(
            "return Math.max(0, ...[...document.querySelectorAll('main, #details')].filter((it) => it.checkVisibility())"
            ".map((it) => it.scrollHeight - it.clientHeight))")
        is_over = self.browser.execute_script("return document.querySelector('dialog[open], .action-menu, [popover]:popover-open') !== null")
        for scheme in os.environ.get("HUB_SCHEMES", "light dark").split():
            self.emulate(width, height if is_over else min(TALLEST, height + inner), scheme)
            time.sleep(0.3)
            self.browser.save_screenshot(os.path.join(self.folder, f"{name}-{size}-{scheme}.png"))
        self.emulate(width, height)

    def settle(self):
        for _ in range(100):
            time.sleep(0.1)
            if self.browser.execute_script("return document.readyState === 'complete' && !document.querySelector('[aria-busy=true], .spinner, .list-row.waiting')"):
                break
        time.sleep(0.3)

    def do(self, how, what, words=None):
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.by import By
        from selenium.webdriver.common.keys import Keys
        if how == CLICK:
            self.browser.execute_script("const it = [...document.querySelectorAll(arguments[0])].find((one) => one.checkVisibility()); it.focus(); it.click()", what)
        elif how == PRESS:
            ActionChains(self.browser).send_keys(what).perform()
        elif how == CHORD:
            ActionChains(self.browser).key_down(Keys.CONTROL).send_keys(what).key_up(Keys.CONTROL).perform()
        elif how == FILL:
            field = next(it for it in self.browser.find_elements(By.CSS_SELECTOR, what) if it.is_displayed())
            field.clear()
            field.send_keys(words)
        elif how == RUN:
            what()
        elif how == SCRIPT:
            self.browser.execute_script(what)
        elif how == ITEM:
            # An item of the open menu, by its words.
            self.browser.execute_script(
                "[...document.querySelectorAll('[role=menuitem]')].find((one) => one.checkVisibility() && one.textContent.includes(arguments[0])).click()", what)
        elif how == WAIT:
            time.sleep(what)
        time.sleep(0.3)


def main():
    if not os.environ.get("HUB_SCREENSHOTS") or not os.environ.get("HUB"):
        sys.exit(__doc__)
    folder = os.path.abspath(os.environ["HUB_SCREENSHOTS"])
    with tempfile.TemporaryDirectory(prefix="hub-gallery-") as home:
        home = os.environ.get("HUB_GALLERY_STORE", home)
        is_filled = os.path.exists(os.path.join(home, "data_home"))
        start_store(home, free_port())
        import gallery_screens
        daemon = subprocess.Popen([os.environ["HUB"], "serve"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        gallery = None
        try:
            time.sleep(2)
            gallery = Gallery(folder, sys.argv[1:])
            gallery.log_in()
            if not is_filled:
                if gallery.is_wanted("empty"):
                    gallery_screens.empty(gallery)
                gallery_screens.fill(home)
            gallery_screens.full(gallery, home)
            gallery_screens.away(gallery, daemon)
        finally:
            if gallery:
                gallery.browser.quit()
            if daemon.poll() is None:
                daemon.send_signal(signal.SIGTERM)
            daemon.wait()


if __name__ == "__main__":
    main()
