/// Follows the objects of a service that implements `org.freedesktop.DBus.ObjectManager`, also over its restarts.
package struct DBusObjects: Sendable {
    /// The news of a service.
    package enum Event: Sendable {
        /// Objects or properties changed; at the beginning, and when the service starts, all of them are new.
        case changed([DBusObjectCache.Change])
        /// Another signal of the service.
        case signal(DBusSignal)
        /// The service is not there, and so has no objects.
        case gone
    }

    private let connection: DBusConnection
    private let service: String
    private let root: String

    /// Creates a follower of the well-known name `service`, whose object `root` tells of all others.
    package init(_ service: String, root: String = "/", over connection: DBusConnection) {
        self.connection = connection
        self.service = service
        self.root = root
    }

    /// Calls `body` with each event and the objects after it, in order, until it returns false.
    ///
    /// The first event is the state at the beginning. `timeout` is that of each call. Throws `disconnected` when the
    /// connection ends, and `overflow` if `body` is too slow for 1024 signals.
    package func follow(
        timeout: Duration = .seconds(25), _ body: (Event, DBusObjectCache) async throws -> Bool
    ) async throws {
        let rules = [DBusMatchRule(sender: service), DBusMatchRule.owner(of: service)]
        let signals = try await connection.signals(matching: rules, timeout: timeout)
        var cache = DBusObjectCache()
        // What came before the reply with all objects is in that reply.
        var start: UInt64?
        func load() async throws -> Event {
            cache = DBusObjectCache()
            guard let reply = try await objects(timeout) else {
                start = nil
                return .gone
            }
            start = reply.order
            return .changed(try cache.load(reply.values))
        }
        let first = try await load()
        guard try await body(first, cache) else { return }
        for try await signal in signals where signal.order > start ?? 0 {
            let event: Event
            if let owner = Self.owner(signal, of: service) {
                if owner.isEmpty, start == nil { continue }
                if owner.isEmpty {
                    // Not asked for its objects: the bus would start it again.
                    (event, start, cache) = (.gone, nil, DBusObjectCache())
                } else {
                    event = try await load()
                }
            } else if start == nil {
                continue
            } else if DBusObjectCache.concerns(signal) {
                let changes = cache.apply(signal)
                if changes.isEmpty { continue }
                event = .changed(changes)
            } else {
                event = .signal(signal)
            }
            guard try await body(event, cache) else { return }
        }
    }

    /// Returns all objects; nil if the service is not there, or goes before it has answered.
    private func objects(_ timeout: Duration) async throws(DBusError) -> DBusReply? {
        let call = DBusMethodCall(
            destination: service, path: root, interface: DBusObjectCache.manager, member: "GetManagedObjects")
        do throws(DBusError) {
            return try await connection.reply(to: call, timeout: timeout)
        } catch {
            if error.isServiceMissing || error.isServiceLost { return nil }
            throw error
        }
    }

    /// The new owner of `service`, empty for none, if `signal` says that it has changed.
    private static func owner(_ signal: DBusSignal, of service: String) -> String? {
        guard signal.sender == Bus.name, signal.member == Bus.nameOwnerChanged, signal.arguments.count == 3,
            signal.arguments[0].text == service
        else { return nil }
        return signal.arguments[2].text
    }
}

extension DBusError {
    /// Whether the called service went away before it answered.
    var isServiceLost: Bool { if case .remote("org.freedesktop.DBus.Error.NoReply", _) = self { true } else { false } }
}
