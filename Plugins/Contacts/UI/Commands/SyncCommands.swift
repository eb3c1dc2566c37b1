import ContactsDomain
import HubKit

/// `hub contacts sync` and `hub contacts status`.
enum SyncCommands {
    private static let accounts = Arguments<String>(
        "ACCOUNT", .zeroOrMore, help: "only these accounts", completion: AccountsCommands.completion)

    static let sync = Command(
        "sync", summary: "exchange contacts with your accounts",
        discussion: [
            "What both sides changed is merged field by field; where both changed the same field, both versions are kept "
                + "and you decide. A sync that would remove much asks first."
        ],
        examples: [
            Example("hub contacts sync", "all accounts"),
            Example("hub contacts sync posteo --dry-run", "what one would do"),
        ], parameters: [accounts], fields: SyncResult.fields, changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        let setups = try contacts.setups(input[accounts])
        let syncing = AccountSyncing(contacts, input, isForced: input[GlobalOptions.force])
        return try SyncResult.output(
            try await syncing.results(of: setups),
            empty: Note("No accounts", suggestions: AccountsCommands.firstSteps))
    }

    static let status = Command(
        "status", summary: "how your accounts stand: age, what waits, what fails",
        examples: [
            Example("hub contacts status", "all accounts"),
            Example("hub contacts status --json=name,state,conflicts", "for a script"),
        ], prominence: .more, parameters: [accounts], fields: AccountState.fields
    ) { (contacts: ContactsPlugin, input: Input) in
        let wanted = Set(try contacts.setups(input[accounts]).map(\.name))
        let rows = try await contacts.getAccounts().filter { wanted.contains($0.setup.name) }
            .map { AccountState($0, now: contacts.clock.now) }
        var output = Output.list(
            rows, AccountState.fields, empty: Note("No accounts", suggestions: AccountsCommands.firstSteps))
        output.human = rows.isEmpty ? nil : lines(rows)
        return output
    }

    /// A line for each account: name, state, and all else in words.
    private static func lines(_ rows: [AccountState]) -> [String] {
        func padded(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(width - DisplayWidth.of(text), 0))
        }
        let names = rows.map { DisplayWidth.of($0.item.setup.name) }.max() ?? 0
        let words = rows.map { $0.word.count }.max() ?? 0
        return rows.map { row in
            let count = row.item.contacts == 1 ? "1 contact" : "\(Numerals.grouped(row.item.contacts)) contacts"
            return "\(padded(row.item.setup.name, names))  \(padded(row.word, words))  \(count), \(row.detail)"
        }
    }
}

extension ContactsPlugin {
    /// The accounts that `names` name, all when there are none; throws `not-found`.
    func setups(_ names: [String]) throws -> [AccountSetup] {
        try accountDesk.register.accounts(names)
    }
}
