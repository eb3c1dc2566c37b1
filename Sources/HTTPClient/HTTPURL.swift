/// The address of something on an HTTP server: an `http` or `https` URL in normal form, without user and fragment.
///
/// Host and scheme are in small letters, dot segments are resolved, and whatever a path may not hold is percent-encoded
/// (RFC 3986 §6). Escapes that came stay as they came.
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
        self.host = asciiLowercased(host)
        self.port = port ?? scheme.defaultPort
        self.path = HTTPURL.normalized(path)
        self.query = query.map { PercentEncoding.mended($0) }
    }

    /// An absolute URL. Nil for any other scheme, without a host, with an impossible port, or with a user name: a secret
    /// does not belong into an address.
    package init?(_ text: some StringProtocol) {
        guard let colon = text.firstIndex(of: ":"), let scheme = Scheme(rawValue: asciiLowercased(text[..<colon])),
            case let rest = text[text.index(after: colon)...], rest.hasPrefix("//")
        else { return nil }
        self.init(scheme, authorityAndPath: rest.dropFirst(2))
    }

    private init?(_ scheme: Scheme, authorityAndPath text: some StringProtocol) {
        let authority = text.prefix { !"/?#".contains($0) }
        guard let (host, port) = HTTPURL.hostAndPort(String(authority)) else { return nil }
        let (path, query) = HTTPURL.pathAndQuery(String(text.dropFirst(authority.count)))
        self.init(scheme: scheme, host: host, port: port, path: path, query: query)
    }

    /// Resolves `reference` against this URL (RFC 3986 §5.2); nil when the result is not an HTTP URL.
    package func resolving(_ reference: String) -> HTTPURL? {
        if HTTPURL.hasScheme(reference) { return HTTPURL(reference) }
        if reference.hasPrefix("//") { return HTTPURL(scheme, authorityAndPath: reference.dropFirst(2)) }
        var url = self
        let (path, query) = HTTPURL.pathAndQuery(reference)
        if path.isEmpty {
            url.query = query.map { PercentEncoding.mended($0) } ?? self.query
            return url
        }
        url.query = query.map { PercentEncoding.mended($0) }
        let base = self.path[...(self.path.lastIndex(of: "/") ?? self.path.startIndex)]
        url.path = HTTPURL.normalized(path.hasPrefix("/") ? path : base + path)
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
        let head = text.prefix { !":/?#".contains($0) }
        return !head.isEmpty && text.dropFirst(head.count).first == ":" && head.utf8.first.map(isLetter) == true
            && head.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || Array("+-.".utf8).contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    private static func hostAndPort(_ authority: String) -> (host: String, port: Int?)? {
        let bytes = authority.utf8
        guard !bytes.contains(UInt8(ascii: "@")), bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
        let hostEnd: String.Index
        if authority.hasPrefix("[") {
            guard let bracket = authority.firstIndex(of: "]") else { return nil }
            hostEnd = authority.index(after: bracket)
        } else {
            hostEnd = authority.firstIndex(of: ":") ?? authority.endIndex
        }
        let host = authority[..<hostEnd]
        guard !host.isEmpty, !host.contains(where: { "\\\"<>^`{|}%".contains($0) }) else { return nil }
        let rest = authority[hostEnd...]
        if rest.isEmpty || rest == ":" { return (String(host), nil) }
        let digits = rest.dropFirst()
        guard rest.first == ":", digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(digits),
            (1...65535).contains(port)
        else { return nil }
        return (String(host), port)
    }

    private static func pathAndQuery(_ text: String) -> (path: String, query: String?) {
        let whole = text.prefix { $0 != "#" }
        guard let mark = whole.firstIndex(of: "?") else { return (String(whole), nil) }
        return (String(whole[..<mark]), String(whole[whole.index(after: mark)...]))
    }

    /// An absolute path without dot segments (RFC 3986 §5.2.4) and illegal characters.
    private static func normalized(_ path: String) -> String {
        var kept: [Substring] = []
        let parts = PercentEncoding.mended(path.hasPrefix("/") ? path : "/" + path)
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
