import HubKit
import Sync

/// The sync state of an account in words.
struct CalendarState: Sendable {
    let item: GetCalendarAccounts.Item
    private let now: Instant

    init(_ item: GetCalendarAccounts.Item, now: Instant) {
        self.item = item
        self.now = now
    }

    /// `synced`, `syncing`, `failing` or `new`.
    var word: String {
        if item.holder != nil { return "syncing" }
        guard let run = item.run else { return "new" }
        return run.failures > 0 ? "failing" : "synced"
    }

    /// The time of the last sync, pending changes and the error.
    var detail: String {
        var parts: [String] = []
        let words = RelativeTime(now: now, zone: .system)
        if let holder = item.holder { parts.append("by \(holder.command)") }
        if let run = item.run {
            parts.append(words.words(for: Instant(milliseconds: run.finishedAt)))
            if let failure = run.failure {
                parts.append(failure)
                parts.append("next try \(words.words(for: Instant(milliseconds: run.nextAt)))")
            }
        } else {
            parts.append("never synced")
        }
        if item.isWaiting { parts.append("changes not sent yet") }
        return parts.joined(separator: ", ")
    }

    /// The line in `hub status`.
    var line: StatusLine { StatusLine(item.setup.name, state: word, detail: detail) }

    /// The number of days: `12 days`.
    var count: String { item.todos == 1 ? "1 day" : "\(NumberFormat.grouped(item.todos)) days" }

    /// The columns of `accounts list` and `status`.
    static let fields = [
        Field<CalendarState>("name", "NAME", help: "name of the account") { .text($0.item.setup.name) },
        Field<CalendarState>("address", "ADDRESS", help: "address of the account", column: .ifRoom(2)) {
            .text($0.item.setup.account.place)
        },
        Field<CalendarState>("user", "USER", help: "user name", column: .onRequest) {
            FieldValue($0.item.setup.account.user)
        },
        Field<CalendarState>("calendar", "CALENDAR", help: "calendar for tasks", column: .ifRoom(1)) {
            .text($0.item.setup.account.calendar)
        },
        Field<CalendarState>("days", "DAYS", help: "number of task days in the calendar", align: .trailing) {
            .integer($0.item.todos)
        },
        Field<CalendarState>(
            "state", "STATE", help: "synced, syncing, failing or new",
            tone: { $0.word == "failing" ? .bad : .plain }
        ) { .text($0.word) },
        Field<CalendarState>("detail", "DETAIL", help: "last sync, pending changes and errors", column: .onRequest) {
            .text($0.detail)
        },
        Field<CalendarState>("synced_at", "SYNCED", help: "time of the last sync") {
            FieldValue($0.item.run.map { Instant(milliseconds: $0.finishedAt) })
        },
        Field<CalendarState>("next_at", "NEXT", help: "time of the next sync by hub serve", column: .onRequest) {
            FieldValue($0.item.run.map { Instant(milliseconds: $0.nextAt) })
        },
        Field<CalendarState>("waiting", "WAITING", help: "whether local changes are not sent yet", column: .onRequest) {
            .bool($0.item.isWaiting)
        },
    ]
}
