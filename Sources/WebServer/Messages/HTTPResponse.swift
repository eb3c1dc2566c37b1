/// An answer: status, header fields and a body.
package struct HTTPResponse: Sendable {
    /// The body of a response.
    package enum Body: Sendable {
        /// All bytes at once, with their length.
        case bytes([UInt8])
        /// Pieces of unknown number. The closure runs after the header fields are on their way; when it returns, the
        /// body is complete, and when it throws, the connection is cut. It is cancelled when the client goes away.
        case stream(@Sendable (borrowing BodyWriter) async throws -> Void)
        /// A stream that has no end of its own, such as server-sent events; a stopping server ends it at once.
        case endless(@Sendable (borrowing BodyWriter) async throws -> Void)
        /// No body: the connection becomes a WebSocket that the closure serves. See
        /// ``HTTPResponse/webSocket(for:subprotocols:limits:serve:)``.
        case webSocket(WebSocketLimits, @Sendable (WebSocketChannel) async -> Void)
    }

    /// The status code (RFC 9110 §15), 200 to 599.
    package var status: Int
    /// The header fields; lengths, dates and framing are added by the server.
    package var headers: HTTPHeaders
    /// The body.
    package var body: Body
    /// The number of bytes of a streamed body when it is known; the connection is cut if there are fewer.
    package var streamLength: Int?
    /// Whether the request has authenticated the client: its connection is not dropped in favour of others.
    package var isToKnownClient = false

    package init(status: Int = 200, headers: HTTPHeaders = [:], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A text with its media type, such as `text/html; charset=utf-8`.
    package static func text(
        _ text: String, status: Int = 200, type: String = "text/plain; charset=utf-8"
    ) -> HTTPResponse {
        HTTPResponse(status: status, headers: ["Content-Type": type], body: .bytes(Array(text.utf8)))
    }

    /// Sends the client to `location`. With 303 it asks there with GET (RFC 9110 §15.4.4).
    package static func redirect(to location: String, status: Int = 303) -> HTTPResponse {
        HTTPResponse(status: status, headers: ["Location": location])
    }
}

extension HTTPResponse {
    /// Whether a response with this status has a body at all (RFC 9110 §6.4.1).
    var mayHaveBody: Bool { status >= 200 && status != 204 && status != 304 }
}
