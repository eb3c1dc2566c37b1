import ContactsDomain
import HubKit

/// `hub contacts sync` and `hub contacts status`.
enum SyncCommands {
    private static let accounts = Arguments<String>(
        "ACCOUNT", .zeroOrMore, help: "accounts to sync (default: all)", completion: AccountsCommands.completion)

    static let sync = Command(
        "sync", summary: "sync contacts with your accounts",
        discussion: [
            "Changes on both sides are merged field by field. If both sides changed the same field, both versions are kept "
                + "as a conflict. A sync that would remove many contacts asks first."
        ],
        examples: [
            Example("hub contacts sync", "all accounts"),
            Example("hub contacts sync posteo --dry-run", "show what would be synced"),
        ], parameters: [accounts], fields: SyncResult.fields, changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        let setups = try contacts.setups(input[accounts])
        let syncing = AccountSyncCommand(contacts, input, isForced: input[GlobalOptions.force])
        return try SyncResult.output(
            try await syncing.results(of: setups),
            empty: Diagnostic("No accounts", suggestions: AccountsCommands.firstSteps))
    }

    static let status = Command(
        "status", summary: "show sync state: last sync, pending changes, errors",
        examples: [
            Example("hub contacts status", "all accounts"),
            Example("hub contacts status --json=name,state,conflicts", "for a script"),
        ], prominence: .more, parameters: [accounts], fields: AccountState.fields
    ) { (contacts: ContactsPlugin, input: Input) in
        let wanted = Set(try contacts.setups(input[accounts]).map(\.name))
        let rows = try await contacts.getAccounts().filter { wanted.contains($0.setup.name) }
            .map { AccountState($0, now: contacts.clock.now) }
        var output = Output.list(
            rows, AccountState.fields, empty: Diagnostic("No accounts", suggestions: AccountsCommands.firstSteps))
        output.human = rows.isEmpty ? nil : lines(rows)
        for row in rows { output.notes += try await problems(of: row, contacts) }
        return output
    }

    /// The warnings about items that are not synced.
    private static func problems(of row: AccountState, _ contacts: ContactsPlugin) async throws -> [Diagnostic] {
        var notes: [Diagnostic] = []
        for problem in row.item.problems.prefix(20) {
            var who = row.item.setup.name
            if let contact = problem.contact, let found = try? await contacts.entities.get(contact) {
                who = try await contacts.entities.label(of: found.summary)
            }
            notes.append(.warning("\(who): \(problem.reason)", code: problem.code))
        }
        if row.item.problems.count > 20 {
            notes.append(
                .warning("\(row.item.setup.name): and \(row.item.problems.count - 20) more", code: "not-synced"))
        }
        return notes
    }

    /// One line per account: name, state and details.
    private static func lines(_ rows: [AccountState]) -> [String] {
        func padded(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(width - DisplayWidth.of(text), 0))
        }
        let names = rows.map { DisplayWidth.of($0.item.setup.name) }.max() ?? 0
        let words = rows.map { $0.word.count }.max() ?? 0
        return rows.map { row in
            let count = row.item.contacts == 1 ? "1 contact" : "\(NumberFormat.grouped(row.item.contacts)) contacts"
            return "\(padded(row.item.setup.name, names))  \(padded(row.word, words))  \(count), \(row.detail)"
        }
    }
}

extension ContactsPlugin {
    /// Returns the accounts with the given names, or all for an empty list. Throws `not-found`.
    func setups(_ names: [String]) throws -> [ConfiguredAccount] {
        try accountManager.register.accounts(names)
    }
}
