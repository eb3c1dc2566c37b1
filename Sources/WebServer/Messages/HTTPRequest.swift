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

    package init(method: HTTPMethod, target: RequestTarget, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }

    /// The path as it was sent, without the query.
    package var path: String { target.path }

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
