import ContactsDomain
import HubKit
import Sync

/// The state of an account, formatted for display.
struct AccountState: Sendable {
    let item: GetAccounts.Item
    private let now: Instant

    init(_ item: GetAccounts.Item, now: Instant) {
        self.item = item
        self.now = now
    }

    /// `synced`, `syncing`, `failing`, `new` or `conflicts`.
    var word: String {
        if item.holder != nil { return "syncing" }
        guard let run = item.run else { return "new" }
        if run.failures > 0 { return "failing" }
        return item.conflicts > 0 ? "conflicts" : "synced"
    }

    /// The time of the last sync, pending changes and errors.
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
        if item.conflicts > 0 { parts.append(item.conflicts == 1 ? "1 conflict" : "\(item.conflicts) conflicts") }
        if item.isWaiting { parts.append("local changes will be sent with the next sync") }
        let count = item.problems.count
        if count > 0 { parts.append(count == 1 ? "1 item not synced" : "\(count) items not synced") }
        for book in item.books { if let problem = book.problem, item.run?.failure == nil { parts.append(problem) } }
        return parts.joined(separator: ", ")
    }

    /// The line of `hub status`.
    var line: StatusLine { StatusLine(item.setup.name, state: word, detail: detail) }

    /// The columns of `accounts list` and `status`.
    static let fields = [
        Field<AccountState>("name", "NAME", help: "name of the account") { .text($0.item.setup.name) },
        Field<AccountState>("kind", "KIND", help: "type of the account: carddav or vdir", column: .ifRoom(3)) {
            .text($0.item.setup.account.kindWord)
        },
        Field<AccountState>("address", "ADDRESS", help: "URL, e-mail address or folder", column: .ifRoom(2)) {
            .text($0.item.setup.account.place)
        },
        Field<AccountState>("user", "USER", help: "user name on the server", column: .onRequest) {
            FieldValue($0.item.setup.account.user)
        },
        Field<AccountState>(
            "books", "BOOKS", help: "address books of the account", column: .ifRoom(1),
            cell: { $0.item.books.map(\.name).joined(separator: ", ") }
        ) { FieldValue($0.item.books.map(\.name)) },
        Field<AccountState>("contacts", "CONTACTS", help: "number of contacts in its books", align: .trailing) {
            .integer($0.item.contacts)
        },
        Field<AccountState>(
            "state", "STATE", help: "state: synced, syncing, failing, conflicts or new",
            tone: { $0.word == "failing" ? .bad : $0.word == "conflicts" ? .warning : .plain }
        ) { .text($0.word) },
        Field<AccountState>("detail", "DETAIL", help: "last sync, pending changes and errors", column: .onRequest) {
            .text($0.detail)
        },
        Field<AccountState>("synced_at", "SYNCED", help: "time of the last sync") {
            FieldValue($0.item.run.map { Instant(milliseconds: $0.finishedAt) })
        },
        Field<AccountState>("next_at", "NEXT", help: "time of the next sync by hub serve", column: .onRequest) {
            FieldValue($0.item.run.map { Instant(milliseconds: $0.nextAt) })
        },
        Field<AccountState>(
            "conflicts", "CONFLICTS", help: "number of open conflicts", align: .trailing, column: .onRequest
        ) {
            .integer($0.item.conflicts)
        },
        Field<AccountState>(
            "problems", "PROBLEMS", help: "contacts that are not synced, with the reason", column: .onRequest
        ) { state in
            .list(
                state.item.problems.map { problem in
                    .object([
                        .init("contact", FieldValue(problem.contact)), .init("code", .text(problem.code)),
                        .init("reason", .text(problem.reason)), .init("since", .instant(problem.since)),
                    ])
                })
        },
        Field<AccountState>("waiting", "WAITING", help: "whether local changes are pending", column: .onRequest) {
            .bool($0.item.isWaiting)
        },
    ]
}

extension Account {
    /// The type of the account: `carddav` or `vdir`.
    var kindWord: String { isServer ? "carddav" : "vdir" }
}
