/// An entry of the keyring. Each kind has a name space of its own, so that none replaces, reads or removes another.
package enum KeyringEntry: Hashable, Sendable {
    /// A secret under a name chosen by the user, as `hub secrets set NAME` stores it.
    case named(String)
    /// The password of the account `name` of a plugin for one server, and for no other.
    case account(plugin: String, name: String, origin: String)
    /// A password that an older hub kept under the account's name alone. It is read and removed, never written.
    case old(String)
}

extension KeyringEntry: CustomStringConvertible {
    /// The entry as messages name it.
    package var description: String {
        switch self {
        case .named(let name), .old(let name): name
        case .account(let plugin, let name, let origin): "\(plugin)/\(name) for \(origin)"
        }
    }
}
