/// The address of something on an HTTP server: an `http` or `https` URL in normal form, without user and fragment.
///
/// Host and scheme are in small letters, dot segments are resolved, and whatever a path may not hold is percent-encoded
/// (RFC 3986 §6). Escapes that came stay as they came.
///
/// libcurl's URL parser is not used: it takes addresses that are refused here, and resolves some references to another
/// resource than RFC 3986 does (docs/decisions/0026).
package struct HTTPURL: Hashable, Sendable {
    /// The URL schemes that the client supports.
    package enum Scheme: String, Hashable, Sendable {
        case http, https

        /// The port that need not be written.
        package var defaultPort: Int { self == .http ? 80 : 443 }
    }

    /// The scheme in effect, which decides about TLS.
    package var scheme: Scheme
    /// The host's name or address; IPv6 addresses are in brackets.
    package var host: String
    /// The TCP port; the scheme's default when the URL names none.
    package var port: Int
    /// The path in its encoded form; begins with a slash.
    package var path: String
    /// The part after the question mark, in its encoded form.
    package var query: String?

    /// Creates a URL from its parts; `path` and `query` must already be percent-encoded.
    package init(scheme: Scheme = .https, host: String, port: Int? = nil, path: String = "/", query: String? = nil) {
        self.scheme = scheme
        self.host = host.lowercasedASCII
        self.port = port ?? scheme.defaultPort
        self.path = HTTPURL.normalized(path)
        self.query = query.map { PercentEncoding.repaired($0) }
    }

    /// An absolute URL. Nil for any other scheme, without a host, with an impossible port, or with a user name: a secret
    /// does not belong into an address.
    ///
    /// It is cut by bytes: a combining character after a separator is one `Character` with it.
    package init?(_ text: some StringProtocol) {
        let text = Substring(text)
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
            let scheme = Scheme(rawValue: text[..<colon].lowercasedASCII),
            case let rest = text.utf8[colon...], rest.starts(with: "://".utf8)
        else { return nil }
        self.init(scheme, authorityAndPath: Substring(rest.dropFirst(3)))
    }

    private init?(_ scheme: Scheme, authorityAndPath text: Substring) {
        let end = text.utf8.firstIndex { "/?#".utf8.contains($0) } ?? text.endIndex
        guard let (host, port) = HTTPURL.hostAndPort(String(text[..<end])) else { return nil }
        let (path, query) = HTTPURL.pathAndQuery(String(text[end...]))
        self.init(scheme: scheme, host: host, port: port, path: path, query: query)
    }

    /// Resolves `reference` against this URL (RFC 3986 §5.2); nil when the result is not an HTTP URL.
    package func resolving(_ reference: String) -> HTTPURL? {
        if HTTPURL.hasScheme(reference) { return HTTPURL(reference) }
        if reference.utf8.starts(with: "//".utf8) {
            return HTTPURL(scheme, authorityAndPath: Substring(reference.utf8.dropFirst(2)))
        }
        var url = self
        let (path, query) = HTTPURL.pathAndQuery(reference)
        if path.isEmpty {
            url.query = query.map { PercentEncoding.repaired($0) } ?? self.query
            return url
        }
        url.query = query.map { PercentEncoding.repaired($0) }
        let base = self.path[...(self.path.lastIndex(of: "/") ?? self.path.startIndex)]
        url.path = HTTPURL.normalized(path.utf8.first == UInt8(ascii: "/") ? path : base + path)
        return url
    }
}

extension HTTPURL {
    /// Whether both are served by the same scheme, host and port.
    package func hasSameOrigin(as other: HTTPURL) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    /// The path with every escape in one form, for comparison: equal paths name the same resource. An encoded slash
    /// stays different from a slash. ASCII only.
    package var comparablePath: String { PercentEncoding.canonical(path) }

    private static func hasScheme(_ text: String) -> Bool {
        let head = text.utf8.prefix { !":/?#".utf8.contains($0) }
        return text.utf8[head.endIndex...].first == UInt8(ascii: ":") && head.first.map(isLetter) == true
            && head.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    private static func hostAndPort(_ authority: String) -> (host: String, port: Int?)? {
        let bytes = authority.utf8
        guard !bytes.contains(UInt8(ascii: "@")), bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
        let hostEnd: String.Index
        if bytes.first == UInt8(ascii: "[") {
            guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            hostEnd = bytes.index(after: bracket)
        } else {
            hostEnd = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
        }
        let host = bytes[..<hostEnd]
        guard !host.isEmpty, !host.contains(where: { "\\\"<>^`{|}%".utf8.contains($0) }) else { return nil }
        let port = bytes[hostEnd...]
        guard let colon = port.first else { return (authority, nil) }
        guard colon == UInt8(ascii: ":") else { return nil }
        let name = String(Substring(host))
        if port.count == 1 { return (name, nil) }
        let digits = port.dropFirst()
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(Substring(digits)),
            (1...65535).contains(number)
        else { return nil }
        return (name, number)
    }

    private static func pathAndQuery(_ text: String) -> (path: String, query: String?) {
        let whole = text.utf8.prefix { $0 != UInt8(ascii: "#") }
        let parts = whole.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        return (String(Substring(parts[0])), parts.count == 2 ? String(Substring(parts[1])) : nil)
    }

    /// An absolute path without dot segments (RFC 3986 §5.2.4) and illegal characters.
    private static func normalized(_ path: String) -> String {
        var kept: [Substring] = []
        let parts = PercentEncoding.repaired(path.utf8.first == UInt8(ascii: "/") ? path : "/" + path)
            .split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            switch part {
            case ".": if isLast { kept.append("") }
            case "..":
                _ = kept.popLast()
                if isLast { kept.append("") }
            default: kept.append(part)
            }
        }
        return "/" + kept.joined(separator: "/")
    }
}

extension HTTPURL: CustomStringConvertible {
    /// The URL as it is sent and shown.
    package var description: String {
        let place = port == scheme.defaultPort ? host : "\(host):\(port)"
        return "\(scheme.rawValue)://\(place)\(path)" + (query.map { "?\($0)" } ?? "")
    }
}
