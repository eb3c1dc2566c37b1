"""A D-Bus peer that is not ours: echoes values, fails, keeps silent, emits signals."""

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME = "org.example.Peer"


class Peer(dbus.service.Object):
    @dbus.service.method(NAME, in_signature="v", out_signature="v")
    def Echo(self, value):
        return value

    @dbus.service.method(NAME, in_signature="ayasa{sv}(sib)", out_signature="ayasa{sv}(sib)")
    def EchoAll(self, data, texts, properties, structure):
        return data, texts, properties, structure

    @dbus.service.method(NAME, in_signature="", out_signature="")
    def Fail(self):
        raise dbus.exceptions.DBusException("it is broken", name="org.example.Error.Broken")

    @dbus.service.method(NAME, in_signature="", out_signature="", async_callbacks=("answer", "fail"))
    def Wait(self, answer, fail):
        """Never answers."""

    @dbus.service.method(NAME, in_signature="i", out_signature="")
    def Count(self, upTo):
        for number in range(upTo):
            self.Counted(number, "from the peer")

    @dbus.service.signal(NAME, signature="is")
    def Counted(self, number, text):
        pass

    @dbus.service.method(NAME, in_signature="ssss", out_signature="v", async_callbacks=("answer", "fail"))
    def Call(self, destination, path, interface, member, answer, fail):
        """Calls somebody and passes the answer on."""
        target = dbus.Interface(bus.get_object(destination, path, introspect=False), interface)
        target.get_dbus_method(member)("a", 1, reply_handler=answer, error_handler=fail)


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()
peer = Peer(bus, "/org/example/Peer")
name = dbus.service.BusName(NAME, bus)
GLib.MainLoop().run()
