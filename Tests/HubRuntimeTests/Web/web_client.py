"""Visits the page with Python's own HTTP client and cookie jar: argv is a login link; prints what it sees."""
import http.cookiejar
import json
import sys
import urllib.error
import urllib.request

link = sys.argv[1]
base = link[: link.index("/login")]
jar = http.cookiejar.CookieJar()
browser = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(jar))


def visit(path, method="GET", body=None, **headers):
    request = urllib.request.Request(base + path if path.startswith("/") else path, method=method, data=body)
    for name, value in headers.items():
        request.add_header(name.replace("_", "-"), value)
    try:
        with browser.open(request, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


print("before", visit("/api/things/1")[0])
print("login", visit(link)[0])
print("again", visit(link)[0])
print("read", *visit("/api/things/7"))
print("foreign", visit("/api/things", "POST", b"{}", Content_Type="application/json", Origin="http://evil")[0])
print("write", *visit("/api/things", "POST", json.dumps([1]).encode(), Content_Type="application/json", Origin=base))
print("rebound", visit("/api/things/1", Host="evil.example")[0])
request = urllib.request.Request(base + "/api/live?topics=domain.things/*")
with browser.open(request, timeout=10) as stream:
    print("live", stream.headers["Content-Type"], flush=True)
    for line in stream:
        if line.startswith(b"data:"):
            print(line.decode().strip())
            break
print("out", visit("/logout", "POST", b"", Origin=base)[0])
print("after", visit("/api/things/1")[0])
