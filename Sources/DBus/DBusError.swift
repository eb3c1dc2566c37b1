/// An error of a D-Bus operation.
package enum DBusError: Error, Hashable, Sendable {
    /// libdbus-1 could not be loaded; the loader's text.
    case libraryMissing(String)
    /// No bus is known or none answers at its address; the reason.
    case noBus(String)
    /// No answer came in time.
    case timedOut
    /// The connection ended: by the bus, or by `close`.
    case disconnected
    /// The task that waited was cancelled.
    case cancelled
    /// The message violates a rule of the specification, which is given.
    case invalid(String)
    /// The other side answered with an error.
    case remote(name: String, message: String)
    /// Signals came faster than they were read, and at least one is lost.
    case overflow
}

extension DBusError {
    /// Whether the called service has no owner and the bus cannot start it.
    package var isServiceMissing: Bool {
        guard case .remote(let name, _) = self else { return false }
        return DBusError.missingServiceNames.contains(name)
    }

    private static let missingServiceNames: Set<String> = [
        "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
        "org.freedesktop.DBus.Error.Spawn.ServiceNotFound",
    ]
}

extension DBusError: CustomStringConvertible {
    /// A message that can be part of a sentence, without a full stop.
    package var description: String {
        switch self {
        case .libraryMissing(let reason): "libdbus cannot be loaded: \(reason)"
        case .noBus(let reason): "no message bus: \(reason)"
        case .timedOut: "the call timed out"
        case .disconnected: "the connection to the message bus was closed"
        case .cancelled: "cancelled"
        case .invalid(let rule): "not a valid message: \(rule)"
        case .remote(let name, let message): message.isEmpty ? name : "\(message) (\(name))"
        case .overflow: "signals came faster than they were read"
        }
    }
}
