import SQLite

/// The calendars that devices have made for other programs, with their items as they were sent. The tables belong to the owner `core`,
/// and each change is recorded.
extension Transaction {
    /// Returns all calendars by their names.
    package func keptCalendars() throws -> [KeptCalendar] {
        let found = try rows("SELECT id, name, components FROM core_calendar ORDER BY name") { row in
            KeptCalendar(
                id: row.text(0), name: row.text(1), components: row.text(2).split(separator: " ").map(String.init))
        }
        return try found.map { calendar in
            var calendar = calendar
            let pairs = try rows("SELECT name, value FROM core_calendar_property WHERE calendar = ?", calendar.id) {
                ($0.text(0), $0.text(1))
            }
            calendar.properties = Dictionary(pairs) { $1 }
            return calendar
        }
    }

    /// Stores a new calendar; false if there is one of that name.
    package func insert(_ calendar: KeptCalendar) throws -> Bool {
        guard try row("SELECT 1 FROM core_calendar WHERE name = ?", calendar.name, body: { $0.int(0) }) == nil else {
            return false
        }
        try run(
            "INSERT INTO core_calendar (id, name, components, created_at) VALUES (?, ?, ?, ?)", calendar.id,
            calendar.name, calendar.components.joined(separator: " "), now.milliseconds)
        for (name, value) in calendar.properties { try setProperty(name, value, ofCalendar: calendar.id) }
        return true
    }

    /// Sets a property of a calendar, as XML; nil removes it.
    package func setProperty(_ name: String, _ value: String?, ofCalendar id: String) throws {
        if let value {
            try run(
                """
                INSERT INTO core_calendar_property (calendar, name, value) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET value = excluded.value
                """, id, name, value)
        } else {
            try run("DELETE FROM core_calendar_property WHERE calendar = ? AND name = ?", id, name)
        }
    }

    /// Removes a calendar with its items.
    package func removeKeptCalendar(_ id: String) throws {
        for item in try rows("SELECT id FROM core_calendar_item WHERE calendar = ?", id, body: { $0.text(0) }) {
            try removeKeptItem(item)
        }
        try run("DELETE FROM core_calendar_property WHERE calendar = ?", id)
        try run("DELETE FROM core_calendar WHERE id = ?", id)
    }

    /// Returns the item `name`, without its content unless it is needed.
    package func keptItem(_ name: String, in calendar: String, withContent: Bool = true) throws -> KeptItem? {
        try row(
            "\(KeptItem.select(withContent)) WHERE calendar = ? AND name = ?", calendar, name, body: KeptItem.init)
    }

    /// Returns the name of the item with a `UID`; nil if there is none.
    package func keptName(ofUID uid: String, in calendar: String) throws -> String? {
        try row("SELECT name FROM core_calendar_item WHERE calendar = ? AND uid = ?", calendar, uid) { $0.text(0) }
    }

    /// Returns at most `limit` items after a name without their content, by the bytes of their names.
    package func keptItems(in calendar: String, after name: String, limit: Int) throws -> [KeptItem] {
        try rows(
            "\(KeptItem.select(false)) WHERE calendar = ? AND name > ? ORDER BY name LIMIT ?", calendar, name, limit,
            body: KeptItem.init)
    }

    /// Returns the number of items.
    package func keptCount(in calendar: String) throws -> Int {
        try row("SELECT count(*) FROM core_calendar_item WHERE calendar = ?", calendar) { $0.int(0) } ?? 0
    }

    /// Stores an item in place of that with its id.
    package func save(_ item: KeptItem, content: [UInt8]) throws {
        try run(
            """
            INSERT INTO core_calendar_item (id, calendar, name, uid, content, etag, changed_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET uid = excluded.uid, content = excluded.content, etag = excluded.etag,
                changed_at = excluded.changed_at
            """, item.id, item.calendar, item.name, item.uid, content, item.etag, now.milliseconds)
        try renumberKeptItem(item.id)
    }

    /// Removes an item.
    package func removeKeptItem(_ id: String) throws {
        try run("DELETE FROM core_calendar_item WHERE id = ?", id)
        try renumberKeptItem(id)
    }

    /// Gives an item that has changed, or is gone, the next number of its calendar.
    package func renumberKeptItem(_ id: String) throws {
        let place = try row("SELECT calendar, name FROM core_calendar_item WHERE id = ?", id) {
            ($0.text(0), $0.text(1))
        }
        if let (calendar, name) = place {
            try run(
                """
                INSERT INTO core_calendar_change (calendar, name, item, number, is_gone) VALUES (?, ?, ?, ?, 0)
                ON CONFLICT DO UPDATE SET item = excluded.item, number = excluded.number, is_gone = 0
                """, calendar, name, id, try countKept(calendar))
            return
        }
        let former = try row("SELECT calendar, name FROM core_calendar_change WHERE item = ? AND is_gone = 0", id) {
            ($0.text(0), $0.text(1))
        }
        guard let (calendar, name) = former else { return }
        try run(
            "UPDATE core_calendar_change SET number = ?, is_gone = 1 WHERE calendar = ? AND name = ?",
            try countKept(calendar), calendar, name)
    }

    /// Returns at most `limit` changes of a calendar with numbers above `number` and up to `last`.
    package func keptChanges(
        in calendar: String, after number: Int, upTo last: Int, limit: Int
    ) throws -> [(number: Int, name: String, isGone: Bool)] {
        try rows(
            """
            SELECT number, name, is_gone FROM core_calendar_change
            WHERE calendar = ? AND number > ? AND number <= ? ORDER BY number LIMIT ?
            """, calendar, number, last, limit
        ) { ($0.int(0), $0.text(1), $0.bool(2)) }
    }
}

/// A calendar that a device has made.
package struct KeptCalendar: Hashable, Sendable {
    /// The id.
    package let id: String
    /// The last segment of its address.
    package let name: String
    /// The components that it takes.
    package let components: [String]
    /// What devices have set, as XML by names in the form `{namespace}name`.
    package var properties: [String: String] = [:]

    package init(id: String, name: String, components: [String]) {
        self.id = id
        self.name = name
        self.components = components
    }
}

/// An item of such a calendar.
package struct KeptItem: Hashable, Sendable {
    /// The id.
    package let id: String
    /// The id of the calendar.
    package let calendar: String
    /// The last segment of its address.
    package let name: String
    /// The `UID` of its components.
    package let uid: String
    /// The hash of the content.
    package let etag: String
    /// The length of the content.
    package var length = 0
    /// The time of the last change.
    package var changedAt = Instant(milliseconds: 0)
    /// The content, if it was asked for.
    package var content: [UInt8] = []

    package init(id: String, calendar: String, name: String, uid: String, etag: String) {
        self.id = id
        self.calendar = calendar
        self.name = name
        self.uid = uid
        self.etag = etag
    }

    fileprivate static func select(_ withContent: Bool) -> String {
        "SELECT id, calendar, name, uid, etag, length(content), changed_at, \(withContent ? "content" : "x''") "
            + "FROM core_calendar_item"
    }

    fileprivate init(_ row: borrowing Row) {
        self.init(id: row.text(0), calendar: row.text(1), name: row.text(2), uid: row.text(3), etag: row.text(4))
        length = row.int(5)
        changedAt = Instant(milliseconds: Int64(row.int(6)))
        content = row.blob(7)
    }
}
