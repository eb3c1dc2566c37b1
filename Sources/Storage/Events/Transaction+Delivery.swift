import SQLite

extension Transaction {
    /// Returns the position of the subscriber; nil when it has never run.
    func cursor(of subscriber: String) throws -> DeliveryCursor? {
        try row("SELECT seq, attempts, retry_at, error FROM core_cursor WHERE subscriber = ?", subscriber) { row in
            DeliveryCursor(
                sequence: Int64(row.int(0)), attempts: row.int(1),
                retryAt: row.optionalInt(2).map { Instant(milliseconds: Int64($0)) }, error: row.optionalText(3))
        }
    }

    /// Stores how far the subscriber has come. A cursor never goes back.
    func save(_ cursor: DeliveryCursor, of subscriber: String) throws {
        try run(
            """
            INSERT INTO core_cursor (subscriber, seq, attempts, retry_at, error) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (subscriber) DO UPDATE
            SET seq = excluded.seq, attempts = excluded.attempts, retry_at = excluded.retry_at, error = excluded.error
            WHERE excluded.seq >= seq
            """,
            subscriber, cursor.sequence, cursor.attempts, cursor.retryAt?.milliseconds, cursor.error)
    }

    /// Whether there is something to be done now for a subscriber that has run before.
    func hasPending(_ subscriber: Subscriber, at now: Instant) throws -> Bool {
        guard let cursor = try cursor(of: subscriber.id) else { return false }
        if let retryAt = cursor.retryAt, subscriber.retry.isDue(retryAt, at: now) == false { return false }
        if try hasEvent(after: cursor.sequence, matching: subscriber.patterns) { return true }
        return try row("SELECT 1 FROM core_dead_event WHERE retrying = 1 AND subscriber = ? LIMIT 1", subscriber.id) {
            $0.int(0)
        } != nil
    }

    /// The cursors of subscribers that are none of `subscribers`, and since when that has been known.
    func absentCursors(except subscribers: [Subscriber]) throws -> [(id: String, sequence: Int64, since: Instant?)] {
        let known = Set(subscribers.map(\.id))
        return try rows("SELECT subscriber, seq, absent_since FROM core_cursor") { row in
            (
                id: row.text(0), sequence: Int64(row.int(1)),
                since: row.optionalInt(2).map { Instant(milliseconds: Int64($0)) }
            )
        }.filter { !known.contains($0.id) }
    }

    /// Notes since when the subscriber has been absent; nil says that it is back.
    func markAbsent(_ subscriber: String, since: Instant?) throws {
        try run("UPDATE core_cursor SET absent_since = ? WHERE subscriber = ?", since?.milliseconds, subscriber)
    }

    /// Forgets how far the subscriber has come: should it return, it begins with what is new.
    func forgetCursor(of subscriber: String) throws {
        try run("DELETE FROM core_cursor WHERE subscriber = ?", subscriber)
    }

    /// Keeps an event that the subscriber failed at, with the reason.
    func moveToDeadLetters(_ stored: StoredEvent, error: String, by subscriber: String, at now: Instant) throws {
        let event = stored.event
        try run(
            """
            INSERT INTO core_dead_event (id, subscriber, dead_at, error, retrying,
                seq, at, topic, version, subject, operation, unique_key, body)
            VALUES (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (subscriber, seq) DO UPDATE SET dead_at = excluded.dead_at, error = excluded.error, retrying = 0
            """,
            Identifier.make(), subscriber, now.milliseconds, error, stored.sequence, stored.at.milliseconds,
            event.topic.text, event.version, event.subject, stored.operation, event.uniqueKey, event.body)
    }

    /// Returns the dead letters, oldest first: all of them, or those of `subscriber`.
    package func deadEvents(of subscriber: String? = nil, limit: Int = 1000) throws -> [DeadLetter] {
        try dead("(?1 IS NULL OR subscriber = ?1) ORDER BY dead_at, seq LIMIT ?2", [subscriber, limit])
    }

    /// Returns the dead letters that the user wants `subscriber` to retry, in the order of the events.
    func retryingEvents(of subscriber: String, limit: Int) throws -> [DeadLetter] {
        try dead("retrying = 1 AND subscriber = ? ORDER BY seq LIMIT ?", [subscriber, limit])
    }

    /// Asks for one more try of a dead letter; the next delivery makes it. Answers whether there is such an event.
    package func retryDeadLetter(_ id: String) throws -> Bool {
        try run("UPDATE core_dead_event SET retrying = 1 WHERE id = ?", id) > 0
    }

    /// Forgets a dead letter. Answers whether there was one.
    package func deleteDeadLetter(_ id: String) throws -> Bool {
        try run("DELETE FROM core_dead_event WHERE id = ?", id) > 0
    }

    private func dead(_ condition: String, _ arguments: [any Bindable]) throws -> [DeadLetter] {
        try rows(
            """
            SELECT id, subscriber, dead_at, error, retrying,
                seq, at, topic, version, subject, operation, unique_key, body
            FROM core_dead_event WHERE \(condition)
            """, arguments: arguments
        ) { row in
            DeadLetter(
                id: row.text(0), subscriber: row.text(1), at: Instant(milliseconds: Int64(row.int(2))),
                error: row.text(3), isRetrying: row.bool(4), event: try Transaction.event(row, from: 5))
        }
    }
}
