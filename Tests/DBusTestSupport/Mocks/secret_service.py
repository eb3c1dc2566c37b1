"""A keyring by the Secret Service API, as far as hub uses it.

Words on the command line change its manners:
  locked     everything is locked until a prompt is answered
  dismiss    the person declines every prompt
  ignore     the person answers no prompt
  mute       the call that shows a prompt is never answered either
  silent     no call is ever answered
  empty      there is no default collection
"""

import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME = "org.freedesktop.secrets"
ROOT = "/org/freedesktop/secrets"
SERVICE = "org.freedesktop.Secret.Service"
COLLECTION = "org.freedesktop.Secret.Collection"
ITEM = "org.freedesktop.Secret.Item"
PROMPT = "org.freedesktop.Secret.Prompt"
SESSION = ROOT + "/session/1"
COLLECTION_PATH = ROOT + "/collection/login"

manners = set(sys.argv[1:])
locked = "locked" in manners
items = {}
numbers = iter(range(1, 1000000))


class Failure(dbus.exceptions.DBusException):
    def __init__(self, name):
        super().__init__("", name="org.freedesktop.Secret.Error." + name)


def paths(values):
    return dbus.Array(values, signature="o")


class Prompt(dbus.service.Object):
    """Asks an imagined person, then does `action`."""

    def __init__(self, action):
        self.path = ROOT + "/prompt/p%d" % next(numbers)
        self.action = action
        super().__init__(bus, self.path)

    @dbus.service.method(PROMPT, in_signature="s", async_callbacks=("answer", "fail"))
    def Prompt(self, window, answer, fail):
        global prompts
        prompts += 1
        if "mute" in manners:
            return
        answer()
        if "ignore" not in manners:
            GLib.idle_add(self.answer)

    @dbus.service.method(PROMPT)
    def Dismiss(self):
        global dismissals
        dismissals += 1
        self.Completed(True, dbus.String(""))

    def answer(self):
        if "dismiss" in manners:
            self.Completed(True, dbus.String(""))
        else:
            self.Completed(False, self.action())

    @dbus.service.signal(PROMPT, signature="bv")
    def Completed(self, dismissed, result):
        pass


dismissals = 0
prompts = 0


class Item(dbus.service.Object):
    def __init__(self, attributes, secret):
        self.path = COLLECTION_PATH + "/%d" % next(numbers)
        self.attributes = attributes
        self.secret = secret
        super().__init__(bus, self.path)
        items[self.path] = self

    @dbus.service.method(ITEM, in_signature="o", out_signature="(oayays)")
    def GetSecret(self, session):
        if locked:
            raise Failure("IsLocked")
        if session != SESSION:
            raise Failure("NoSession")
        return dbus.Struct(
            (dbus.ObjectPath(SESSION), dbus.ByteArray(b""), dbus.ByteArray(self.secret), "text/plain"),
            signature="oayays")

    @dbus.service.method(ITEM, out_signature="o")
    def Delete(self):
        del items[self.path]
        self.remove_from_connection()
        return dbus.ObjectPath("/")

    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        return dbus.Dictionary(self.attributes, signature="ss", variant_level=1)


class Collection(dbus.service.Object):
    @dbus.service.method(COLLECTION, in_signature="a{sv}(oayays)b", out_signature="oo", byte_arrays=True)
    def CreateItem(self, properties, secret, replace):
        if locked:
            raise Failure("IsLocked")
        attributes = dict(properties[ITEM + ".Attributes"])
        old = [item for item in items.values() if item.attributes == attributes]
        if replace and old:
            old[0].secret = bytes(secret[2])
            return old[0].path, dbus.ObjectPath("/")
        return Item(attributes, bytes(secret[2])).path, dbus.ObjectPath("/")


class Service(dbus.service.Object):
    @dbus.service.method(SERVICE, in_signature="sv", out_signature="vo")
    def OpenSession(self, algorithm, data):
        if algorithm != "plain":
            raise dbus.exceptions.DBusException("", name="org.freedesktop.DBus.Error.NotSupported")
        return dbus.String("", variant_level=1), dbus.ObjectPath(SESSION)

    @dbus.service.method(SERVICE, in_signature="a{ss}", out_signature="aoao", async_callbacks=("answer", "fail"))
    def SearchItems(self, wanted, answer, fail):
        if "silent" in manners:
            return
        found = [path for path, item in items.items() if wanted.items() <= item.attributes.items()]
        answer(paths([] if locked else found), paths(found if locked else []))

    @dbus.service.method(SERVICE, in_signature="ao", out_signature="aoo")
    def Unlock(self, objects):
        if not locked:
            return paths(objects), dbus.ObjectPath("/")

        def unlock():
            global locked
            locked = False
            return dbus.Array(objects, signature="o", variant_level=1)

        return paths([]), dbus.ObjectPath(Prompt(unlock).path)

    @dbus.service.method(SERVICE, in_signature="s", out_signature="o")
    def ReadAlias(self, name):
        return dbus.ObjectPath("/" if "empty" in manners else COLLECTION_PATH)

    @dbus.service.method("org.example.Mock", out_signature="i")
    def Dismissals(self):
        return dismissals

    @dbus.service.method("org.example.Mock", out_signature="i")
    def Prompts(self):
        return prompts


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()
service = Service(bus, ROOT)
collection = Collection(bus, COLLECTION_PATH)
Item({"application": "other", "account": "posteo"}, b"of another program")
Item({"application": "hub", "account": "posteo", "xdg:schema": "org.freedesktop.Secret.Generic"}, "zażółć".encode())
name = dbus.service.BusName(NAME, bus)
GLib.MainLoop().run()
