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
    /// Whether the response still holds: while it does, a request that is the same to the last byte, from the same machine, may
    /// get it without its handler. It is called on the thread of the connections. Nil for a response that is sent once.
    package var holds: (@Sendable () -> Bool)?
    /// Returns when the client may get nothing more, such as after a logout: a body that is still being sent is cut then, an
    /// endless one ends, and a WebSocket is closed with the code 1008. It is cancelled when the response is over.
    package var untilRevoked: (@Sendable () async -> Void)?
    /// Called once the response has been sent, or cannot be sent.
    package var onEnd: (@Sendable () -> Void)?

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

/// Takes the bytes of a streamed body. Only one task writes, so it cannot be copied or captured.
package struct BodyWriter: ~Copyable {
    let exchange: Exchange

    /// Sends `bytes`, waiting while the client is slower than the writer.
    ///
    /// Throws `CancellationError` when the client has gone away or the server stops.
    package func write(_ bytes: [UInt8]) async throws {
        while true {
            try Task.checkCancellation()
            switch exchange.offer(bytes) {
            case .accepted: return
            case .gone: throw CancellationError()
            case .full: await exchange.room()
            }
        }
    }
}

/// A cookie that only this server reads: not scripts (`HttpOnly`), and not on the way from other sites
/// (`SameSite=Strict`) (RFC 6265bis §4.1).
package struct SetCookie: Sendable {
    /// The cookie's name, a token of RFC 9110.
    package var name: String
    /// The cookie's value, in letters, digits and `-._~`.
    package var value: String
    /// Seconds until it goes; zero removes it.
    package var maxAge: Int
    /// Whether it is sent over TLS only.
    package var isSecure: Bool

    package init(name: String, value: String, maxAge: Int, isSecure: Bool = false) {
        self.name = name
        self.value = value
        self.maxAge = maxAge
        self.isSecure = isSecure
    }

    /// The value of the `Set-Cookie` field.
    package var field: String {
        "\(name)=\(value); Path=/; Max-Age=\(maxAge); HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "")
    }
}
