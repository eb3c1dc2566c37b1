/// One event of an event stream (WHATWG HTML §9.2).
package struct ServerSentEvent: Hashable, Sendable {
    /// The name under which a page listens; without it, `message`.
    package var event: String?
    /// The text, of one or more lines.
    package var data: String
    /// The value that a browser sends back as `Last-Event-ID` when it reconnects.
    package var id: String?

    package init(event: String? = nil, data: String, id: String? = nil) {
        self.event = event
        self.data = data
        self.id = id
    }

    /// The lines on the wire. A line break in `event` or `id` would begin another field, so it is left out.
    package var bytes: [UInt8] {
        var text = ""
        if let event { text += "event: \(event.filter { !isLineBreak($0) })\n" }
        if let id { text += "id: \(id.filter { !isLineBreak($0) })\n" }
        for line in data.split(omittingEmptySubsequences: false, whereSeparator: isLineBreak) {
            text += "data: \(line)\n"
        }
        return Array((text + "\n").utf8)
    }
}

/// Whether the character ends a line there; other line separators of Unicode are text.
private func isLineBreak(_ character: Character) -> Bool {
    character == "\n" || character == "\r" || character == "\r\n"
}

extension HTTPResponse {
    /// Sends `events` one by one as they come, until the client goes away or the server stops.
    ///
    /// A browser connects again by itself; it waits `retry` first.
    package static func events<Events: AsyncSequence & Sendable>(
        _ events: Events, retry: Duration = .seconds(2)
    ) -> HTTPResponse where Events.Element == ServerSentEvent {
        .events(retry: retry) { send in
            for try await event in events { try await send(event) }
        }
    }

    /// Sends the events that `produce` makes, likewise.
    package static func events(
        retry: Duration = .seconds(2),
        _ produce: @escaping @Sendable (_ send: (ServerSentEvent) async throws -> Void) async throws -> Void
    ) -> HTTPResponse {
        let headers: HTTPHeaders = ["Content-Type": "text/event-stream", "Cache-Control": "no-store"]
        let hello = Array("retry: \(retry.components.seconds * 1000)\n\n".utf8)
        let body = Body.endless { writer in
            try await writer.write(hello)
            try await produce { event in try await writer.write(event.bytes) }
        }
        return HTTPResponse(headers: headers, body: body)
    }
}
