import SQLite

extension Transaction {
    /// Returns the number of events from before `moment` that are delivered to all subscribers.
    func countPrunable(before moment: Instant, keepingFor subscribers: [Subscriber]) throws -> Int {
        let (condition, arguments) = try prunable(before: moment, keepingFor: subscribers)
        return try row("SELECT count(*) FROM core_event WHERE \(condition)", arguments: arguments) { $0.int(0) } ?? 0
    }

    /// Deletes up to `limit` of them, oldest first, and answers how many it deleted.
    func prune(before moment: Instant, keepingFor subscribers: [Subscriber], limit: Int) throws -> Int {
        let (condition, arguments) = try prunable(before: moment, keepingFor: subscribers)
        return try run(
            """
            DELETE FROM core_event WHERE seq IN
                (SELECT seq FROM core_event WHERE \(condition) ORDER BY seq LIMIT ?)
            """, arguments: arguments + [limit])
    }

    /// Matches old events that are before the cursor of each subscriber that wants them. A subscriber that never ran
    /// does not count yet, unless it begins with the oldest event.
    private func prunable(
        before moment: Instant, keepingFor subscribers: [Subscriber]
    ) throws -> (condition: String, arguments: [any Bindable]) {
        var condition = "at < ?"
        var arguments: [any Bindable] = [moment.milliseconds]
        for subscriber in subscribers {
            let cursor = try cursor(of: subscriber.id)
            guard let sequence = cursor?.sequence ?? (subscriber.start == .beginning ? 0 : nil) else { continue }
            condition += " AND (seq <= ? OR NOT (\(Transaction.topicTest(subscriber.patterns))))"
            arguments += [sequence] + subscriber.patterns.map(\.text)
        }
        // The topics of an absent subscriber are not known, so all events that it may have missed are kept.
        for absent in try absentCursors(except: subscribers) {
            condition += " AND seq <= ?"
            arguments.append(absent.sequence)
        }
        return (condition, arguments)
    }
}
