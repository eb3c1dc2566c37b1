import CDBus

extension ConnectionLoop {
    /// Sends `call` and records the task that waits for its reply.
    func send(_ call: DBusMethodCall, id: UInt64, deadline: ContinuousClock.Instant, reply: CallReply) {
        do {
            let message = try message(for: call)
            defer { cdbus_release(message) }
            try MessageWriter.append(call.arguments, to: message)
            pending.add(serial: try queue(message), id: id, deadline: deadline, reply: reply)
        } catch {
            reply.resume(returning: .failure(error))
        }
    }

    /// Sends `signal` to every connection that subscribed to it.
    func emit(_ signal: DBusSignal) throws(DBusError) -> DBusReply {
        try check(signal.path, cdbus_is_path, "object path")
        try check(signal.interface, cdbus_is_interface, "interface")
        try check(signal.member, cdbus_is_member, "member")
        guard let message = cdbus_new_signal(signal.path, signal.interface, signal.member) else { throw .noMemory }
        defer { cdbus_release(message) }
        try MessageWriter.append(signal.arguments, to: message)
        _ = try queue(message)
        return DBusReply(order: received)
    }

    /// Ends a subscription; the bus need not answer to that.
    func unsubscribe(_ id: UInt64) {
        streams[id] = nil
        for rule in router.remove(id) {
            removeMatch(rule)
            if let name = rule.followedName { removeMatch(.owner(of: name)) }
        }
    }

    /// Answers the call `id` of an exported object.
    func answer(_ id: UInt64, _ result: Result<[DBusValue], DBusError>) {
        guard let call = incoming.removeValue(forKey: id) else { return }
        defer { cdbus_release(call) }
        switch result {
        case .success(let values): answer(call, with: values)
        case .failure(.remote(let name, let message)): refuse(call, name, message)
        case .failure(let error): refuse(call, BusError.failed, error.description)
        }
    }

    /// Answers `call` with `values`.
    func answer(_ call: OpaquePointer, with values: [DBusValue]) {
        guard !cdbus_message_no_reply(call), let message = cdbus_new_method_return(call) else { return }
        defer { cdbus_release(message) }
        do {
            try MessageWriter.append(values, to: message)
            _ = try queue(message)
        } catch {
            refuse(call, BusError.failed, error.description)
        }
    }

    /// Answers `call` with the error `name`.
    func refuse(_ call: OpaquePointer, _ name: String, _ text: String) {
        let isSound = cdbus_is_error_name(name) && !text.utf8.contains(0)
        let name = isSound ? name : BusError.failed
        guard !cdbus_message_no_reply(call), let message = cdbus_new_error(call, name, isSound ? text : "") else {
            return
        }
        defer { cdbus_release(message) }
        _ = try? queue(message)
    }

    private func removeMatch(_ rule: DBusMatchRule) {
        let call = DBusMethodCall(
            destination: Bus.name, path: Bus.path, interface: Bus.name, member: "RemoveMatch",
            arguments: [.string(rule.text)])
        guard let message = try? message(for: call) else { return }
        defer { cdbus_release(message) }
        guard (try? MessageWriter.append(call.arguments, to: message)) != nil else { return }
        _ = try? queue(message)
    }

    private func message(for call: DBusMethodCall) throws(DBusError) -> OpaquePointer {
        try check(call.destination, cdbus_is_bus_name, "bus name")
        try check(call.path, cdbus_is_path, "object path")
        try check(call.interface, cdbus_is_interface, "interface")
        try check(call.member, cdbus_is_member, "member")
        guard let message = cdbus_new_method_call(call.destination, call.path, call.interface, call.member) else {
            throw .noMemory
        }
        return message
    }

    private func check(
        _ text: String, _ isValid: (UnsafePointer<CChar>) -> Bool, _ kind: String
    ) throws(DBusError) {
        guard !text.utf8.contains(0), text.withCString(isValid) else {
            throw .invalid("“\(text)” is not a valid \(kind)")
        }
    }

    private func queue(_ message: OpaquePointer) throws(DBusError) -> UInt32 {
        var serial: UInt32 = 0
        guard cdbus_send(connection, message, &serial) else { throw .noMemory }
        return serial
    }
}

/// The errors of the specification that are answered to callers of exported objects.
enum BusError {
    static let failed = "org.freedesktop.DBus.Error.Failed"
    static let limitsExceeded = "org.freedesktop.DBus.Error.LimitsExceeded"
    static let unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
}
