/// An error of the Bluetooth service, by what it means for a client.
package enum BlueZError: Error, Hashable, Sendable {
    /// The adapter is off.
    case notReady
    /// Another call is under way; it can be repeated.
    case inProgress
    case alreadyConnected, notConnected
    /// Exists already: an agent, a registration, a bond.
    case alreadyExists
    case doesNotExist
    case notSupported
    /// The call needs a paired device, or rights that the caller lacks.
    case notPermitted
    case authenticationFailed, authenticationCanceled, authenticationRejected, authenticationTimeout
    /// The service did not answer.
    case noReply
    /// The object is gone.
    case unknownObject
    /// The service is not running.
    case serviceMissing
    /// An error with an ATT code or another reason in its text.
    case failed(String)

    /// The error of a D-Bus name, such as `org.bluez.Error.NotReady`, and its text.
    package init(name: String, message: String) {
        switch name {
        case "org.bluez.Error.NotReady": self = .notReady
        case "org.bluez.Error.InProgress": self = .inProgress
        case "org.bluez.Error.AlreadyConnected": self = .alreadyConnected
        case "org.bluez.Error.NotConnected": self = .notConnected
        case "org.bluez.Error.AlreadyExists": self = .alreadyExists
        case "org.bluez.Error.DoesNotExist": self = .doesNotExist
        case "org.bluez.Error.NotSupported": self = .notSupported
        case "org.bluez.Error.NotPermitted", "org.bluez.Error.NotAuthorized", "org.freedesktop.DBus.Error.AccessDenied":
            self = .notPermitted
        case "org.bluez.Error.AuthenticationFailed": self = .authenticationFailed
        case "org.bluez.Error.AuthenticationCanceled": self = .authenticationCanceled
        case "org.bluez.Error.AuthenticationRejected": self = .authenticationRejected
        case "org.bluez.Error.AuthenticationTimeout": self = .authenticationTimeout
        case "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Timeout": self = .noReply
        case "org.freedesktop.DBus.Error.UnknownObject", "org.freedesktop.DBus.Error.UnknownMethod",
            "org.freedesktop.DBus.Error.UnknownInterface":
            self = .unknownObject
        case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner":
            self = .serviceMissing
        default: self = message.lowercased() == "not connected" ? .notConnected : .failed(message)
        }
    }

    /// The error as the file transfer engine understands it.
    package var linkError: FTSLinkError {
        switch self {
        case .notConnected, .unknownObject, .serviceMissing, .notReady, .doesNotExist: .notConnected
        case .inProgress: .busy
        case .notPermitted, .authenticationFailed, .authenticationCanceled, .authenticationRejected,
            .authenticationTimeout:
            .notAuthorized
        case .noReply: .other("no reply")
        case .alreadyConnected, .alreadyExists, .notSupported: .other("not supported")
        case .failed(let reason): .other(reason)
        }
    }
}

extension BlueZError: CustomStringConvertible {
    /// A message that can be part of a sentence, without a full stop.
    package var description: String {
        switch self {
        case .notReady: "the Bluetooth adapter is off"
        case .inProgress: "another request is under way"
        case .alreadyConnected: "it is connected already"
        case .notConnected: "it is not connected"
        case .alreadyExists: "it exists already"
        case .doesNotExist: "it does not exist"
        case .notSupported: "it is not supported"
        case .notPermitted: "it is not permitted"
        case .authenticationFailed: "the authentication failed"
        case .authenticationCanceled: "the authentication was cancelled"
        case .authenticationRejected: "the authentication was rejected"
        case .authenticationTimeout: "the authentication took too long"
        case .noReply: "the Bluetooth service did not answer"
        case .unknownObject: "it is no longer there"
        case .serviceMissing: "the Bluetooth service is not running"
        case .failed(let reason): reason.isEmpty ? "the Bluetooth service gave no reason" : reason
        }
    }
}
