"""A Bluetooth service on a bus of a test's own: org.bluez with one adapter, its agents, the local time service of clients,
and simulated recorders as devices. Only what a client of a recorder calls is here, with the errors and the order of events of
bluetoothd 5.66.
"""

import hashlib
import json
import socket

import dbus
import dbus.service
from gi.repository import GLib

import device as model

BASE = "0000%04x-0000-1000-8000-00805f9b34fb"
ADAPTER = "/org/bluez/hci0"
AGENT_MANAGER, GATT_MANAGER = "org.bluez.AgentManager1", "org.bluez.GattManager1"
ADAPTER1, DEVICE1, BATTERY1 = "org.bluez.Adapter1", "org.bluez.Device1", "org.bluez.Battery1"
SERVICE1, CHARACTERISTIC1 = "org.bluez.GattService1", "org.bluez.GattCharacteristic1"
PROPERTIES, OBJECTS = "org.freedesktop.DBus.Properties", "org.freedesktop.DBus.ObjectManager"
CONTROL = "hub.Simulator1"

# Faults of the host's side, each with a chance as those of the device.
FAULTS = {
    "connect-fails": "Connect ends in an error",
    "late-services": "the services are known a second after Connect has returned",
    "pair-rejected": "Pair ends in AuthenticationRejected",
    "pair-silent": "Pair is never answered",
    "no-acquire": "AcquireNotify is not supported",
    "mute": "nothing comes through a notification socket",
    "battery": "the battery level is notified during a transfer, which loses a packet",
}


def uuid(number):
    """The UUID of a service or characteristic: its number on the base of its vendor."""
    if number == model.FILE_TRANSFER:
        return "a0451001-b822-4820-8782-bd8faf68807b"
    return "%08x-f315-4f60-9fb8-838830daea50" % number if number > 0xFFFF else BASE % number


def error(name, text=""):
    return dbus.DBusException(text or name, name=name if "." in name[4:] else "org.bluez.Error." + name)


def after(seconds, function):
    def once():
        function()
        return False

    return GLib.timeout_add(int(seconds * 1000), once) if seconds > 0 else GLib.idle_add(once)


