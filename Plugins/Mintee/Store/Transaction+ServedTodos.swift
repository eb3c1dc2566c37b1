import CivilDate
import Hashing
package import MinteeDomain
import SQLite
package import Storage
package import Sync

/// The to-dos as devices see them: by names that never change, with a number for each change.
extension Transaction {
    /// Notes that the to-dos of a task have to be written again, before the next device sees them. Nothing is noted before the first
    /// device asks for tasks.
    func noteServedChange(of id: String) throws {
        guard try row("SELECT 1 FROM mintee_served_window", body: { _ in true }) ?? false else { return }
        try run("INSERT OR IGNORE INTO mintee_served_stale (task) VALUES (?)", id)
    }

    /// Notes that tasks were moved to the trash, or out of it.
    package func noteServedChanges(of ids: [String]) throws {
        for id in ids { try noteServedChange(of: id) }
    }

    /// Whether the to-dos are those of the days of `window` and of the tasks as they are.
    package func isServedCurrent(_ window: SyncWindow) throws -> Bool {
        let isStale = try row("SELECT EXISTS (SELECT 1 FROM mintee_served_stale)") { $0.bool(0) } ?? false
        return try !isStale && servedWindow() == window
    }

    /// Writes the to-dos of what was changed, and all when other days are shown.
    package func settleServed(_ window: SyncWindow) throws {
        let known = try servedWindow()
        var ids = try rows("SELECT task FROM mintee_served_stale ORDER BY task") { $0.text(0) }
        if known != window {
            if known?.today != window.today {
                try run("UPDATE mintee_served SET gone = 1 WHERE gone = 2")
                // Their names stay, so that devices hear of it.
                try run(
                    "UPDATE mintee_served SET content = NULL, etag = '' WHERE gone = 1 AND period = 0 AND day < ?",
                    window.filled.lowerBound.description)
            }
            ids = try rows(
                "SELECT id FROM mintee_task UNION SELECT id FROM mintee_device_todo UNION SELECT task FROM mintee_served"
            ) { $0.text(0) }
        }
        for id in ids { try settleServed(id, window) }
        try run("DELETE FROM mintee_served_stale")
        guard known != window else { return }
        try run("DELETE FROM mintee_served_window")
        try run(
            """
            INSERT INTO mintee_served_window (today, back, ahead, filled_back, week_start) VALUES (?, ?, ?, ?, ?)
            """, window.today.description, window.back, window.ahead, window.filledBack, window.weekStart.rawValue)
    }

    private func servedWindow() throws -> SyncWindow? {
        try row("SELECT today, back, ahead, filled_back, week_start FROM mintee_served_window") { row -> SyncWindow? in
            guard let today = CivilDate(row.text(0)), let weekStart = Weekday(rawValue: row.int(4)) else { return nil }
            return SyncWindow(
                today: today, back: row.int(1), ahead: row.int(2), filledBack: row.int(3), weekStart: weekStart)
        } ?? nil
    }

    /// Writes the to-dos of one task, or one to-do of a device.
    private func settleServed(_ id: String, _ window: SyncWindow) throws {
        let known = try servedTodos(of: id, window)
        let record = try task(id)
        let isLive = record.map { $0.deletedAt == nil } ?? false
        var shown: Set<String> = []
        let own = known.first { $0.day == nil }
        if let own, let record, isLive, let date = record.draft.onlyDate, let content = own.content,
            case .day(let day)? = try syncedTodo(TaskDay(id, date), window, account: "")
        {
            // A person's own to-do keeps its form and address.
            let bytes = (try? DeviceTodo.applying(day.todo, to: content)) ?? content
            try show(own, bytes, fingerprint: 0, changedAt: day.todo.changedAt)
            shown.insert(own.name)
        } else if record == nil, let todo = try deviceTodo(id) {
            let row = try own ?? newServedTodo(freeServedName("\(id).ics"), id, uid: DeviceTodo.uid(of: todo.content))
            try show(row, todo.content, fingerprint: 0, changedAt: todo.changedAt)
            shown.insert(row.name)
        } else if let record, isLive {
            let rows = Dictionary(known.compactMap { row in row.day.map { ($0, row) } }) { first, _ in first }
            for todo in try shownTodos(of: record, window) {
                let row =
                    try rows[todo.key]
                    ?? newServedTodo(freeServedName(todo.key.servedName), id, uid: todo.key.uid, todo.key)
                try show(row, todo)
                shown.insert(row.name)
            }
        }
        for row in known where row.gone != .gone && row.gone != .removed && !shown.contains(row.name) {
            try run(
                "UPDATE mintee_served SET gone = 1, number = ? WHERE name = ?", try lastServedNumber() + 1, row.name)
        }
    }

