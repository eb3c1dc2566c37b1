import CDBus

extension ConnectionLoop {
    /// Passes a message to the task that waits for it, and releases it.
    func receive(_ message: OpaquePointer) {
        received += 1
        switch cdbus_message_kind(message) {
        case CDBUS_METHOD_RETURN:
            reply(to: message, .success(DBusReply(values: MessageReader.arguments(of: message), order: received)))
        case CDBUS_ERROR:
            let text = MessageReader.arguments(of: message).first?.text ?? ""
            let name = string(cdbus_message_error_name(message))
            reply(to: message, .failure(.remote(name: name, message: text)))
        case CDBUS_SIGNAL:
            route(message)
        case CDBUS_METHOD_CALL:
            // Kept until the handler has answered.
            if serveCall(message) { return }
        default:
            break
        }
        cdbus_release(message)
    }

    private func reply(to message: OpaquePointer, _ result: Result<DBusReply, DBusError>) {
        pending.answered(serial: cdbus_message_reply_serial(message))?.resume(returning: result)
    }

    private func route(_ message: OpaquePointer) {
        var signal = DBusSignal(
            sender: string(cdbus_message_sender(message)), path: string(cdbus_message_path(message)),
            interface: string(cdbus_message_interface(message)), member: string(cdbus_message_member(message)),
            arguments: MessageReader.arguments(of: message))
        signal.order = received
        // libdbus makes this one up itself; a bus passes none on whose sender is missing.
        if signal.sender.isEmpty, signal.interface == "org.freedesktop.DBus.Local" {
            isConnected = false
            return
        }
        for id in router.receivers(of: signal) {
            guard case .dropped? = streams[id]?.yield(signal) else { continue }
            streams[id]?.finish(throwing: DBusError.overflow)
            unsubscribe(id)
        }
    }

    /// Starts the handler of the called object; whether `message` is kept for its answer.
    private func serveCall(_ message: OpaquePointer) -> Bool {
        let call = DBusMethodCall(
            sender: string(cdbus_message_sender(message)), path: string(cdbus_message_path(message)),
            interface: string(cdbus_message_interface(message)), member: string(cdbus_message_member(message)),
            arguments: MessageReader.arguments(of: message))
        if call.interface == "org.freedesktop.DBus.Peer", call.member == "Ping" {
            answer(message, with: [])
            return false
        }
        guard let handler = objects[call.path] else {
            refuse(message, BusError.unknownObject, "no object \(call.path)")
            return false
        }
        guard incoming.count < ConnectionLoop.maximumIncoming else {
            refuse(message, BusError.limitsExceeded, "too many unanswered calls")
            return false
        }
        incomingCount += 1
        let id = incomingCount
        incoming[id] = message
        let queue = queue
        Task {
            do throws(DBusError) {
                queue.send(.answer(id: id, .success(try await handler(call))))
            } catch {
                queue.send(.answer(id: id, .failure(error)))
            }
        }
        return true
    }

    private func string(_ text: UnsafePointer<CChar>?) -> String { text.map { String(cString: $0) } ?? "" }
}
