import ContactsDomain
import HubKit
import Links

/// How an account stands, in words.
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

    /// Its age, what waits, and why it fails.
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
        Field<AccountState>("name", "NAME", help: "the account's name") { .text($0.item.setup.name) },
        Field<AccountState>("kind", "KIND", help: "carddav or vdir", column: .ifRoom(3)) {
            .text($0.item.setup.account.kindWord)
        },
        Field<AccountState>("address", "ADDRESS", help: "where it is", column: .ifRoom(2)) {
            .text($0.item.setup.account.place)
        },
        Field<AccountState>("user", "USER", help: "the user there", column: .onRequest) {
            FieldValue($0.item.setup.account.user)
        },
        Field<AccountState>(
            "books", "BOOKS", help: "its address books", column: .ifRoom(1),
            cell: { $0.item.books.map(\.name).joined(separator: ", ") }
        ) { FieldValue($0.item.books.map(\.name)) },
        Field<AccountState>("contacts", "CONTACTS", help: "how many contacts they have here", align: .trailing) {
            .integer($0.item.contacts)
        },
        Field<AccountState>(
            "state", "STATE", help: "synced, syncing, failing, conflicts or new",
            tone: { $0.word == "failing" ? .bad : $0.word == "conflicts" ? .warning : .plain }
        ) { .text($0.word) },
        Field<AccountState>("detail", "DETAIL", help: "age, what waits, why it fails", column: .onRequest) {
            .text($0.detail)
        },
        Field<AccountState>("synced_at", "SYNCED", help: "when it was synced last") {
            FieldValue($0.item.run.map { Instant(milliseconds: $0.finishedAt) })
        },
        Field<AccountState>("next_at", "NEXT", help: "when hub serve syncs it next", column: .onRequest) {
            FieldValue($0.item.run.map { Instant(milliseconds: $0.nextAt) })
        },
        Field<AccountState>(
            "conflicts", "CONFLICTS", help: "how many conflicts wait", align: .trailing, column: .onRequest
        ) {
            .integer($0.item.conflicts)
        },
        Field<AccountState>(
            "problems", "PROBLEMS", help: "each contact that is not synced, and why", column: .onRequest
        ) { state in
            .list(
                state.item.problems.map { problem in
                    .object([
                        .init("contact", FieldValue(problem.contact)), .init("code", .text(problem.code)),
                        .init("reason", .text(problem.reason)), .init("since", .instant(problem.since)),
                    ])
                })
        },
        Field<AccountState>("waiting", "WAITING", help: "whether changes wait to be sent", column: .onRequest) {
            .bool($0.item.isWaiting)
        },
    ]
}

extension Account {
    /// How it is talked to.
    var kindWord: String { isServer ? "carddav" : "vdir" }
}