    private func show(_ row: ServedTodo, _ todo: SyncedTodo) throws {
        let fingerprint: Int
        switch todo {
        case .day(let day): fingerprint = day.todo.fingerprint
        case .period(let period): fingerprint = period.todo?.fingerprint ?? 0
        }
        // What a device removed comes back when it changes.
        if row.fingerprint == fingerprint, row.gone != .gone { return }
        switch todo {
        case .day(let day):
            let bytes = row.content.flatMap { try? day.todo.applied(to: $0) } ?? day.todo.text
            try show(row, bytes, fingerprint: fingerprint, changedAt: day.todo.changedAt)
        case .period(let period):
            guard let todo = period.todo else { return }
            let bytes = row.content.flatMap { try? todo.applied(to: $0) } ?? todo.text
            try show(row, bytes, fingerprint: fingerprint, changedAt: todo.changedAt)
        }
    }

    private func show(_ row: ServedTodo, _ content: [UInt8], fingerprint: Int, changedAt: Int64) throws {
        let etag = try SHA256.hexadecimal(content, prefix: 16)
        let isNew = row.etag != etag || row.gone != .shown
        if !isNew, row.fingerprint == fingerprint, row.content == content { return }
        let last = try lastServedNumber()
        // One that was never shown has its number already.
        let isFirst = row.etag.isEmpty && row.number == last
        try run(
            """
            UPDATE mintee_served SET number = ?, etag = ?, fingerprint = ?, changed_at = ?, gone = 0, content = ?
            WHERE name = ?
            """, isNew && !isFirst ? last + 1 : row.number, etag, fingerprint, max(changedAt, 0), content, row.name)
    }

    /// Adds the name of a to-do, which is shown next. Another that had it is gone for good.
    @discardableResult
    package func newServedTodo(
        _ name: String, _ task: String, uid: String, _ day: TaskDay? = nil, content: [UInt8]? = nil
    ) throws -> ServedTodo {
        let number = try lastServedNumber() + 1
        try run(
            """
            INSERT OR REPLACE INTO mintee_served (name, number, task, day, period, uid, etag, fingerprint, changed_at,
                gone, content)
            VALUES (?, ?, ?, ?, ?, ?, '', 0, 0, 1, ?)
            """, name, number, task, day?.date.description, day?.isPeriod ?? false, uid, content)
        return ServedTodo(
            name: name, number: number, task: task, day: day, uid: uid, etag: "", fingerprint: 0, changedAt: 0,
            gone: .gone, content: content)
    }

    /// A name that no other to-do has or had.
    private func freeServedName(_ name: String) throws -> String {
        var name = name
        while try servedTodo(name) != nil { name = "hub-" + name }
        return name
    }

    /// Stores the lines of a to-do as a device sent it; what hub manages in it is written next.
    package func setServedContent(_ content: [UInt8], of name: String, task: String) throws {
        try run(
            """
            UPDATE mintee_served SET content = ?, task = ?, fingerprint = -1, gone = min(gone, 1) WHERE name = ?
            """, content, task, name)
        try noteServedChange(of: task)
    }

    /// Stores the content of a to-do as it is shown, with a new number.
    package func setServedRendition(_ content: [UInt8], of name: String) throws {
        try run(
            "UPDATE mintee_served SET content = ?, etag = ?, number = ? WHERE name = ?", content,
            try SHA256.hexadecimal(content, prefix: 16), try lastServedNumber() + 1, name)
    }

    /// Stops showing a to-do until it changes or another day begins.
    package func removeServedTodo(_ name: String) throws {
        try run("UPDATE mintee_served SET gone = 2, number = ? WHERE name = ?", try lastServedNumber() + 1, name)
    }

    /// Gives a name a new number without any other change.
    package func renumberServedTodo(_ name: String) throws {
        try run("UPDATE mintee_served SET number = ? WHERE name = ?", try lastServedNumber() + 1, name)
    }

    /// Deletes the content of the to-dos of a task that is deleted for good. Their names stay, so that devices hear of it.
    func forgetServedTodos(of task: String) throws {
        try run("UPDATE mintee_served SET content = NULL, uid = '', etag = '', fingerprint = 0 WHERE task = ?", task)
    }

    /// Returns the highest number of a change; 0 if nothing was numbered.
    package func lastServedNumber() throws -> Int {
        try row("SELECT max(number) FROM mintee_served") { $0.optionalInt(0) ?? 0 } ?? 0
    }

    /// Returns the number of to-dos.
    package func servedTodoCount() throws -> Int {
        try row("SELECT count(*) FROM mintee_served WHERE gone = 0") { $0.int(0) } ?? 0
    }

    /// Returns to-dos by their names, without their contents, from the first after `name`.
    package func servedEntries(after name: String?, limit: Int) throws -> [ServedEntry] {
        try rows(
            """
            SELECT name, task, etag, length(content), changed_at FROM mintee_served
            WHERE gone = 0 AND name > ? ORDER BY name LIMIT ?
            """, name ?? "", limit
        ) {
            ServedEntry(
                name: $0.text(0), id: $0.text(1), etag: $0.text(2), length: $0.int(3), changedAt: Int64($0.int(4)))
        }
    }

