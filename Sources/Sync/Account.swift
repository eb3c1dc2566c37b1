/// A server, folder, device or service with data of the user, such as address books, calendars or recordings.
package struct Account: Hashable, Sendable {
    /// The address of the account.
    package enum Address: Hashable, Sendable {
        /// A server by its URL, or by a bare host name.
        case server(String)
        /// A server by an e-mail address, whose domain says where it is (RFC 6764).
        case mail(String)
        /// A folder of items or of folders with items (vdir), by its absolute path.
        case folder(String)
        /// A device or service by an identifier that its kind of account defines.
        case identifier(String)
    }

    /// The name chosen by the user.
    package let name: String
    /// The address of the account.
    package let address: Address
    /// The user at the server; nil where it wants none.
    package let user: String?
    /// The interval of background syncs.
    package let every: Duration
    /// The names of the collections to sync; empty for all.
    package let collections: [String]
    /// The trust in its server.
    package var trust: Trust

    /// The way a server's identity is verified.
    package enum Trust: Hashable, Sendable {
        /// A certificate for its name from an authority that the system knows.
        case system
        /// A certificate for its name from an authority in this file.
        case authorities(file: String)
        /// The certificate with this fingerprint, and nothing else about it.
        case certificate(CertificateFingerprint)
    }

    package init(
        name: String, address: Address, user: String? = nil, every: Duration = .seconds(900),
        collections: [String] = [],
        trust: Trust = .system
    ) {
        self.name = name
        self.address = address
        self.user = user
        self.every = every
        self.collections = collections
        self.trust = trust
    }

    /// Whether it is a server; it follows from the address.
    package var isServer: Bool {
        switch address {
        case .server, .mail: true
        case .folder, .identifier: false
        }
    }

    /// The address as it is written in the config file.
    package var place: String {
        switch address {
        case .server(let text), .mail(let text), .folder(let text), .identifier(let text): text
        }
    }

    /// Whether the collection of this name is to be synced.
    package func wants(_ collection: String) -> Bool { collections.isEmpty || collections.contains(collection) }

    /// Whether an account can have this name: letters, digits, `-` and `_`, as used in selectors and file names.
    package static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 60 && text != "here" && text != "all"
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
                default: false
                }
            } && !text.hasPrefix("-")
    }
}

extension Account.Address {
    /// Whether it is a folder.
    package var isFolder: Bool { if case .folder = self { true } else { false } }

    /// The server that a password of this account is for: scheme, host and port, the domain of an e-mail address, whose
    /// servers are found by DNS, or the identifier. Nil for a folder.
    package var origin: String? {
        switch self {
        case .folder: return nil
        case .identifier(let text): return "id:" + text
        case .mail(let mail):
            return "domain:" + mail[(mail.lastIndex(of: "@") ?? mail.startIndex)...].dropFirst().lowercased()
        case .server(let text):
            let isPlain = text.lowercased().hasPrefix("http://")
            let authority = text[(text.firstRange(of: "://")?.upperBound ?? text.startIndex)...].prefix {
                !"/?#".contains($0)
            }
            let place = authority[
                (authority.lastIndex(of: "@").map(authority.index(after:)) ?? authority.startIndex)...]
            let hostEnd =
                place.lastIndex(of: "]").map(place.index(after:)) ?? place.firstIndex(of: ":") ?? place.endIndex
            let port = Int(place[hostEnd...].dropFirst()) ?? (isPlain ? 80 : 443)
            return (isPlain ? "http://" : "https://") + place[..<hostEnd].lowercased() + ":\(port)"
        }
    }

    /// Parses `text`: an absolute path is a folder, a URL or a host a server, and text with an `@` an e-mail address.
    /// Nil when it is none of them.
    package init?(_ text: String) {
        let hasBlank = text.contains { $0.isWhitespace || $0.isNewline }
        if text.hasPrefix("/") {
            self = .folder(text)
        } else if hasBlank || text.isEmpty {
            return nil
        } else if let end = text.firstRange(of: "://") {
            let scheme = text[..<end.lowerBound].lowercased()
            let authority = text[end.upperBound...].prefix { !"/?#".contains($0) }
            guard scheme == "https" || scheme == "http", Account.Address.isAuthority(authority) else { return nil }
            self = .server(text)
        } else if let at = text.firstIndex(of: "@") {
            guard at != text.startIndex, !text[..<at].contains(":"),
                Account.Address.isHost(text[text.index(after: at)...])
            else { return nil }
            self = .mail(text)
        } else {
            let host = text.prefix { $0 != "/" && $0 != ":" }
            guard Account.Address.isHost(host) else { return nil }
            self = .server("https://" + text)
        }
    }

    /// A host with or without a port and a user, but no password: it would be kept and shown.
    private static func isAuthority(_ text: Substring) -> Bool {
        let place = text[(text.lastIndex(of: "@").map(text.index(after:)) ?? text.startIndex)...]
        let user = text[..<place.startIndex]
        let port = place.lastIndex(of: "]").map { place[place.index(after: $0)...] } ?? place.drop { $0 != ":" }
        return !place.isEmpty && !user.contains(":") && port.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
    }

    private static func isHost(_ text: Substring) -> Bool {
        (text.contains(".") || text == "localhost") && !text.hasPrefix(".") && !text.hasSuffix(".")
            && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" }
    }
}
