import SQLite

extension Database {
    /// The maximum clock change between two checks that is still considered plausible.
    private static let largestStep = Duration.seconds(14 * 86_400)

    /// The time to use for computing the age of items before old ones are deleted; nil while the clock is not trusted
    /// to decide that an item is older than `age`.
    ///
    /// A clock that jumps ahead, in a machine without a battery or before the network has set it, makes everything look old.
    /// So nothing is old until `age` has passed since the first look and since the clock was last seen to jump, and never by
    /// the clock alone: no later than the newest operation. What was made before the first look may bear any date, but it
    /// is as old as that look by then. Ask from time to time, for the looks are compared.
    package func trustedNow(forAge age: Duration) async throws -> Instant? {
        try await write { store in
            WriteResult(value: try store.trustedNow(forAge: age, step: Self.largestStep), topics: [])
        }
    }
}

extension StoreConnection {
    private static let seenKey = "clock-seen"
    private static let jumpKey = "clock-jumped"

    fileprivate func trustedNow(forAge age: Duration, step: Duration) throws -> Instant? {
        let now = clock.now
        let seen = try instant(Self.seenKey)
        try set(Self.seenKey, now)
        guard let seen, now >= seen, now - seen <= step else {
            try set(Self.jumpKey, now)
            return nil
        }
        if let jump = try instant(Self.jumpKey), now - jump < age { return nil }
        let newest = try connection.row("SELECT at FROM core_operation ORDER BY seq DESC LIMIT 1") {
            Instant(milliseconds: Int64($0.int(0)))
        }
        return newest.map { min($0, now) } ?? now
    }

    private func instant(_ key: String) throws -> Instant? {
        try connection.row("SELECT value FROM core_setting WHERE name = ?", key) { Int64($0.text(0)) }?
            .map { Instant(milliseconds: $0) }
    }

    private func set(_ key: String, _ instant: Instant) throws {
        try connection.run(
            "INSERT INTO core_setting VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", key,
            String(instant.milliseconds))
    }
}
