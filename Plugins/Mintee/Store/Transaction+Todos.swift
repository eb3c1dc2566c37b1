import CivilDate
package import MinteeDomain
import SQLite
package import Storage
package import Sync

/// Links between days and to-dos on servers.
extension Transaction {
    /// Returns the links of an account.
    package func todoLinks(of account: String) throws -> [TodoLink] {
        try rows("\(TodoLink.select) WHERE account = ? AND task IS NOT NULL", account) { TodoLink($0) }
            .compactMap(\.self)
    }

    /// Returns the link of a day.
    package func todoLink(of day: TaskDay, in account: String) throws -> TodoLink? {
        try row(
            "\(TodoLink.select) WHERE account = ? AND task = ? AND day = ? AND period = ?", account, day.taskID,
            day.date.description, day.isPeriod ? 1 : 0
        ) { TodoLink($0) } ?? nil
    }

    /// Returns the link of the to-do at a path.
    package func todoLink(at href: String, in account: String) throws -> TodoLink? {
        try row("\(TodoLink.select) WHERE account = ? AND href = ? AND task IS NOT NULL", account, href) {
            TodoLink($0)
        } ?? nil
    }

    /// Stores the link of a day, replacing the previous one.
    package func saveTodoLink(_ link: TodoLink, in account: String) throws {
        let day = link.day.date.description
        let isPeriod = link.day.isPeriod ? 1 : 0
        try run(
            "DELETE FROM mintee_todo WHERE account = ? AND task = ? AND day = ? AND period = ?", account,
            link.day.taskID, day, isPeriod)
        let values: [any Bindable] = [
            account, link.href, link.etag, link.day.taskID, day, link.ours?.completion, link.ours?.skipReason,
            link.ours?.note, link.theirs?.completion, link.theirs?.skipReason, link.theirs?.note, link.state,
            link.number, link.changedAt, link.sent, link.seen, link.unread,
            link.sending?.entry?.completion, link.sending?.entry?.skipReason, link.sending?.entry?.note,
            link.sending?.changedAt, isPeriod, link.completedAt,
        ]
        try run(
            """
            INSERT OR REPLACE INTO mintee_todo (account, href, tag, task, day, our_value, our_skip, our_note,
                their_value, their_skip, their_note, their_state, their_number, their_time, sent, seen, unread,
                sending_value, sending_skip, sending_note, sending_time, period, completed_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, arguments: values)
    }

    /// Stores the entry that is about to be sent to `href`, or with nil that none is.
    package func noteSending(_ sending: TodoLink.Sending?, to href: String, in account: String) throws {
        guard var link = try todoLink(at: href, in: account) else { return }
        link.sending = sending
        try saveTodoLink(link, in: account)
    }

    /// Deletes the link of the item at `href`.
    package func dropTodo(at href: String, in account: String) throws {
        try run("DELETE FROM mintee_todo WHERE account = ? AND href = ?", account, href)
    }

    /// Stores that the item is not a to-do of hub, so that it is not fetched again until its etag changes; an empty one
    /// until it can be fetched. The link of a day keeps the etag that was last read.
    package func holdTodo(_ entry: RemoteEntry, in account: String) throws {
        try run(
            """
            INSERT INTO mintee_todo (account, href, tag, sent, seen) VALUES (?, ?, ?, 0, 0)
            ON CONFLICT (account, href) DO UPDATE SET
                tag = CASE WHEN task IS NULL THEN excluded.tag ELSE tag END,
                unread = CASE WHEN task IS NULL THEN NULL ELSE excluded.tag END
            """, account, entry.href, entry.etag)
    }

    /// Returns the items that were read and do not belong to hub.
    package func heldTodos(of account: String) throws -> [RemoteEntry] {
        try rows("SELECT href, tag FROM mintee_todo WHERE account = ? AND task IS NULL", account) {
            RemoteEntry(href: $0.text(0), etag: $0.text(1))
        }
    }
}

extension TodoLink {
    fileprivate static let select = """
        SELECT task, day, href, tag, our_value, our_skip, our_note, their_value, their_skip, their_note, their_state,
            their_number, their_time, sent, seen, unread, sending_value, sending_skip, sending_note,
            sending_time, period, completed_at FROM mintee_todo
        """

    fileprivate init?(_ row: borrowing Row) {
        guard let date = CivilDate(row.text(1)) else { return nil }
        func entry(_ value: Double?, _ skip: String?, _ note: String?) -> Entry? {
            value.map { Entry(completion: $0, skipReason: skip, note: note) }
        }
        self.init(
            TaskDay(row.text(0), date, isPeriod: row.int(20) == 1), href: row.text(2), etag: row.text(3),
            ours: entry(row.optionalDouble(4), row.optionalText(5), row.optionalText(6)),
            theirs: entry(row.optionalDouble(7), row.optionalText(8), row.optionalText(9)),
            state: row.optionalText(10), number: row.optionalDouble(11),
            changedAt: row.optionalInt(12).map { Int64($0) }, sent: row.int(13), seen: row.int(14),
            unread: row.optionalText(15),
            sending: row.optionalInt(19).map {
                let sent = entry(row.optionalDouble(16), row.optionalText(17), row.optionalText(18))
                return TodoLink.Sending(sent, changedAt: Int64($0))
            }, completedAt: row.optionalInt(21).map { Int64($0) })
    }
}
