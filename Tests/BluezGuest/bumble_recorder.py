"""The simulated recorder on the air: its services in Bumble's stack, on a controller that shares a link with the kernel's."""

import asyncio
import pathlib
import sys

from bumble import att, controller, core, gatt, hci, host, keys, link, pairing, transport
from bumble.device import Device, DeviceConfiguration, Peer

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "DictofunSimulator"))
import device as model  # noqa: E402

BASE = "0000%04x-0000-1000-8000-00805f9b34fb"
CURRENT_TIME_SERVICE, CURRENT_TIME = core.UUID.from_16_bits(0x1805), core.UUID.from_16_bits(0x2A2B)


def uuid(number):
    if number == model.FILE_TRANSFER:
        return core.UUID("a0451001-b822-4820-8782-bd8faf68807b")
    return core.UUID("%08x-f315-4f60-9fb8-838830daea50" % number if number > 0xFFFF else BASE % number)


class Link(link.LocalLink):
    """Bumble names the sender by its random address; the kernel connects with its public one."""

    def send_acl_data(self, sender_controller, destination_address, transport, data):
        connection = sender_controller.le_connections.get(destination_address)
        receiver = self.find_le_controller(destination_address)
        if connection is None or receiver is None:
            return
        asyncio.get_running_loop().call_soon(
            lambda: receiver.on_link_acl_data(connection.self_address, transport, data))


class Radio:
    """What the model asks of the air, on Bumble."""

    def __init__(self, recorder, device):
        self.recorder, self.device = recorder, device
        self.connection = None
        self.characteristics = {}
        self.packets = asyncio.Queue()
        self.bytes_sent = 0
        recorder.radio = self
        self.tasks = set()

    def start(self, awaitable):
        """Tasks are held until they end, for the loop forgets them."""
        task = asyncio.ensure_future(awaitable)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def later(self, seconds, function):
        asyncio.get_running_loop().call_later(seconds, function)

    def burst(self, packets, finished):
        return False

    def notify(self, characteristic, packet):
        if self.connection is None:
            return False
        self.packets.put_nowait((self.connection, characteristic, packet))
        return True

    async def send(self):
        while True:
            connection, characteristic, packet = await self.packets.get()
            if connection is not self.connection:
                continue
            self.bytes_sent += len(packet)
            attribute = self.characteristics[characteristic]
            try:
                if characteristic == model.bootloader.BUTTONLESS:
                    await self.device.gatt_server.indicate_subscriber(connection, attribute, packet)
                else:
                    await self.device.gatt_server.notify_subscriber(connection, attribute, packet)
            except Exception as error:  # The link ended meanwhile.
                print("recorder: not sent:", error, flush=True)

    def disconnect(self, reason):
        connection = self.connection
        if connection is not None:
            self.start(self.drop(connection))

    async def drop(self, connection):
        try:
            await connection.disconnect(hci.HCI_REMOTE_USER_TERMINATED_CONNECTION_ERROR)
        except Exception as error:
            print("recorder: not disconnected:", error, flush=True)

    def changed(self):
        self.start(self.advertise())

    async def advertise(self):
        if self.recorder.is_powered and self.connection is None and not self.device.is_advertising:
            await self.device.start_advertising()
        elif not self.recorder.is_powered and self.device.is_advertising:
            await self.device.stop_advertising()

    # -- What the stack says

    def connected(self, connection):
        self.connection = connection
        self.recorder.connect()
        connection.on("disconnection", lambda reason: self.disconnected(connection))
        connection.on("connection_encryption_change", lambda: self.encryption_changed(connection))
        connection.on("connection_att_mtu_update", lambda: self.mtu_changed(connection))
        self.mtu_changed(connection)

    def mtu_changed(self, connection):
        self.recorder.settings.mtu = min(247, connection.att_mtu)

    def disconnected(self, connection):
        self.connection = None
        self.recorder.disconnected()
        self.changed()

    def encryption_changed(self, connection):
        if connection.is_encrypted:
            self.recorder.encrypted()
            self.start(self.read_time(connection))

    async def read_time(self, connection):
        """As the firmware does when a link is encrypted: it reads the time of the host, where there is one."""
        try:
            peer = Peer(connection)
            await peer.discover_service(CURRENT_TIME_SERVICE)
            for service in peer.get_services_by_uuid(CURRENT_TIME_SERVICE):
                await peer.discover_characteristics([CURRENT_TIME], service)
                for characteristic in service.get_characteristics_by_uuid(CURRENT_TIME):
                    self.recorder.set_time(await peer.read_value(characteristic))
        except Exception as error:
            print("recorder: no time:", error, flush=True)

    async def forget_bonds(self):
        await self.device.keystore.delete_all()

    def write(self, number, value):
        try:
            self.recorder.write(number, bytes(value))
        except model.ATTError as error:
            raise att.ATT_Error(error.code) from error
        if number == model.PAIRING and value == b"\xad":
            self.start(self.forget_bonds())

    def services(self):
        return [
            gatt.Service(uuid(service), [self.characteristic(number, uses) for number, uses in characteristics.items()])
            for service, characteristics in self.recorder.services()]

    def characteristic(self, number, uses):
        properties = gatt.Characteristic.Properties(0)
        permissions = att.Attribute.Permissions(0)
        for use in uses:
            properties |= getattr(gatt.Characteristic.Properties, use.upper())
        needs_key = number not in (model.BATTERY_LEVEL, model.bootloader.BUTTONLESS)
        if "write" in uses:
            permissions |= att.Attribute.Permissions.WRITEABLE
            if needs_key:
                permissions |= att.Attribute.Permissions.WRITE_REQUIRES_ENCRYPTION
        if "read" in uses:
            permissions |= att.Attribute.Permissions.READABLE
            if needs_key:
                permissions |= att.Attribute.Permissions.READ_REQUIRES_ENCRYPTION

        def read(connection):
            return bytes([self.recorder.battery]) if number == model.BATTERY_LEVEL else b"\0"

        value = gatt.CharacteristicValue(read=read, write=lambda connection, value: self.write(number, value))
        result = gatt.Characteristic(uuid(number), properties, permissions, value)

        def subscribed(connection, notifies, indicates):
            (self.recorder.subscribed.add if notifies or indicates else self.recorder.subscribed.discard)(number)

        result.on("subscription", subscribed)
        self.characteristics[number] = result
        return result


