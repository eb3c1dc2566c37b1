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

    /// The entry of an account that ``description`` makes this text of; nil for any other text.
    package init?(account text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[1] == "for", !words[2].isEmpty else { return nil }
        let names = words[0].split(separator: "/", omittingEmptySubsequences: false)
        guard names.count == 2, names.allSatisfy({ !$0.isEmpty }) else { return nil }
        self = .account(plugin: String(names[0]), name: String(names[1]), origin: String(words[2]))
    }
}
