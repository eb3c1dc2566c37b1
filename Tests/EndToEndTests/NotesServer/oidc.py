"""People log in at an OpenID Connect provider before the notes server: Debian's Apache with mod_auth_openidc, with the text of docs/notes-server.md, and a provider
of PyPI. A browser's way of logging in ends in an account; what a client forges is refused."""

import asyncio
import json
import os
import re
import ssl
import subprocess
import sys
import time

import oidc_provider_mock
import requests
from websockets.exceptions import InvalidStatus

from server import PATIENCE, Live, Server, connect, hub, invite, note

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))

from loopback import free_port  # noqa: E402

HOME = os.environ["HOME"]
PORT = free_port()
SECRET = "0123456789abcdef0123456789abcdef"
MODULES = "mpm_event authn_core authz_core authz_user auth_openidc headers proxy proxy_http ssl".split()

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../docs/notes-server.md")) as file:
    MANUAL = file.read()


class Apache:
    """Apache with the text of the manual: loopback, free ports, a certificate of its own and the provider's address, all else as it stands there."""

    def __init__(self, provider, server):
        self.port = PORT
        self.site = f"https://localhost:{self.port}"
        self.certificate = f"{HOME}/notes.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=localhost",
             "-addext", "subjectAltName=DNS:localhost", "-addext", "basicConstraints=critical,CA:FALSE", "-keyout", f"{HOME}/notes.key", "-out", self.certificate], check=True, capture_output=True)
        text = re.search(r"```\n(<VirtualHost .*?</VirtualHost>\n)```", MANUAL, re.S).group(1)
        for written, used in [
            ("*:443", f"127.0.0.1:{self.port}"), ("ServerName notes.example.org", f"ServerName localhost:{self.port}"),
            ("/etc/ssl/notes.pem", self.certificate), ("/etc/ssl/private/notes.key", f"{HOME}/notes.key"),
            ("https://login.example.org", provider), ("https://notes.example.org/oidc", f"{self.site}/oidc"),
            ("the contents of the file", SECRET), ("127.0.0.1:3001", server),
        ]:
            assert written in text, written
            text = text.replace(written, used)
        around = "".join(f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so\n" for name in MODULES)
        # As root it has to be told whose its processes are.
        around += f"ServerName localhost:{PORT}\n"
        around += "User nobody\nGroup nogroup\n" if os.getuid() == 0 else ""
        # What Debian's apache2.conf has around it, with folders of this test.
        around += f"""ServerRoot {HOME}
            DefaultRuntimeDir {HOME}
            PidFile {HOME}/apache.pid
            Mutex file:{HOME} default
            ErrorLog {HOME}/apache.log
            Listen 127.0.0.1:{self.port}
            <Directory />
                Require all denied
            </Directory>
            """
        with open(f"{HOME}/apache.conf", "w") as file:
            file.write(around + text)
        os.chmod(HOME, 0o755)
        self.process = subprocess.Popen(["/usr/sbin/apache2", "-DFOREGROUND", "-f", f"{HOME}/apache.conf"])

    def get(self, session, path, **options):
        while True:
            try:
                return session.get(self.site + path, verify=self.certificate, timeout=PATIENCE, **options)
            except requests.ConnectionError:
                # It does not listen yet.
                assert self.process.poll() is None, open(f"{HOME}/apache.log").read()
                time.sleep(0.05)

    def end(self):
        self.process.terminate()
        self.process.wait(PATIENCE)


def log_in(apache, provider, name):
    """What a browser does: it is sent to the provider, its person logs in there, and it comes back with a cookie."""
    browser = requests.Session()
    asked = apache.get(browser, "/api/notes", headers={"Accept": "text/html"}, allow_redirects=False)
    assert asked.status_code == 302 and asked.headers["Location"].startswith(provider), (asked.status_code, asked.headers)
    form = browser.get(asked.headers["Location"], timeout=PATIENCE)
    assert form.status_code == 200, form.text
    sent = browser.post(asked.headers["Location"], data={"sub": name}, allow_redirects=False, timeout=PATIENCE)
    assert sent.status_code == 302 and sent.headers["Location"].startswith(apache.site + "/oidc?"), (sent.status_code, sent.text)
    back = apache.get(browser, sent.headers["Location"].removeprefix(apache.site))
    assert back.status_code == 200 and back.url == apache.site + "/api/notes", (back.status_code, back.url, back.text)
    return browser


def accounts():
    return sorted(account["name"] for account in json.loads(hub("notes", "server", "users", "--json=name")))


async def socket(apache, headers):
    tls = ssl.create_default_context(cafile=apache.certificate)
    opened = await connect(
        f"wss://localhost:{apache.port}/", host="127.0.0.1", ssl=tls, subprotocols=["hub.notes.v1"], compression=None, proxy=None, open_timeout=None,
        ping_timeout=None, additional_headers=headers)
    return opened


def cookies(browser):
    return {"Cookie": "; ".join(f"{cookie.name}={cookie.value}" for cookie in browser.cookies if "openidc" in cookie.name)}


async def sockets(apache, ada, token):
    """A browser's WebSocket is that of its person, one of a program that of its token, and there is none without either."""
    opened = await socket(apache, cookies(ada))
    page = Live(opened)
    await page.hello("page", mode="log")
    program = await socket(apache, {"Authorization": "Bearer " + token})
    await Live(program).hello("program")
    for headers in [{}, {"X-Forwarded-User": "ada", "X-Hub-Proxy-Secret": SECRET}, {"Authorization": "Bearer none", "X-Forwarded-User": "ada"}]:
        try:
            await socket(apache, headers)
            assert False, headers
        except InvalidStatus as refused:
            assert refused.response.status_code in (302, 401, 403), (headers, refused.response.status_code)
    await opened.close()
    await program.close()


def use(apache, provider, server, token):
    # As everything that is typed at a login, the name at the provider is one thing and the claim another.
    requests.put(f"{provider}/users/1001", json={"preferred_username": "ada"}, timeout=PATIENCE).raise_for_status()
    requests.put(f"{provider}/users/1002", json={"preferred_username": "jan"}, timeout=PATIENCE).raise_for_status()
    assert accounts() == ["robot"]
    ada, jan = log_in(apache, provider, "1001"), log_in(apache, provider, "1002")
    assert accounts() == ["ada", "jan", "robot"], accounts()
    made = ada.post(apache.site + "/api/notes", json=note("Plan", "of ada", access=["ada"], owner="ada"), verify=apache.certificate, timeout=PATIENCE)
    assert made.status_code == 201, made.text
    assert [found["title"] for found in apache.get(ada, "/api/notes").json()] == ["Plan"]
    # What someone sends in the headers of the proxy is not looked at: jan stays jan, and who is not logged in is asked to.
    forged = {"X-Forwarded-User": "ada", "X-Hub-Proxy-Secret": SECRET, "Accept": "application/json"}
    assert apache.get(jan, "/api/notes", headers=forged).json() == []
    away = apache.get(requests.Session(), "/api/notes", headers=forged, allow_redirects=False)
    assert away.status_code in (302, 401), away.status_code
    # Nor in a request past the proxy: without the secret, with another one, or with the right one from elsewhere.
    for headers, source in [({"X-Forwarded-User": "ada"}, None), (forged | {"X-Hub-Proxy-Secret": SECRET[::-1]}, None), (forged, "127.0.0.9")]:
        status, text = server.ask("GET", "/api/notes", headers=headers, source=source)
        assert status in (401, 403), (headers, source, status, text)
    # A token goes past the login, and counts for its own account, whatever else is sent.
    bearer = {"Authorization": "Bearer " + token}
    assert apache.get(requests.Session(), "/api/notes", headers=bearer | forged).json() == []
    wrong = apache.get(requests.Session(), "/api/notes", headers={"Authorization": "Bearer none"} | forged, allow_redirects=False)
    assert wrong.status_code in (401, 403), wrong.status_code
    asyncio.run(sockets(apache, ada, token))
    # After the logout the cookie is worth nothing.
    kept = cookies(ada)
    left = apache.get(ada, f"/oidc?logout={apache.site}", allow_redirects=False)
    assert left.status_code == 302, (left.status_code, left.text)
    for headers in [{}, kept]:
        again = apache.get(ada if not headers else requests.Session(), "/api/notes", headers=headers | {"Accept": "text/html"}, allow_redirects=False)
        assert again.status_code == 302 and again.headers["Location"].startswith(provider), again.status_code
    assert accounts() == ["ada", "jan", "robot"]


with open(f"{HOME}/proxy-secret", "w") as file:
    file.write(SECRET + "\n")
server = Server(f'names = ["localhost:{PORT}"]\nwithout_account = "off"\nproxy.header = "X-Forwarded-User"\nproxy.secret_file = "{HOME}/proxy-secret"\n')
try:
    with oidc_provider_mock.run_server_in_thread() as mock:
        provider = f"http://localhost:{mock.server_port}"
        apache = Apache(provider, server.sockets)
        try:
            use(apache, provider, server, invite("robot"))
        except BaseException:
            sys.stderr.write(open(f"{HOME}/apache.log").read()[-4000:])
            raise
        finally:
            apache.end()
finally:
    server.kill()
