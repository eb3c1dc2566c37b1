"""Scripted faults: which request is hit, and what happens to its answer."""
import json
from email.utils import formatdate
from datetime import datetime, timezone

TRANSPORT = ("hang", "reset", "close", "short-body", "drip")
SHAPES = ("status", "nested", "text", "html", "empty", "200-error", "coincap")
MALFORMED = ("cut", "empty-list", "empty-body", "bom", "trailing-comma", "duplicate-keys", "nan", "infinity", "lone-surrogate")
WEBSOCKET = ("close-mid-frame", "fragmented", "length-64", "masked", "ping", "big-frame", "half-open", "drop")
STATUS_GO = (
    "superseded", "failed", "old-page", "prices-null", "cryptocurrencies-null", "regress", "unknown-id", "string-error",
    "wrong-id", "empty-response", "login-never", "login-error", "update-after-close", "not-found",
)

HELP = """\
A fault is a JSON object:
  path     the beginning of the request's path, or the RPC method; all requests without it
  skip     the number of matching requests that pass before (0)
  times    the number of requests that are hit (1; -1 for all)
and one or more of
  status   the status code; with it
    shape        one of %s
    code         the provider's own code, else the status
    message      the provider's words
    retry_after  seconds as a number, or {"date": SECONDS} for an HTTP date that far ahead
    reset        seconds ahead, sent as x-ratelimit-reset
  delay    seconds of the backend's clock before the answer
  transport  one of %s
  body     one of %s
  rows     a list of {"index": N or "all", "set": {FIELD: JSON TEXT}, "drop": [FIELD]}; the text is sent as it is, so
           {"current_price": "1e400"} is possible
  duplicate  [FROM, TO]: row FROM is sent again before row TO
  websocket  one of %s, at the next signal
  status_go  one of %s
""" % tuple(", ".join(group) for group in (SHAPES, TRANSPORT, MALFORMED, WEBSOCKET, STATUS_GO))


class Faults:
    """The faults that wait, in the order of their script."""

    def __init__(self, script=()):
        self.waiting = []
        for fault in script:
            self.add(fault)

    def add(self, fault):
        known = {"path", "skip", "times", "status", "code", "shape", "message", "retry_after", "reset", "delay", "transport", "body",
                 "rows", "duplicate", "websocket", "status_go"}
        if set(fault) - known:
            raise ValueError(f"unknown keys of a fault: {sorted(set(fault) - known)}")
        for key, words in (("transport", TRANSPORT), ("shape", SHAPES), ("body", MALFORMED), ("websocket", WEBSOCKET),
                           ("status_go", STATUS_GO)):
            if key in fault and fault[key] not in words:
                raise ValueError(f"{key} is one of {', '.join(words)}")
        self.waiting.append(dict(fault, skip=fault.get("skip", 0), times=fault.get("times", 1)))

    def take(self, *names, kinds=None):
        """The next fault for a request with one of these names, or None. `kinds` limits it to faults with such a key."""
        for fault in self.waiting:
            if kinds and not any(kind in fault for kind in kinds):
                continue
            if not any(name.startswith(fault.get("path", "")) for name in names):
                continue
            if fault["skip"] > 0:
                fault["skip"] -= 1
                return None
            if fault["times"] > 0:
                fault["times"] -= 1
                if fault["times"] == 0:
                    self.waiting.remove(fault)
            return fault
        return None


def error_answer(fault, now):
    """Status, headers and body of a fault with a status."""
    status, text = fault["status"], fault.get("message", "scripted fault")
    headers = {}
    wait = fault.get("retry_after")
    if isinstance(wait, dict):
        headers["Retry-After"] = formatdate(now + wait["date"], usegmt=True)
    elif wait is not None:
        headers["Retry-After"] = str(int(wait))
    if "reset" in fault:
        when = datetime.fromtimestamp(now + fault["reset"], timezone.utc)
        headers["x-ratelimit-reset"] = when.strftime("%Y-%m-%d %H:%M:%S +0000")
    inner = {"error_code": fault.get("code", status), "error_message": text}
    shape = fault.get("shape", "status")
    if shape == "html":
        headers["Content-Type"] = "text/html"
        return status, headers, b"<!DOCTYPE html><html><title>Access denied</title>error code: 1020</html>"
    body = {
        "status": {"status": inner}, "nested": {"error": {"status": inner}}, "text": {"error": text}, "empty": None,
        "200-error": {"status": inner}, "coincap": {"data": {"message": text}},
    }[shape]
    if shape in ("200-error", "coincap"):
        status = 200
    return status, headers, b"" if body is None else json.dumps(body).encode()


def break_body(kind, body):
    """The body with a fault of its text."""
    if kind == "cut":
        return body[: len(body) * 2 // 3]
    if kind == "empty-list":
        return b"[]"
    if kind == "empty-body":
        return b""
    if kind == "bom":
        return b"\xef\xbb\xbf" + body
    if kind == "trailing-comma":
        return body[:-1] + b"," + body[-1:]
    if kind == "duplicate-keys":
        return body.replace(b'"id":', b'"id":"other","id":', 1)
    if kind == "nan":
        return body[:-1] + b",NaN" + body[-1:]
    if kind == "infinity":
        return body[:-1] + b",-Infinity" + body[-1:]
    # A lone surrogate in a name.
    return body.replace(b'"name":"', b'"name":"\\ud800', 1)


class Raw:
    """JSON text that is sent as it is."""

    def __init__(self, text):
        self.text = text


def dumps(value):
    """JSON in which numbers keep their digits and `Raw` its text."""
    from decimal import Decimal

    if isinstance(value, Raw):
        return value.text
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(key)}:{dumps(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(dumps(item) for item in value) + "]"
    return json.dumps(value)


def change_rows(fault, rows):
    """The rows after the changes of a fault."""
    rows = list(rows)
    for change in fault.get("rows", ()):
        for index, row in enumerate(rows):
            if change["index"] in ("all", index):
                row = dict(row, **{key: Raw(text) for key, text in change.get("set", {}).items()})
                rows[index] = {key: item for key, item in row.items() if key not in change.get("drop", ())}
    if "duplicate" in fault:
        source, target = fault["duplicate"]
        rows.insert(target, rows[source])
    return rows
