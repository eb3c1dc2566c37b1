"""Visits the page with Python's own HTTP client and cookie jar: argv is a login link; prints what it sees."""
import http.cookiejar
import json
import re
import sys
import urllib.error
import urllib.request

link = sys.argv[1]
base = link[: link.index("/login")]
jar = http.cookiejar.CookieJar()
browser = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(jar))


key = ""


def visit(path, method="GET", body=None, **headers):
    request = urllib.request.Request(base + path if path.startswith("/") else path, method=method, data=body)
    for name, value in {"Hub-Key": key, **headers}.items():
        request.add_header(name.replace("_", "-"), value)
    try:
        with browser.open(request, timeout=1200) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


print("before", visit("/api/things/1")[0])
status, welcome = visit(link)
print("login", status)
print("cookie alone", visit("/api/things/7")[0])
key = re.search('name="hub-key" content="(.*)"', welcome)[1]
print("again", visit(link)[0])
print("read", *visit("/api/things/7"))
print("foreign", visit("/api/things", "POST", b"{}", Content_Type="application/json", Origin="http://evil")[0])
print("write", *visit("/api/things", "POST", json.dumps([1]).encode(), Content_Type="application/json", Origin=base))
print("rebound", visit("/api/things/1", Host="evil.example")[0])
request = urllib.request.Request(base + "/api/live?topics=domain.things/*", headers={"Hub-Key": key})
with browser.open(request, timeout=1200) as stream:
    print("live", stream.headers["Content-Type"], flush=True)
    for line in stream:
        if line.startswith(b"data:"):
            print(line.decode().strip())
            break
print("out", visit("/logout", "POST", b"key=" + key.encode(), Origin=base)[0])
print("after", visit("/api/things/1")[0])
