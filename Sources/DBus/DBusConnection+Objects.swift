extension DBusConnection {
    /// Offers an object at `path`: its calls go to `handler`, each in a task of its own.
    ///
    /// At most 64 calls are served at a time; more are refused. `org.freedesktop.DBus.Peer.Ping` is answered for it.
    package func export(_ path: String, handler: @escaping DBusHandler) {
        queue.send(.export(path: path, handler))
    }

    /// Withdraws the object at `path`.
    package func withdraw(_ path: String) { queue.send(.export(path: path, nil)) }

    /// Asks the bus for the well-known name `name`; whether this connection owns it now.
    package func requestName(_ name: String, timeout: Duration = .seconds(5)) async throws(DBusError) -> Bool {
        let doNotQueue: UInt32 = 4
        let reply = try await callBus("RequestName", [.string(name), .uint32(doNotQueue)], timeout: timeout)
        let (primaryOwner, alreadyOwner) = (1, 4)
        return reply.first?.integer == primaryOwner || reply.first?.integer == alreadyOwner
    }
}
