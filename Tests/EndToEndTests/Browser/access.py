"""What every page has to keep for people with other eyes, hands and windows (WCAG 2.2)."""

import functools
import glob
import os
from contextlib import contextmanager

HERE = os.path.dirname(os.path.abspath(__file__))
WIDTHS = [(320, 256), (360, 740), (600, 800), (720, 450), (768, 1024), (1024, 768), (1440, 900)]
# The windows and colours of the main paths: each width and each kind of colours once.
LOOKS = {"phone": (360, 740, "light"), "tablet": (768, 1024, "dark"), "desktop": (1440, 900, "forced")}
STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# The rules of these standards that look at colours. The scheme changes nothing but colours, so the others find the same in both.
COLOUR_RULES = ["color-contrast", "link-in-text-block"]
FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex='0']"


def axe():
    """The script of axe-core, which .ci/setup installs."""
    with open(glob.glob(HERE + "/../../../.build/peers/lib/python3*/site-packages/axe_playwright_python/axe.min.js")[0], encoding="utf-8") as file:
        return file.read()


def in_every_look(walk):
    """A test that walks a main path on a phone, a tablet and a desktop, in light, in dark and in forced colours."""
    @functools.wraps(walk)
    def walks(self):
        for look, (width, height, colours) in LOOKS.items():
            with self.subTest(look=look):
                self.resize(width, height)
                if colours == "forced":
                    self.forced_colors(True)
                else:
                    self.scheme(colours)
                walk(self)
        self.forced_colors(False)
    return walks


class Access:
    """Checks for a test case of a page."""

    def violations(self, only_colours=False):
        """What axe-core finds in what is shown: rules, and the elements that break them."""
        if not self.browser.execute_script("return Boolean(window.axe)"):
            # The policy of the page forbids eval; a script of the driver is not bound by it.
            self.browser.execute_script(axe() + "\nwindow.axe = axe;")
        return self.browser.execute_async_script("""
            const [rules, done] = arguments;
            axe.run(document, { runOnly: rules, resultTypes: ["violations"], selectors: false })
              .then(({ violations }) => done(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 160)).slice(0, 3)])));""",
            {"type": "rule", "values": COLOUR_RULES} if only_colours else {"type": "tag", "values": STANDARDS})

    def assert_accessible(self, what, only_colours=False):
        """axe-core finds nothing in what is shown."""
        self.assertEqual(self.violations(only_colours), [], what)

    def assert_accessible_in_both_schemes(self, what, before=lambda scheme: None):
        """axe-core finds nothing in light and in dark colours; `before` is done in each of them."""
        for scheme in ("light", "dark"):
            self.scheme(scheme)
            before(scheme)
            self.assert_accessible(f"{what} in {scheme}", only_colours=scheme == "dark")

    def assert_asks_once(self, visit):
        """A page that `visit` opens asks for no address twice; news of what a command did before may make it ask again. Returns the addresses."""
        asked = []

        def is_asked_once():
            visit()
            asked[:] = self.browser.execute_script(
                "return performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname).filter((path) => path.startsWith('/api/'))")
            return len(set(asked)) == len(asked)
        self.wait(is_asked_once, "a page that asks for no address twice")
        return asked

    def assert_fits_all_widths(self, what, ready):
        """Nothing is cut off or scrolls sideways, from 400 % zoom to a large window."""
        for width, height in WIDTHS:
            self.resize(width, height)
            self.wait(ready, f"{what} at {width}")
            self.assert_fits(width)
            self.assertLessEqual(self.browser.execute_script("return document.documentElement.scrollWidth"), width, f"{what} at {width}")

    def assert_targets(self, what, least=24):
        """What one presses is large enough for a finger (2.5.8), words in a sentence aside."""
        small = self.browser.execute_script("""
            // The edge of a pixel is no shorter for a finger.
            const least = arguments[0] - 0.5;
            return [...document.querySelectorAll("button, input, select, summary, [role=option], .views a, .places a, a.button, a.icon-button, a.chip")]
              .filter((it) => it.checkVisibility() && !it.closest("p, .visually-hidden") && !it.matches(".visually-hidden, [tabindex='-1'].picker"))
              .map((it) => [it, (it.type === "radio" || it.type === "checkbox" ? it.closest("label") ?? it : it).getBoundingClientRect()])
              .filter(([, { width, height }]) => width > 1 && (width < least || height < least)).map(([it, { width, height }]) => `${Math.round(width)} x ${Math.round(height)} ${it.outerHTML.slice(0, 110)}`);""", least)
        self.assertEqual(small, [], what)

    def assert_edges(self, selectors, what):
        """The edge of a field stands out from the page (1.4.11)."""
        from page import contrast, luminance
        for selector in selectors:
            edge, paper = self.browser.execute_script(
                "const it = document.querySelector(arguments[0]); let behind = it.parentElement;"
                "while (getComputedStyle(behind).backgroundColor === 'rgba(0, 0, 0, 0)') behind = behind.parentElement;"
                "return [getComputedStyle(it).borderTopColor, getComputedStyle(behind).backgroundColor]", selector)
            self.assertGreaterEqual(contrast(luminance(edge), luminance(paper)), 3, f"{selector} {what}")

    def forced_colors(self, is_on):
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "forced-colors", "value": "active" if is_on else "none"}, {"name": "prefers-reduced-motion", "value": "reduce"}]})

    @contextmanager
    def fingers(self):
        """A screen that is touched, without a pointer."""
        self.browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
        try:
            yield
        finally:
            self.browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})

    def touch_if_shown(self, selector):
        """A tap on what only a narrow window has."""
        if self.one(selector).is_displayed():
            self.touch(selector)

    def touch(self, selector):
        """A tap of a finger in the middle of an element."""
        self.wait(lambda: self.one(selector).is_displayed(), selector)
        x, y = self.browser.execute_script(
            "const box = document.querySelector(arguments[0]).getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]", selector)
        point = {"x": x, "y": y}
        self.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
        self.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


class ViewAccess(Access):
    """What every view of a page has to keep."""

    start = None
    # What hub answers to views of things that do not exist.
    refused = [404]
    # The windows in which targets are measured.
    windows = [(360, 740)]

    def views(self):
        """The address of each view, and what shows that it is drawn."""
        raise NotImplementedError

    def visit(self, address, selector):
        self.refusals = self.refused
        self.open(address)
        self.wait(lambda: self.one(selector).is_displayed(), selector)

    def test_axe_finds_nothing_in_any_view(self):
        for number, (address, selector) in enumerate(self.views()):
            self.visit(address, selector)
            self.assert_accessible_in_both_schemes(address, lambda scheme: self.picture(f"{self.plugin}-view-{number}-{scheme}"))

    def test_every_view_fits_every_width_and_fingers(self):
        for number, (address, selector) in enumerate(self.views()):
            self.visit(address, selector)
            self.assert_fits_all_widths(address, lambda: True)
            for width, height in self.windows:
                self.resize(width, height)
                self.assert_targets(address)
                self.picture(f"{self.plugin}-view-{number}-{width}")
            with self.fingers():
                self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True})
                self.wait(lambda: self.browser.execute_script("return matchMedia('(pointer: coarse)').matches"), "a finger")
                self.assert_targets(address, 44)
