import WebSocket

extension HTTPResponse {
    /// The response that opens a WebSocket (RFC 6455 §4.2.2) and serves it with `serve`; when that returns, it is closed. A request
    /// without a proper handshake is refused with 400 or 426.
    package static func webSocket(
        for request: HTTPRequest, subprotocols: [String] = [], limits: WebSocketLimits = WebSocketLimits(),
        serve: @escaping @Sendable (WebSocketChannel) async -> Void
    ) -> HTTPResponse {
        do throws(WebSocketHandshake.Failure) {
            guard request.method == .get else { throw .notUpgrade }
            let fields = WebSocketHandshake.Headers(request.headers.fields.map { (name: $0.name, value: $0.value) })
            let (headers, _) = try WebSocketHandshake.accept(fields, subprotocols: subprotocols)
            var response = HTTPResponse(status: 101, body: .webSocket(limits, serve))
            // The library writes the field Connection itself.
            for (name, value) in headers where name != "Connection" { response.headers.append(name, value) }
            return response
        } catch {
            return refusal(error)
        }
    }

    private static func refusal(_ failure: WebSocketHandshake.Failure) -> HTTPResponse {
        switch failure {
        case .notUpgrade:
            var response = plain(426, "This address serves WebSockets.")
            response.headers["Upgrade"] = "websocket"
            return response
        case .unsupportedVersion:
            var response = plain(426, "This server speaks version 13 of the WebSocket protocol.")
            response.headers["Sec-WebSocket-Version"] = "13"
            return response
        case .invalidHeader(let name): return plain(400, "The header field \(name) is missing or invalid.")
        case .status: return plain(400, "The request does not open a WebSocket.")
        }
    }
}
