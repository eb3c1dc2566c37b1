package import HTTPTypes

/// A request of a device that has been authenticated.
package struct DAVRequest: Sendable {
    /// The method.
    package var method: String
    /// The path as sent.
    package var path: String
    /// The header fields.
    package var headers: HTTPHeaders
    /// The body, if it is in memory.
    package var body: [UInt8]
    /// The body as a file, and its size, if it is too large for the memory.
    package var bodyFile: (path: String, size: Int)?
    /// The values of `Host` by which the server is called; empty for any.
    package var hosts: Set<String> = []

    package init(_ method: String, _ path: String, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
    }
}

extension DAVRequest {
    /// The values of `Depth` that have a meaning.
    enum Depth { case zero, one, infinity }

    /// The depth; nil when it is not given.
    var depth: Depth? {
        switch headers["Depth"]?.filter({ $0 != " " }).lowercasedASCII {
        case "0": .zero
        case "1": .one
        case nil: nil
        default: .infinity
        }
    }

    /// Whether properties that do not exist are left out (RFC 8144; `Brief` of Exchange).
    var isMinimal: Bool {
        headers["Brief"]?.lowercasedASCII == "t" || prefers("return=minimal")
    }

    /// Whether `Prefer` has a preference (RFC 7240).
    func prefers(_ preference: String) -> Bool {
        headers.values("Prefer").contains { field in
            field.split(separator: ",").contains { $0.filter { $0 != " " && $0 != "\"" }.lowercasedASCII == preference }
        }
    }

    /// The family of the program: the first product of `User-Agent` without its version, or the last one after that of browsers.
    package var program: String {
        let agent = headers["User-Agent"] ?? ""
        var product = agent.split(separator: "/").first ?? ""
        if product == "Mozilla", let last = agent.split(separator: " ").last?.split(separator: "/").first {
            product = last
        }
        return String(
            product.unicodeScalars.prefix(64).filter { $0.value >= 0x20 && $0.value != 0x7F }.map(Character.init))
    }

    /// The path in `Destination`. Throws 400 where there is none, and 502 for one on another server.
    func destination() throws(DAVFailure) -> DAVPath {
        guard let field = headers["Destination"], let target = DAVPath(field), !field.utf8.contains(UInt8(ascii: "#"))
        else { throw DAVFailure(400) }
        if let host = Self.host(of: field), !hosts.isEmpty, !hosts.contains(host) { throw DAVFailure(502) }
        return target
    }

    private static func host(of url: String) -> String? {
        guard let start = url.firstRange(of: "://")?.upperBound else { return nil }
        let authority = url[start...].prefix { $0 != "/" }
        return (authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority).lowercased()
    }

    /// Whether the program is Thunderbird.
    var isThunderbird: Bool {
        headers["User-Agent"]?.utf8.split(separator: UInt8(ascii: " ")).contains {
            $0.starts(with: "Thunderbird/".utf8)
        } ?? false
    }

    /// The version of cards that `Accept` asks for (RFC 6352 §5.1), the first that there is; nil for none.
    var cardVersion: String? {
        for part in headers.values("Accept").flatMap({ $0.split(separator: ",") }) {
            let words = part.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\"" }.lowercasedASCII }
            guard words.first == "text/vcard" else { continue }
            for version in ["3.0", "4.0"] where words.contains("version=" + version) { return version }
        }
        return nil
    }

    /// The media type of the body without parameters, in lower case; empty when it is not given.
    var mediaType: String {
        let type = headers["Content-Type"]?.split(separator: ";", omittingEmptySubsequences: false).first ?? ""
        return type.filter { $0 != " " && $0 != "\t" }.lowercasedASCII
    }

    /// The etags of a field in their quotes, which are left out; nil for `*`. Weak ones never match and are left out.
    static func etags(_ fields: [String]) -> [String]? {
        let items = fields.flatMap { (field: String) -> [Substring] in field.split(separator: ",") }
            .map { (item: Substring) -> String in item.filter { $0 != " " && $0 != "\t" } }
        if items.contains("*") { return nil }
        return items.compactMap { item in
            guard item.utf8.count >= 2, item.first == "\"", item.last == "\"" else { return nil }
            return String(item.dropFirst().dropLast())
        }
    }
}

/// The answer.
package struct DAVResponse: Sendable {
    /// Sends a piece of a body, waiting while the client is slower.
    package typealias Writer = ([UInt8]) async throws -> Void

    /// The body.
    package enum Body: Sendable {
        case bytes([UInt8])
        case stream(@Sendable (Writer) async throws -> Void)
    }

    /// The status code.
    package var status: Int
    /// The header fields.
    package var headers: HTTPHeaders
    /// The body.
    package var body: Body
    /// The number of bytes of a body that is streamed, if it is known.
    package var length: Int?

    package init(_ status: Int, headers: HTTPHeaders = [:], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// A refusal of a request.
struct DAVFailure: Error {
    /// The status code.
    let status: Int
    /// The element of the precondition that is broken; empty for none.
    var element = ""
    /// Further header fields.
    var headers: HTTPHeaders = [:]

    init(_ status: Int, _ element: String = "", headers: HTTPHeaders = [:]) {
        self.status = status
        self.element = element
        self.headers = headers
    }

    /// A device that may not do something to the resource at `path`.
    static func privilege(_ privilege: String, at path: String) -> DAVFailure {
        DAVFailure(
            403,
            "<d:need-privileges><d:resource>\(DAVMarkup.href(path))<d:privilege><d:\(privilege)/></d:privilege>"
                + "</d:resource></d:need-privileges>")
    }

    /// The answer for the client.
    var response: DAVResponse {
        var headers = headers
        guard !element.isEmpty else { return DAVResponse(status, headers: headers) }
        headers["Content-Type"] = DAVMarkup.mediaType
        return DAVResponse(status, headers: headers, body: .bytes(DAVMarkup.error(element)))
    }
}
