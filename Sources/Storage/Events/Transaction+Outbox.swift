import SQLite

extension Transaction {
    /// Keeps `event` in the outbox with the transaction; when its unique key is there already, nothing happens.
    /// Throws when the topic is not kept (`gate`, `ui`), the operation is not waited for, or the body is too large or no
    /// JSON object.
    /// - Returns: whether the event is new.
    @discardableResult
    package func emit(_ event: Event) throws -> Bool {
        guard event.topic.layer == .domain || event.topic.layer == .app else {
            throw HubError(
                .invalid, code: "event-not-durable", "\(event.topic) belongs to a layer whose events are not stored",
                hint: "use a topic of the layer app: app.user/\(event.topic.entity)")
        }
        guard operation?.kind != .fetched else {
            throw HubError(
                .internal, code: "event-not-durable", "\(event.topic) would not wait for the disk",
                hint: "write it in an operation of the kind cache")
        }
        guard event.body.utf8.count <= Event.maximumBody else {
            throw HubError(
                .invalid, code: "event-too-large",
                "the body of \(event.topic) has \(event.body.utf8.count) bytes; \(Event.maximumBody) is the limit")
        }
        guard case .object? = try? event.fields() else {
            throw HubError(.invalid, code: "invalid-event-body", "the body of \(event.topic) is not a JSON object")
        }
        let isNew = try asCore {
            try run(
                """
                INSERT INTO core_event (at, topic, version, subject, operation, unique_key, body)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (topic, unique_key) WHERE unique_key IS NOT NULL DO NOTHING
                """,
                now.milliseconds, event.topic.text, event.version, event.subject, operation?.id, event.uniqueKey,
                event.body) > 0
        }
        if isNew { afterCommit(event.topic) }
        return isNew
    }

    private static let columns = "seq, at, topic, version, subject, operation, unique_key, body"

    /// Up to `limit` events after the number `sequence` that match, in order, and the number up to which all events
    /// were looked at.
    func events(
        after sequence: Int64, matching patterns: [TopicPattern], limit: Int
    ) throws -> (events: [StoredEvent], position: Int64) {
        let last = try latestEvent()
        guard last > sequence else { return ([], last) }
        let events = try rows(
            """
            SELECT \(Transaction.columns) FROM core_event
            WHERE seq > ? AND (\(Transaction.topicTest(patterns))) ORDER BY seq LIMIT ?
            """, arguments: [sequence] + patterns.map(\.text) + [limit], body: Transaction.event)
        return (events, events.count == limit ? events.last?.sequence ?? last : last)
    }

    /// The newest events that match, oldest first.
    package func recentEvents(
        matching patterns: [TopicPattern], since: Instant?, limit: Int
    ) throws -> [StoredEvent] {
        try rows(
            """
            SELECT \(Transaction.columns) FROM core_event
            WHERE at >= ? AND (\(Transaction.topicTest(patterns))) ORDER BY seq DESC LIMIT ?
            """, arguments: [since?.milliseconds ?? 0] + patterns.map(\.text) + [limit], body: Transaction.event
        ).reversed()
    }

    /// The number of the newest event that is kept; 0 when there is none.
    package func latestEvent() throws -> Int64 {
        try row("SELECT max(seq) FROM core_event") { Int64($0.int(0)) } ?? 0
    }

    /// The number of the newest event from before `moment`; 0 when there is none.
    package func latestEvent(before moment: Instant) throws -> Int64 {
        try row("SELECT seq FROM core_event WHERE at < ? ORDER BY seq DESC LIMIT 1", moment.milliseconds) {
            Int64($0.int(0))
        } ?? 0
    }

    /// Returns the number of matching events after the number `sequence`.
    func countEvents(after sequence: Int64, matching patterns: [TopicPattern]) throws -> Int {
        try row(
            "SELECT count(*) FROM core_event WHERE seq > ? AND (\(Transaction.topicTest(patterns)))",
            arguments: [sequence] + patterns.map(\.text)
        ) { $0.int(0) } ?? 0
    }

    /// Whether an event after the number `sequence` matches.
    func hasEvent(after sequence: Int64, matching patterns: [TopicPattern]) throws -> Bool {
        try row(
            "SELECT 1 FROM core_event WHERE seq > ? AND (\(Transaction.topicTest(patterns))) LIMIT 1",
            arguments: [sequence] + patterns.map(\.text)
        ) { $0.int(0) } != nil
    }

    static func topicTest(_ patterns: [TopicPattern]) -> String {
        patterns.isEmpty ? "0" : patterns.map { _ in "topic GLOB ?" }.joined(separator: " OR ")
    }

    static func event(_ row: borrowing Row) throws -> StoredEvent { try event(row, from: 0) }

    /// The event whose columns begin at `first`.
    static func event(_ row: borrowing Row, from first: Int) throws -> StoredEvent {
        guard let topic = Topic(row.text(first + 2)) else {
            throw HubError(
                .internal, code: "event-topic", "event \(row.int(first)) has the topic \(row.text(first + 2))")
        }
        let event = Event(
            topic, version: row.int(first + 3), subject: row.text(first + 4), uniqueKey: row.optionalText(first + 6),
            body: row.text(first + 7))
        return StoredEvent(
            sequence: Int64(row.int(first)), at: Instant(milliseconds: Int64(row.int(first + 1))),
            operation: row.optionalText(first + 5), event: event)
    }
}
