import DBus

/// An error of the keyring.
enum SecretServiceError: Error, Equatable {
    case bus(DBusError)
    /// The person did not unlock it.
    case stayedLocked
    /// The keyring has no collection for new entries.
    case noCollection
    /// The answer to this call is not what the API says.
    case malformed(String)
}

extension SecretServiceError: CustomStringConvertible {
    var description: String {
        switch self {
        case .bus(let error) where error.isServiceMissing: "no keyring service is running"
        case .bus(let error): error.description
        case .stayedLocked: "the keyring is still locked"
        case .noCollection: "the keyring has no default collection"
        case .malformed(let call): "unexpected response of the keyring to \(call)"
        }
    }
}
