/// A request with its whole body.
package struct HTTPRequest: Sendable {
    /// The request method.
    package var method: HTTPMethod
    /// The request target.
    package var target: RequestTarget
    /// The header fields.
    package var headers: HTTPHeaders
    /// The body; its size is bounded by ``ServerLimits``.
    package var body: [UInt8]
    /// The body as a file if it was too large for the memory; then ``body`` is empty. See ``BodySpool``.
    package var bodyFile: SpooledBody?
    /// The numeric IP address of the client; empty when it is not known.
    package var peer = ""
    /// The number of the connection that it came over; nil when it came over none.
    package var connection: UInt64?

    package init(method: HTTPMethod, target: RequestTarget, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }

    /// The path as it was sent, without the query.
    package var path: String { target.path }

    /// Whether all of it is at hand and takes little time to read.
    var isSmall: Bool { body.count <= Self.smallBody && bodyFile == nil }

    private static let smallBody = 4096

    /// Whether the client asks for a WebSocket (RFC 6455 §4.2.1), with a proper handshake or not.
    package var asksForWebSocket: Bool {
        method == .get
            && headers.values("Upgrade").contains { field in
                field.split(separator: ",").contains { $0.filter { $0 != " " }.equalsIgnoringASCIICase("websocket") }
            }
    }

    /// The value of the first query item called `name`.
    package func query(_ name: String) -> String? {
        target.query.first { $0.name == name }?.value
    }

    /// The value of the first cookie called `name` (RFC 6265 §5.4).
    package func cookie(_ name: String) -> String? {
        for header in headers.values("Cookie") {
            for pair in header.utf8.split(separator: UInt8(ascii: ";")) {
                let pair = pair.drop { $0 == UInt8(ascii: " ") }
                guard let equals = pair.firstIndex(of: UInt8(ascii: "=")), pair[..<equals].elementsEqual(name.utf8)
                else { continue }
                return String(Substring(pair[equals...].dropFirst()))
            }
        }
        return nil
    }

    /// The media type of the body in lower case, without parameters; empty when it is not said.
    package var mediaType: String {
        let type = headers["Content-Type"]?.split(separator: ";", omittingEmptySubsequences: false).first ?? ""
        return String(type.filter { $0 != " " && $0 != "\t" }).lowercased()
    }

    /// Whether the `Accept` field names `mediaType` itself, as browsers do for `text/html`.
    package func accepts(_ mediaType: String) -> Bool {
        headers.values("Accept").contains { field in
            field.split(separator: ",").contains { item in
                let type = item.split(separator: ";").first ?? ""
                return type.filter { $0 != " " }.equalsIgnoringASCIICase(mediaType)
            }
        }
    }
}

/// The target of a request in origin form: a path and a query (RFC 9112 §3.2.1), both decoded.
package struct RequestTarget: Hashable, Sendable {
    /// One `name=value` of the query.
    package struct QueryItem: Hashable, Sendable {
        /// The part before the first `=`.
        package let name: String
        /// The part after it.
        package let value: String
    }

    /// The target as it was sent.
    package let text: String
    /// The path as it was sent, without the query.
    package let path: String
    /// The parts between the slashes. They are decoded one by one, so a part may hold an encoded slash.
    package let segments: [String]
    /// The query in order; an item without `=` has an empty value.
    package let query: [QueryItem]

    /// Parses `text`; nil when it is not in origin form, an escape is invalid, or it is not UTF-8.
    ///
    /// It is split by bytes: a combining character after a separator forms one `Character` with it.
    package init?(_ text: String) {
        self.text = text
        guard text.utf8.first == UInt8(ascii: "/") else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        path = String(Substring(parts[0]))
        var segments: [String] = []
        for part in parts[0].dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let segment = PercentEncoding.decode(Substring(part)) else { return nil }
            segments.append(segment)
        }
        self.segments = parts[0].count == 1 ? [] : segments
        var query: [QueryItem] = []
        for part in parts.count == 2 ? parts[1].split(separator: UInt8(ascii: "&")) : [] {
            let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(Substring(pair[0]), plusIsSpace: true),
                let value = PercentEncoding.decode(pair.count == 2 ? Substring(pair[1]) : "", plusIsSpace: true)
            else { return nil }
            query.append(QueryItem(name: name, value: value))
        }
        self.query = query
    }
}