def advertisement(recorder):
    service = bytes(uuid(model.FILE_TRANSFER))
    return bytes(core.AdvertisingData([
        (core.AdvertisingData.FLAGS, bytes([0x06])),
        (core.AdvertisingData.INCOMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS, service),
        (core.AdvertisingData.COMPLETE_LOCAL_NAME, recorder.advertised_name.encode())]))


async def start(recorder, kernel="vhci"):
    """Gives the kernel a controller, and puts the recorder on the air of it."""
    air = Link()
    opened = await transport.open_transport(kernel)
    kernel_controller = controller.Controller(
        "kernel", host_source=opened.source, host_sink=opened.sink, link=air, public_address="00:1A:7D:DA:71:13")
    own_controller = controller.Controller("recorder", link=air)
    own_host = host.Host()
    own_host.controller = own_controller
    device = Device(
        host=own_host, config=DeviceConfiguration(
            name=recorder.name, address=hci.Address(recorder.address), advertising_data=advertisement(recorder),
            scan_response_data=b"", advertising_interval_min=100, advertising_interval_max=100))
    device.keystore = keys.MemoryKeyStore()
    device.pairing_config_factory = lambda connection: pairing.PairingConfig(
        sc=False, mitm=False, bonding=True, delegate=pairing.PairingDelegate(pairing.PairingDelegate.NO_OUTPUT_NO_INPUT))

    async def long_term_key(handle, rand, ediv):
        # Bumble stores the key that a peripheral has given as the central's, and looks for it as the peripheral's.
        connection = device.lookup_connection(handle)
        if connection is None:
            return None
        key = device.smp_manager.get_long_term_key(connection, rand, ediv)
        if key is None and (stored := await device.keystore.get(str(connection.peer_address))) is not None:
            key = stored.ltk_central and stored.ltk_central.value
        return key

    own_host.long_term_key_provider = long_term_key
    radio = Radio(recorder, device)
    device.add_services(radio.services())
    device.on("connection", radio.connected)
    await device.power_on()
    await device.start_advertising()
    radio.start(radio.send())
    # What the kernel talks through lives as long as the radio.
    radio.kept = (opened, kernel_controller)
    return radio