class Node(dbus.service.Object):
    """An object with properties."""

    def __init__(self, host, path, properties):
        self.host, self.path, self.properties = host, path, properties
        super().__init__(host.bus, path)

    @dbus.service.method(PROPERTIES, in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        try:
            return self.properties[interface][name]
        except KeyError:
            raise error("org.freedesktop.DBus.Error.InvalidArgs", "No such property") from None

    @dbus.service.method(PROPERTIES, in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        return dbus.Dictionary(self.properties.get(interface, {}), signature="sv")

    @dbus.service.method(PROPERTIES, in_signature="ssv")
    def Set(self, interface, name, value):
        if (interface, name) not in ((ADAPTER1, "Powered"), (DEVICE1, "Trusted"), (DEVICE1, "Alias"), (ADAPTER1, "Alias")):
            raise error("org.freedesktop.DBus.Error.PropertyReadOnly", "read only")
        if (interface, name) == (ADAPTER1, "Powered"):
            self.host.set_powered(bool(value))
        else:
            self.update(interface, {name: value})

    @dbus.service.signal(PROPERTIES, signature="sa{sv}as")
    def PropertiesChanged(self, interface, changed, invalidated):
        pass

    def update(self, interface, changes):
        changes = {name: value for name, value in changes.items() if self.properties[interface].get(name) != value}
        self.properties[interface].update(changes)
        if changes:
            self.PropertiesChanged(interface, dbus.Dictionary(changes, signature="sv"), [])


class Root(dbus.service.Object):
    def __init__(self, host):
        self.host = host
        super().__init__(host.bus, "/")

    @dbus.service.method(OBJECTS, out_signature="a{oa{sa{sv}}}")
    def GetManagedObjects(self):
        return {path: described(node.properties) for path, node in self.host.nodes.items()}

    @dbus.service.signal(OBJECTS, signature="oa{sa{sv}}")
    def InterfacesAdded(self, path, interfaces):
        pass

    @dbus.service.signal(OBJECTS, signature="oas")
    def InterfacesRemoved(self, path, interfaces):
        pass


def described(properties):
    return dbus.Dictionary(
        {name: dbus.Dictionary(values, signature="sv") for name, values in properties.items()}, signature="sa{sv}")


class Manager(Node):
    """/org/bluez: agents."""

    @dbus.service.method(AGENT_MANAGER, in_signature="os", sender_keyword="sender")
    def RegisterAgent(self, path, capability, sender=None):
        if sender in self.host.agents:
            raise error("AlreadyExists")
        self.host.agents[sender] = path
        self.host.watch(sender)

    @dbus.service.method(AGENT_MANAGER, in_signature="o", sender_keyword="sender")
    def UnregisterAgent(self, path, sender=None):
        if self.host.agents.pop(sender, None) is None:
            raise error("DoesNotExist")

    @dbus.service.method(AGENT_MANAGER, in_signature="o", sender_keyword="sender")
    def RequestDefaultAgent(self, path, sender=None):
        if sender not in self.host.agents:
            raise error("DoesNotExist")
        self.host.agents = {sender: path, **{name: kept for name, kept in self.host.agents.items() if name != sender}}


class Adapter(Node):
    @dbus.service.method(ADAPTER1, in_signature="a{sv}")
    def SetDiscoveryFilter(self, properties):
        pass

    @dbus.service.method(ADAPTER1, sender_keyword="sender")
    def StartDiscovery(self, sender=None):
        if not self.host.powered:
            raise error("NotReady", "Resource Not Ready")
        if sender in self.host.discovering:
            raise error("InProgress", "Operation already in progress")
        self.host.discovering.add(sender)
        self.host.discovery_count += 1
        self.host.watch(sender)
        self.update(ADAPTER1, {"Discovering": True})
        after(0.03, self.host.advertise)

    @dbus.service.method(ADAPTER1, sender_keyword="sender")
    def StopDiscovery(self, sender=None):
        if sender not in self.host.discovering:
            raise error("Failed", "No discovery started")
        self.host.stop_discovery(sender)

    @dbus.service.method(ADAPTER1, out_signature="as")
    def GetDiscoveryFilters(self):
        return ["UUIDs", "RSSI", "Pathloss", "Transport", "DuplicateData", "Discoverable", "Pattern"]

    @dbus.service.method(ADAPTER1, in_signature="o")
    def RemoveDevice(self, path):
        link = self.host.links.get(str(path))
        if link is None or link.node is None:
            raise error("DoesNotExist", "Does Not Exist")
        link.forget()

    @dbus.service.method(GATT_MANAGER, in_signature="oa{sv}", sender_keyword="sender", async_callbacks=("ok", "bad"))
    def RegisterApplication(self, path, options, sender=None, ok=None, bad=None):
        if (sender, path) in self.host.applications:
            return bad(error("AlreadyExists"))

        def registered(objects):
            for place, interfaces in objects.items():
                if interfaces.get("org.bluez.GattCharacteristic1", {}).get("UUID", "").lower() == BASE % 0x2A2B:
                    self.host.applications[(sender, path)] = place
                    self.host.profiles[(sender, path)] = {
                        str(uuid).lower() for interfaces in objects.values()
                        for uuid in interfaces.get("org.bluez.GattProfile1", {}).get("UUIDs", [])}
                    self.host.watch(sender)
                    after(0.05, self.host.connect_profiles)
                    return ok()
            bad(error("Failed", "No object received"))

        # The application's objects are asked for, so a client that cannot answer now gets no reply.
        self.host.call(sender, path, OBJECTS, "GetManagedObjects", "", (), registered, lambda _: bad(
            error("Failed", "No object received")))

    @dbus.service.method(GATT_MANAGER, in_signature="o", sender_keyword="sender")
    def UnregisterApplication(self, path, sender=None):
        self.host.profiles.pop((sender, path), None)
        if self.host.applications.pop((sender, path), None) is None:
            raise error("DoesNotExist")


class DeviceNode(Node):
    @property
    def link(self):
        return self.host.links[self.path]

    @dbus.service.method(DEVICE1, async_callbacks=("ok", "bad"))
    def Connect(self, ok=None, bad=None):
        self.link.connect(ok, bad)

    @dbus.service.method(DEVICE1)
    def Disconnect(self):
        if not self.link.recorder.is_connected:
            raise error("NotConnected", "Not Connected")
        self.link.disconnect("local host")

    @dbus.service.method(DEVICE1, async_callbacks=("ok", "bad"))
    def Pair(self, ok=None, bad=None):
        self.link.pair(ok, bad)

    @dbus.service.method(DEVICE1)
    def CancelPairing(self):
        raise error("DoesNotExist")


class Characteristic(Node):
    def __init__(self, link, path, properties, number):
        self.link, self.number = link, number
        self.notifying, self.acquired, self.waiting = set(), None, None
        super().__init__(link.host, path, properties)

    @dbus.service.method(CHARACTERISTIC1, in_signature="aya{sv}", async_callbacks=("ok", "bad"))
    def WriteValue(self, value, options, ok=None, bad=None):
        kind = "write-without-response" if options.get("type") == "command" else "write"
        if kind not in self.properties[CHARACTERISTIC1]["Flags"]:
            return bad(error("NotSupported"))
        self.link.write(self.number, bytes(value), ok, bad)

    @dbus.service.method(CHARACTERISTIC1, in_signature="a{sv}", out_signature="ay")
    def ReadValue(self, options):
        if not self.link.recorder.is_connected:
            raise error("Failed", "Not connected")
        if self.number == 0x2A19:
            return dbus.ByteArray([self.link.recorder.battery])
        if not self.link.recorder.is_encrypted:
            raise error("NotPermitted", "Not paired")
        return dbus.ByteArray([0])

    @dbus.service.method(CHARACTERISTIC1, sender_keyword="sender", async_callbacks=("ok", "bad"))
    def StartNotify(self, sender=None, ok=None, bad=None):
        if self.acquired is not None:
            return bad(error("NotPermitted"))
        # A session lasts as long as its client, over several links; asking again changes nothing on the air.
        self.notifying.add(sender)
        self.host.watch(sender)
        self.subscribe()
        after(0.002, ok)

    @dbus.service.method(CHARACTERISTIC1, sender_keyword="sender")
    def StopNotify(self, sender=None):
        if sender not in self.notifying:
            raise error("Failed", "No notify session started")
        self.stop(sender)

    @dbus.service.method(CHARACTERISTIC1, in_signature="a{sv}", out_signature="hq")
    def AcquireNotify(self, options):
        if self.link.happens("no-acquire"):
            raise error("NotSupported", "Operation is not supported")
        if self.acquired is not None or self.notifying:
            raise error("NotPermitted")
        if not self.link.recorder.is_connected:
            raise error("NotConnected", "Not Connected")
        # Neither end of bluetoothd's blocks.
        mine, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_NONBLOCK)
        self.acquired = mine
        source = [0]

        def hung_up(*_):
            if self.acquired is mine:
                self.release()
            return False

        source[0] = GLib.io_add_watch(mine.fileno(), GLib.IO_HUP | GLib.IO_ERR, hung_up)
        self.update(CHARACTERISTIC1, {"NotifyAcquired": True})
        self.subscribe()
        descriptor = dbus.types.UnixFd(theirs)
        theirs.close()
        return descriptor, dbus.UInt16(self.link.recorder.settings.mtu)

    @dbus.service.method(CHARACTERISTIC1, in_signature="a{sv}", out_signature="hq")
    def AcquireWrite(self, options):
        raise error("NotSupported", "Operation is not supported")

    def subscribe(self):
        # The write of the subscription keeps the device busy for a moment, which makes up for hasty clients.
        if self.link.recorder.is_connected:
            self.link.recorder.subscribed.add(self.number)
            self.update(CHARACTERISTIC1, {"Notifying": True})

    def stop(self, sender):
        self.notifying.discard(sender)
        if not self.notifying and self.acquired is None:
            self.link.recorder.subscribed.discard(self.number)
            self.update(CHARACTERISTIC1, {"Notifying": False})

    def release(self):
        if self.acquired is not None:
            acquired, self.acquired = self.acquired, None
            if self.waiting is not None:
                GLib.source_remove(self.waiting)
                self.waiting = None
            acquired.close()
            self.update(CHARACTERISTIC1, {"NotifyAcquired": False})
            self.stop(None)

    def burst(self, burst, finished, start=0):
        """Sends the packets as fast as they are read."""
        self.waiting = None
        if self.acquired is None:
            return False
        try:
            start = burst.send(self.acquired.fileno(), start)
        except OSError:
            self.release()
            return False
        if start == burst.count:
            finished()
        else:
            self.waiting = GLib.io_add_watch(
                self.acquired.fileno(), GLib.IO_OUT | GLib.IO_HUP | GLib.IO_ERR, lambda *_: self.burst(burst, finished, start))
        return False

    def notify(self, packet):
        """Whether the packet is on its way. A full socket loses it, as bluetoothd does; only without any pause between packets,
        which no radio can do, the device waits for the socket."""
        if self.acquired is not None:
            try:
                if not self.link.happens("mute"):
                    self.acquired.send(packet)
            except BlockingIOError:
                return self.link.recorder.settings.packet_interval > 0
            except OSError:
                self.release()
        elif self.notifying:
            self.PropertiesChanged(CHARACTERISTIC1, {"Value": dbus.Array(packet, signature="y")}, [])
        return True


class Link:
    """One recorder as this host knows it: the radio of the device, and its objects on the bus."""

    def __init__(self, host, recorder):
        self.host, self.recorder = host, recorder
        recorder.radio = self
        self.path = f"{ADAPTER}/dev_" + recorder.address.replace(":", "_")
        self.node = None
        self.is_bonded = False
        self.characteristics = {}
        self.faults = {}
        self.has_name = False
        self.is_connecting = False

    def happens(self, fault):
        return fault in self.faults and self.recorder.random.random() < self.faults[fault]

    # -- What the device needs

    def later(self, seconds, function):
        after(seconds, function)

    def notify(self, number, packet):
        if number == model.FILE_DATA and self.happens("battery"):
            self.recorder.battery_notification()
        return self.characteristics[number].notify(packet) if number in self.characteristics else True

    def disconnect(self, reason):
        if not self.recorder.is_connected:
            return
        self.recorder.disconnected()
        for characteristic in list(self.characteristics.values()):
            characteristic.release()
            if characteristic.properties[CHARACTERISTIC1].get("Notifying"):
                characteristic.update(CHARACTERISTIC1, {"Notifying": False})
        if self.node is not None:
            self.host.withdraw_interface(self.node, BATTERY1)
            self.node.update(DEVICE1, {"ServicesResolved": False})
            self.node.update(DEVICE1, {"Connected": False})
        if not self.is_bonded:
            self.withdraw_services()
        self.changed()

    def burst(self, burst, finished):
        """Whether the file goes through a notification socket at once: for measurements of clients."""
        characteristic = self.characteristics.get(model.FILE_DATA)
        if self.faults or characteristic is None or characteristic.acquired is None:
            return False
        characteristic.burst(burst, finished)
        return True

    def changed(self):
        if self.host.discovering:
            after(0.05, self.host.advertise)
        after(0.05, self.host.connect_profiles)

    # -- What the host does

    def advertise(self):
        if not self.recorder.is_powered or self.recorder.is_connected:
            return
        rssi = dbus.Int16(-50 - self.recorder.random.randrange(20))
        if self.node is None:
            name = self.recorder.name if self.has_name else self.recorder.advertised_name
            self.node = self.host.add(DeviceNode, self.path, {DEVICE1: {
                "Address": self.recorder.address, "AddressType": "random", "Name": name, "Alias": name,
                "Paired": self.is_bonded, "Bonded": self.is_bonded, "Trusted": False, "Blocked": False,
                "LegacyPairing": False, "RSSI": rssi, "Connected": False,
                "UUIDs": dbus.Array([uuid(self.recorder.services()[0][0])], signature="s"), "Adapter": dbus.ObjectPath(ADAPTER),
                "ServicesResolved": False,
            }})
        else:
            self.node.properties[DEVICE1]["RSSI"] = None
            self.node.update(DEVICE1, {"RSSI": rssi})

    def connect(self, ok, bad):
        if not self.host.powered:
            return bad(error("NotReady", "Resource Not Ready"))
        if self.recorder.is_connected:
            return bad(error("AlreadyConnected", "Already Connected"))

        # A call while the service connects by itself is refused.
        if self.is_connecting:
            return bad(error("InProgress", "In Progress"))
        self.is_connecting = True

        def connected():
            self.is_connecting = False
            if self.node is None:
                return bad(error("DoesNotExist", "Does Not Exist"))
            if self.happens("connect-fails") or not self.recorder.connect():
                return bad(error("Failed", "le-connection-abort-by-local"))
            self.has_name = True
            self.node.update(DEVICE1, {"Connected": True, "Name": self.recorder.name, "Alias": self.recorder.name})
            if self.is_bonded:
                self.encrypt()
            session = self.recorder.session
            after(1.0 if self.happens("late-services") else 0.05, lambda: self.resolve(session))
            ok()

        after(0.05, connected)

    def resolve(self, session):
        if self.recorder.session != session or self.node is None:
            return
        if not self.characteristics:
            self.add_services()
        for number, characteristic in self.characteristics.items():
            if characteristic.notifying:
                characteristic.subscribe()
        if self.recorder.battery is not None and BATTERY1 not in self.node.properties:
            self.host.add_interface(self.node, BATTERY1, {"Percentage": dbus.Byte(min(self.recorder.battery, 255))})
        self.node.update(DEVICE1, {"ServicesResolved": True})

    def add_services(self):
        for place, (service, characteristics) in enumerate(self.recorder.services()):
            handle = 0x10 + place * 0x30
            path = f"{self.path}/service{handle:04x}"
            self.host.add(Node, path, {SERVICE1: {
                "UUID": uuid(service), "Primary": True, "Device": dbus.ObjectPath(self.path),
                "Includes": dbus.Array([], signature="o")}})
            for place, (number, flags) in enumerate(characteristics.items()):
                node = self.host.add(
                    lambda _, path, properties: Characteristic(self, path, properties, number),
                    f"{path}/char{handle + 1 + place * 3:04x}", {CHARACTERISTIC1: {
                        "UUID": uuid(number), "Service": dbus.ObjectPath(path),
                        "Value": dbus.Array([], signature="y"), "Notifying": False, "NotifyAcquired": False,
                        "Flags": dbus.Array(flags, signature="s"), "MTU": dbus.UInt16(self.recorder.settings.mtu)}})
                self.characteristics[number] = node

    def withdraw_services(self):
        for path in [path for path in self.host.nodes if path.startswith(self.path + "/")]:
            self.host.remove(path)
        self.characteristics = {}

    def forget(self):
        self.disconnect("removed")
        self.withdraw_services()
        self.is_bonded = False
        self.has_name = False
        self.host.remove(self.path)
        self.node = None

    def pair(self, ok, bad):
        if not self.recorder.is_connected:
            return self.connect(lambda: self.pair(ok, bad), bad)
        if self.is_bonded or self.happens("pair-silent"):
            # Of a paired and connected device bluetoothd says nothing at all.
            return
        if self.happens("pair-rejected"):
            return bad(error("AuthenticationRejected", "Authentication Rejected"))
        self.bond(True, ok, lambda: bad(error("AuthenticationFailed", "Authentication Failed")))

    def bond(self, is_explicit, ok, bad):
        """Just Works: an agent is needed, and asked unless the user's own call began it."""
        if not self.host.agents:
            return after(0.05, bad)
        if self.recorder.bonds:
            # The device keeps the keys of a host that lost its own, and takes no new ones.
            self.disconnect("security")
            return after(0.05, bad)

        def bonded(*_):
            if not self.recorder.is_connected:
                return bad()
            self.is_bonded = True
            self.encrypt()
            if self.node is not None:
                self.node.update(DEVICE1, {"Paired": True, "Bonded": True})
            ok()

        if is_explicit:
            return after(0.05, bonded)
        sender, path = next(iter(self.host.agents.items()))
        self.host.call(sender, path, "org.bluez.Agent1", "RequestAuthorization", "o", (dbus.ObjectPath(self.path),),
                       bonded, lambda _: bad())

    def encrypt(self):
        self.recorder.encrypted()
        for (sender, _), place in self.host.applications.items():
            options = dbus.Dictionary(
                {"device": dbus.ObjectPath(self.path), "link": "LE", "mtu": dbus.UInt16(self.recorder.settings.mtu)},
                signature="sv")
            self.host.call(sender, place, CHARACTERISTIC1, "ReadValue", "a{sv}", (options,),
                           lambda value: self.recorder.set_time(bytes(value)), lambda _: None)
            break

    def write(self, number, value, ok, bad):
        if not self.recorder.is_connected:
            return bad(error("Failed", "Not connected"))

        def attempt(may_pair):
            try:
                self.recorder.write(number, value)
            except model.ATTError as failure:
                if failure.code == model.INSUFFICIENT_ENCRYPTION and may_pair and not self.is_bonded:
                    return self.bond(False, lambda: attempt(False), lambda: bad(error("NotPermitted", "Not paired")))
                return bad(error("Failed", "Operation failed with " + str(failure)))
            after(0.002, ok)

        attempt(True)


class Control(dbus.service.Object):
    """Lets a test change what is simulated: one method, JSON in and out."""

    def __init__(self, host):
        self.host = host
        super().__init__(host.bus, "/hub/simulator")

    @dbus.service.method(CONTROL, in_signature="s", out_signature="s")
    def Do(self, text):
        request = json.loads(text)
        return json.dumps(self.host.control(request) or {})


class Host:
    def __init__(self, bus, recorders):
        self.bus = bus
        self.nodes, self.links = {}, {}
        self.agents, self.applications, self.discovering, self.watched = {}, {}, set(), {}
        # The services for which clients want the devices that offer them to be connected with, and how often a discovery began.
        self.profiles, self.connects_profiles, self.discovery_count = {}, True, 0
        self.powered = True
        self.root, self.interface = Root(self), Control(self)
        # A name of its own, which stays while bluetoothd restarts.
        self.control_name = dbus.service.BusName("hub.Simulator", bus)
        for device in recorders + [recorder.bootloader for recorder in recorders]:
            link = Link(self, device)
            self.links[link.path] = link
        self.start()
        self.add_adapter()
        GLib.timeout_add(1000, self.advertise)

    def start(self):
        self.add(Manager, "/org/bluez", {AGENT_MANAGER: {}})
        self.name = dbus.service.BusName("org.bluez", self.bus, do_not_queue=True)

    def add_adapter(self):
        self.adapter = self.add(Adapter, ADAPTER, {ADAPTER1: {
            "Address": "00:11:22:33:44:55", "AddressType": "public", "Name": "hub-test", "Alias": "hub-test",
            "Powered": self.powered, "Discoverable": False, "Pairable": True, "Discovering": False,
            "UUIDs": dbus.Array([], signature="s"),
            "Roles": dbus.Array(["central", "peripheral"], signature="s"), "Class": dbus.UInt32(0)},
            GATT_MANAGER: {}})
        for link in self.links.values():
            if link.is_bonded:
                link.advertise()
        if not self.powered:
            after(0.1, lambda: self.set_powered(True))

    # -- Objects

    def add(self, make, path, properties):
        node = make(self, path, properties)
        self.nodes[path] = node
        self.root.InterfacesAdded(path, described(properties))
        return node

    def remove(self, path):
        node = self.nodes.pop(path, None)
        if node is not None:
            node.remove_from_connection()
            self.root.InterfacesRemoved(path, list(node.properties))

    def add_interface(self, node, name, properties):
        node.properties[name] = properties
        self.root.InterfacesAdded(node.path, described({name: properties}))

    def withdraw_interface(self, node, name):
        if node.properties.pop(name, None) is not None:
            self.root.InterfacesRemoved(node.path, [name])

    # -- Clients

    def watch(self, sender):
        if sender not in self.watched:
            self.watched[sender] = self.bus.watch_name_owner(sender, lambda owner: owner or self.gone(sender))

    def gone(self, sender):
        self.agents.pop(sender, None)
        for key in [key for key in self.applications if key[0] == sender]:
            del self.applications[key]
            self.profiles.pop(key, None)
        self.stop_discovery(sender)
        for link in self.links.values():
            for characteristic in link.characteristics.values():
                if sender in characteristic.notifying:
                    characteristic.stop(sender)
        watch = self.watched.pop(sender, None)
        if watch is not None:
            watch.cancel()

    def call(self, destination, path, interface, member, signature, arguments, ok, bad):
        self.bus.call_async(destination, path, interface, member, signature, arguments, ok, bad, timeout=10.0)

    # -- The adapter

    def advertise(self):
        if self.discovering and self.powered:
            for link in self.links.values():
                link.advertise()
        self.connect_profiles()
        return True

    def connect_profiles(self):
        """Connects with the devices that are bonded, are heard, and offer a service of a client's profile."""
        wanted = set().union(*self.profiles.values()) if self.powered and self.connects_profiles else set()
        for link in self.links.values():
            offered = {uuid(number) for number, _ in link.recorder.services()}
            if link.is_bonded and link.node is not None and link.recorder.is_powered and not link.recorder.is_connected \
                    and not link.is_connecting and offered & wanted:
                link.connect(lambda: None, lambda _: None)

    def stop_discovery(self, sender):
        self.discovering.discard(sender)
        if not self.discovering and self.adapter is not None:
            self.adapter.update(ADAPTER1, {"Discovering": False})

    def set_powered(self, powered):
        self.powered = powered
        if self.adapter is None:
            return
        if not powered:
            for link in self.links.values():
                link.disconnect("adapter off")
            self.discovering.clear()
            self.adapter.update(ADAPTER1, {"Discovering": False})
        self.adapter.update(ADAPTER1, {"Powered": powered})

    def restart(self):
        """bluetoothd ends and starts again: links, sessions and agents are gone, bonds are kept. It switches the adapter off first,
        and its name is there again before the adapter is, which is off at first."""
        self.set_powered(False)
        for link in self.links.values():
            link.characteristics, link.node = {}, None
        for path in reversed(list(self.nodes)):
            self.remove(path)
        self.agents, self.applications, self.profiles = {}, {}, {}
        self.adapter = None
        after(0.05, self.release)

    def release(self):
        self.bus.release_name("org.bluez")
        self.name = None
        after(0.2, self.start)
        after(0.3, self.add_adapter)

    # -- Control

    def control(self, request):
        action = request["do"]
        link = list(self.links.values())[request.get("device", 0)]
        recorder = link.recorder
        if action == "fault":
            faults = link.faults if request["name"] in FAULTS else recorder.faults
            if request.get("rate", 1) > 0:
                faults[request["name"]] = request.get("rate", 1)
            else:
                faults.pop(request["name"], None)
        elif action == "add-record":
            add = recorder.add_tones if request.get("tones") else recorder.add_bytes
            add(request["id"].encode(), request.get("size", 6400))
        elif action == "battery":
            recorder.battery = request["percent"]
            if BATTERY1 in (link.node.properties if link.node else {}):
                link.node.update(BATTERY1, {"Percentage": dbus.Byte(recorder.battery)})
        elif action == "mtu":
            recorder.settings.mtu = request["value"]
        elif action == "hashes":
            return {"hashes": [hashlib.sha256(file.data).hexdigest() for file in recorder.files]}
        elif action == "power-off":
            recorder.switch_off()
        elif action == "power-on":
            recorder.switch_on()
        elif action == "disconnect":
            link.disconnect("test")
        elif action == "vanish":
            link.forget()
            recorder.is_powered = False
        elif action == "adapter":
            self.set_powered(request["powered"])
        elif action == "profiles":
            # Whether it connects with the devices of profiles.
            self.connects_profiles = request["connected"]
        elif action == "restart":
            after(0, self.restart)
        elif action != "state":
            return {"error": "unknown action " + action}
        if isinstance(recorder, model.bootloader.Bootloader):
            return {"connected": recorder.is_connected, "powered": recorder.is_powered, "packets": recorder.packet_count}
        return {
            "version": recorder.firmware_version,
            "installed": [{"kind": kind, "sha256": hashlib.sha256(image).hexdigest()} for kind, image in recorder.installed],
            "connected": recorder.is_connected, "is_fetching": recorder.is_file_open and bool(recorder.pending), "powered": recorder.is_powered, "bonds": recorder.bonds,
            "clock": recorder.clock_offset, "discoveries": self.discovery_count, "requests": recorder.requests, "faults": {**recorder.faults, **link.faults},
            "files": [{"id": file.id.decode("latin-1"), "size": len(file.data)} for file in recorder.files],
        }