    /// Returns the changes above `number` and up to `last`.
    package func servedTodoChanges(after number: Int, upTo last: Int, limit: Int) throws -> [ServedChange] {
        try rows(
            "SELECT number, name, gone FROM mintee_served WHERE number > ? AND number <= ? ORDER BY number LIMIT ?",
            number, last, limit
        ) { ServedChange(number: $0.int(0), name: $0.text(1), isGone: $0.int(2) != 0) }
    }

    /// Returns the to-do with a name, also one that is gone; nil if there never was one.
    package func servedTodo(_ name: String) throws -> ServedTodo? {
        try row("\(ServedTodo.select) WHERE name = ?", name, body: ServedTodo.init)
    }

    /// Returns the to-do that is shown with this `UID`.
    package func servedTodo(uid: String) throws -> ServedTodo? {
        try row("\(ServedTodo.select) WHERE uid = ? AND gone = 0", uid, body: ServedTodo.init)
    }

    /// The to-dos of a task, without those of days that are long over.
    private func servedTodos(of task: String, _ window: SyncWindow) throws -> [ServedTodo] {
        try rows(
            """
            \(ServedTodo.select) WHERE task = ? AND (gone <> 1 OR day IS NULL OR period = 1 OR day >= ?)
            ORDER BY gone, number DESC
            """, task, window.filled.lowerBound.description, body: ServedTodo.init)
    }

    /// Returns a to-do of a device that no task stands for.
    package func deviceTodo(_ id: String) throws -> (content: [UInt8], changedAt: Int64)? {
        try row("SELECT content, changed_at FROM mintee_device_todo WHERE id = ?", id) {
            ($0.blob(0), Int64($0.int(1)))
        }
    }

    /// Returns the contents of all to-dos of devices that no task stands for, in the order of their ids.
    package func deviceTodos() throws -> [[UInt8]] {
        try rows("SELECT content FROM mintee_device_todo ORDER BY id") { $0.blob(0) }
    }

    /// Stores a to-do of a device that no task stands for; nil removes it.
    package func setDeviceTodo(_ id: String, _ content: [UInt8]?) throws {
        if let content {
            try run(
                """
                INSERT INTO mintee_device_todo (id, content, changed_at) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET content = excluded.content, changed_at = excluded.changed_at
                """, id, content, now.milliseconds)
        } else {
            try run("DELETE FROM mintee_device_todo WHERE id = ?", id)
        }
        try noteServedChange(of: id)
    }
}

/// A to-do as devices see it.
package struct ServedTodo: Sendable {
    /// Whether it is shown.
    package enum State: Int, Sendable { case shown, gone, removed }

    /// The last part of its address.
    package let name: String
    /// The number of its last change.
    package let number: Int
    /// The id of its task, or of a to-do of a device.
    package let task: String
    /// The day or the period; nil for one that a device made.
    package let day: TaskDay?
    /// Its `UID`.
    package let uid: String
    /// The hash of its content; empty if it has none.
    package let etag: String
    /// The fingerprint of the day in it.
    let fingerprint: Int
    /// The time of the last change, in milliseconds since 1970 UTC.
    package let changedAt: Int64
    /// Whether it is shown.
    package let gone: State
    /// Its content; nil before it was shown, and after its task was deleted for good.
    package let content: [UInt8]?

    /// The item for a device; nil if it is not shown.
    package var item: ServedItem? {
        guard gone == .shown, let content else { return nil }
        return ServedItem(
            ServedEntry(name: name, id: task, etag: etag, length: content.count, changedAt: changedAt),
            content: content)
    }
}

extension ServedTodo {
    fileprivate static let select =
        "SELECT name, number, task, day, period, uid, etag, fingerprint, changed_at, gone, content FROM mintee_served"

    fileprivate init(_ row: borrowing Row) {
        let task = row.text(2)
        let date = row.optionalText(3).flatMap { CivilDate($0) }
        let isPeriod = row.int(4) == 1
        self.init(
            name: row.text(0), number: row.int(1), task: task,
            day: date.map { TaskDay(task, $0, isPeriod: isPeriod) }, uid: row.text(5), etag: row.text(6),
            fingerprint: row.int(7), changedAt: Int64(row.int(8)), gone: State(rawValue: row.int(9)) ?? .gone,
            content: row.optionalBlob(10))
    }
}

extension TaskDay {
    /// The last part of the address of its to-do: `2gd…-2026-11-20.ics`.
    fileprivate var servedName: String { "\(taskID)-\(isPeriod ? "period-" : "")\(date).ics" }
}
