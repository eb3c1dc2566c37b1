import DBus
package import DictofunDomain
import Synchronization
package import System
package import Time

/// A client of the Bluetooth service BlueZ on the system bus: it makes calls and passes on what the service says. It has no rules.
package final class BlueZClient: Sendable {
    /// What the service says.
    package enum Event: Sendable {
        /// Something changed in its objects, or its name has another owner.
        case connection(ConnectionEngine.Event)
        /// A notification of the characteristic with this path.
        case notification(path: String, [UInt8])
        /// Notifications that came through a descriptor wait in this reader.
        case waiting(NotificationReader)
        /// The connection with the bus has ended.
        case ended

        /// Whether an adapter appeared or changed, or may have.
        fileprivate var isAboutAdapter: Bool {
            switch self {
            case .connection(.added(_, let interfaces)): interfaces[.adapter] != nil
            case .connection(.changed(_, let interface, _, _)): interface == .adapter
            case .connection(.serviceChanged): true
            default: false
            }
        }
    }

    /// The events in their order.
    package let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let connection: DBusConnection
    private let patience: Duration
    private let tasks: [Task<Void, Never>]
    private let readers = Mutex<[NotificationReader]>([])

    /// The most signals that wait to be read: a list of 255 files in the smallest packets, and what else the bus says meanwhile.
    private static let signalLimit = 1 << 16
    private static let name = "org.bluez"

    /// Connects with the bus at `address`, or with that of the system, and listens. `now` gives recorders the time, and every call
    /// may take as long as `patience`. With `connects`, the service connects with paired recorders by itself once the time service is
    /// registered. Throws `unavailable` when there is no bus.
    package static func open(
        _ address: String? = nil, patience: Duration, connects: Bool = false, now: @escaping @Sendable () -> LocalTime
    ) async throws(HubError) -> BlueZClient {
        do throws(DBusError) {
            let bus = if let address { try DBusAddress(address) } else { try DBusAddress.system() }
            let connection = try await DBusConnection.open(bus, timeout: patience)
            BlueZObjects.export(on: connection, connects: connects, now: now)
            return try await BlueZClient(connection, patience)
        } catch {
            throw HubError(
                .unavailable, code: "bluetooth-unavailable",
                "the system's message bus cannot be reached, which Bluetooth needs",
                details: [error.description], hint: "apt install bluez, then systemctl start bluetooth")
        }
    }

    private init(_ connection: DBusConnection, _ patience: Duration) async throws(DBusError) {
        self.connection = connection
        self.patience = patience
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        (self.events, self.continuation) = (events, continuation)
        var tasks: [Task<Void, Never>] = []
        func listen(
            _ signals: AsyncThrowingStream<DBusSignal, any Error>, _ read: @escaping @Sendable (DBusSignal) -> Event?
        ) {
            tasks.append(
                Task {
                    do {
                        for try await signal in signals { if let event = read(signal) { continuation.yield(event) } }
                    } catch {
                        continuation.yield(.ended)
                    }
                })
        }
        // One subscription keeps their order: what a device offers comes before the word that it is complete.
        let all = DBusMatchRule(sender: Self.name)
        listen(try await connection.signals(matching: all, limit: Self.signalLimit, timeout: patience)) {
            BlueZClient.event(of: $0)
        }
        let owners = DBusMatchRule(
            sender: "org.freedesktop.DBus", member: "NameOwnerChanged", firstArgument: Self.name)
        listen(try await connection.signals(matching: owners, timeout: patience)) {
            .connection(.serviceChanged(isRunning: $0.arguments.last?.text?.isEmpty == false))
        }
        self.tasks = tasks
    }

    /// Ends the connection with the bus; registrations and subscriptions end with it.
    package func close() async {
        for task in tasks { task.cancel() }
        for reader in readers.withLock({ $0 }) { reader.close() }
        continuation.finish()
        await connection.close()
    }

    /// Whether the service runs now.
    package func isServiceRunning() async -> Bool {
        let reply = try? await connection.call(
            "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
            member: "NameHasOwner",
            [.string(Self.name)], timeout: patience)
        return reply?.first?.truth == true
    }

    /// Returns when the service has an adapter that is on. Nothing else may read the events.
    package func awaitAdapter() async {
        var events = events.makeAsyncIterator()
        repeat {
            if await isServiceRunning(), case .objects(let objects) = await perform(.getObjects),
                objects.hasUsableAdapter
            {
                return
            }
            while let event = await events.next(), !event.isAboutAdapter {}
        } while !Task.isCancelled
    }

    /// Makes a call and returns the event that answers it.
    package func perform(_ call: BlueZCall) async -> ConnectionEngine.Event {
        do throws(DBusError) {
            let reply = try await send(call.message, timeout: max(call.timeout, patience))
            return call == .getObjects ? .objects(BlueZCache(reply.first)) : .succeeded(call)
        } catch {
            return .failed(call, BlueZError(error))
        }
    }

    /// Writes to a characteristic. Without response it returns when the service has taken the bytes.
    package func write(
        _ bytes: [UInt8], to characteristic: String, withResponse: Bool = true, timeout: Duration
    ) async throws(BlueZError) {
        let message = BlueZMessage.write(bytes, to: characteristic, withResponse: withResponse)
        do throws(DBusError) { _ = try await send(message, timeout: timeout) } catch { throw BlueZError(error) }
    }

    /// Subscribes to a characteristic. With `acquiring` its notifications come through a descriptor where the service allows that,
    /// which is much faster; its reader ends with the link. Without, a descriptor of an earlier subscription is given back.
    package func subscribe(to characteristic: String, acquiring: Bool, timeout: Duration) async throws(BlueZError) {
        let interface = BlueZCache.Interface.characteristic.rawValue
        if !acquiring {
            for reader in readers.withLock({ $0 }) where reader.characteristic == characteristic { reader.close() }
        } else {
            let message = BlueZMessage(characteristic, interface, "AcquireNotify", [.properties([:])])
            let reply = try? await send(message, timeout: timeout)
            if case .unixDescriptor(let descriptor)? = reply?.first, read(descriptor, characteristic) { return }
        }
        do throws(DBusError) {
            _ = try await send(BlueZMessage(characteristic, interface, "StartNotify"), timeout: timeout)
        } catch {
            throw BlueZError(error)
        }
    }

    private func send(_ message: BlueZMessage, timeout: Duration) async throws(DBusError) -> [DBusValue] {
        try await connection.call(
            Self.name, path: message.path, interface: message.interface, member: message.member, message.arguments,
            timeout: timeout)
    }

    /// Reads notifications from a descriptor; false when that is not possible.
    private func read(_ descriptor: DBusDescriptor, _ characteristic: String) -> Bool {
        let reader = NotificationReader(descriptor, of: characteristic) { [continuation] in
            continuation.yield(.waiting($0))
        }
        guard let reader else { return false }
        readers.withLock { $0.append(reader) }
        return true
    }

    private static func event(of signal: DBusSignal) -> Event? {
        guard let first = signal.arguments.first?.text else { return nil }
        switch signal.member {
        case "InterfacesAdded":
            return .connection(.added(first, BlueZCache.interfaces(signal.arguments.last)))
        case "InterfacesRemoved":
            let names = signal.arguments.last?.elements?.compactMap(\.text) ?? []
            return .connection(.removed(first, names.compactMap(BlueZCache.Interface.init)))
        case "PropertiesChanged":
            guard let interface = BlueZCache.Interface(rawValue: first), signal.arguments.count == 3 else { return nil }
            if interface == .characteristic {
                return signal.arguments[1]["Value"]?.data.map { .notification(path: signal.path, $0) }
            }
            let invalidated = signal.arguments[2].elements?.compactMap(\.text) ?? []
            return .connection(
                .changed(signal.path, interface, BlueZCache.properties(signal.arguments[1]), invalidated: invalidated))
        default: return nil
        }
    }
}
