package import Commands
import Sync

/// The commands `accounts list|add|edit|rm|test`, `sync` and `status` of a plugin.
package enum AccountCommands<P: AccountPlugin> {
    private typealias Status = AccountStatus<P.Accounts.State>

    private static var kind: AccountKind { P.Accounts.kind }
    private static var texts: AccountTexts { kind.texts }
    private static var id: String { kind.plugin }

    private static var completion: Completion {
        .from(P.self) { plugin, _ in
            try plugin.accounts.registry.accounts().map { CompletionWord($0.name, $0.account.place) }
        }
    }

    private static var one: Argument<String> {
        Argument("NAME", help: "name of the \(kind.noun.one)", completion: completion)
    }

    private static var names: Arguments<String> {
        Arguments(
            kind.noun.placeholder, .zeroOrMore, help: "only these \(kind.noun.many) (default: all)",
            completion: completion)
    }

    private static var fields: [Field<Status>] { Status.fields(kind, columns: P.accountColumns) }
    private static var noAccounts: Diagnostic { Diagnostic("No \(kind.noun.many)", suggestions: texts.firstSteps) }

    /// All of them: `accounts`, `sync` and `status`.
    package static var all: [Command] { [accounts, sync, status] }

    /// The group `accounts`.
    package static var accounts: Command {
        Command(
            group: kind.noun.many, aliases: kind.noun.isSingularCommand ? [kind.noun.one] : [],
            summary: texts.accounts, prominence: texts.prominence, view: "list",
            subcommands: [list, add, edit, remove, test])
    }

    private static var list: Command {
        Command(
            "list", summary: "list \(kind.noun.many) and their sync state",
            examples: [
                Example("hub \(id) \(kind.noun.many)", "all \(kind.noun.many)"),
                Example("hub \(id) \(kind.noun.many) list --json", "for a script"),
            ], fields: fields
        ) { (plugin: P, _: Input) in .list(try await plugin.accounts.list(), fields, empty: noAccounts) }
    }

    // MARK: Adding and changing

    private static var name: Argument<String> {
        Argument("NAME", help: "name of the \(kind.noun.one): letters, digits, - and _")
    }

    private static var address: Argument<String> {
        Argument(
            kind.addresses.placeholder, help: kind.addresses.help,
            completion: kind.addresses.folder == nil ? nil : .directories)
    }

    private static var add: Command {
        let storing = kind.secret == nil ? "" : " and the \(kind.secretNoun) is stored in the keyring"
        return Command(
            "add", summary: texts.add.summary,
            discussion: [
                "The connection is tested first\(storing). If the test fails, nothing is saved. \(texts.add.sentence)"
            ],
            examples: texts.add.examples, parameters: [name, address] + AccountOptions.parameters(kind),
            exclusive: AccountOptions.exclusive(kind), fields: P.itemFields, changes: true
        ) { (plugin: P, input: Input) in
            let options = AccountOptions(input, kind)
            let invitation = kind.invitation(input[address])
            let (address, userInURL) = try await options.address(invitation?.address ?? input[address])
            if input.offline { throw HubError.offline }
            let client = try await options.client
            let advice = try kind.advice(address, client != nil)
            if !advice.isEmpty { await input.console.show(advice) }
            let user = try await options.user(of: address, inURL: invitation?.user ?? userInURL)
            guard client == nil || user != nil else {
                throw HubError(.usage, code: "no-user", "--oauth-client needs a user", hint: "add --user NAME")
            }
            let account = Account(
                name: input[name], address: address, user: user,
                every: try options.every ?? kind.keys.every.defaultValue,
                collections: try options.collections ?? kind.defaultCollections, trust: try options.trust ?? .system)
            guard try await options.consentsToPlainText(account) else { return .cancelled }
            let isWritten = invitation != nil && options.hasFile
            let isAsked = invitation == nil && client == nil && kind.hasSecret(address, user: user)
            let given =
                isWritten ? nil : try await secret(of: account, isAsked: isAsked, plugin, options, input)
            if input.dryRun {
                let type = kind.addresses.type(of: account).map { "\($0), " } ?? ""
                let place = plugin.accounts.registry.settings.shown(account.place)
                return .done("Would connect \(account.name): \(type)\(place)")
            }
            let signedIn = try await signIn(plugin, account, client, isNew: true, input)
            let file = isWritten ? try invitation.flatMap { try options.file(for: $0) } : nil
            let password =
                file.map { .source($0.source) } ?? given ?? signedIn ?? invitation.map { .typed($0.secret) } ?? .none
            do {
                let items = try await options.trusting(account) {
                    try await plugin.accounts.add($0, password: password, isForced: options.isForced)
                }
                return answer("connected", account, items, plugin)
            } catch {
                file?.discard()
                throw error
            }
        }
    }

    /// Returns the secret of a new account: that which is given, none for a server that has none, or the answer to a question.
    private static func secret(
        of account: Account, isAsked: Bool, _ plugin: P, _ options: AccountOptions, _ input: Input
    ) async throws -> PasswordInput? {
        if isAsked, !options.hasSecret, !input.dryRun,
            let openness = await plugin.accounts.backend.openness(of: account)
        {
            await input.console.show([openness])
            return .source(.nothing)
        }
        return try await options.password(of: account, isAsked: isAsked)
    }

    private static var url: Option<String> {
        Option(kind.addresses.key, "ADDRESS", help: "new address: \(kind.addresses.description)")
    }

    private static var password: Flag { Flag(kind.secretWord, help: "ask for a new \(kind.secretNoun)") }

    private static var edit: Command {
        let secret: [any ParameterDeclaration] = kind.secret == nil ? [] : [password]
        let example = Example(
            kind.command("edit \(kind.example) --\(kind.secretWord)"), "ask for a new \(kind.secretNoun)")
        return Command(
            "edit", summary: "change the settings of \(kind.noun.article) \(kind.noun.one)",
            discussion: ["The new settings are tested first. If the test fails, nothing is changed."],
            examples: (kind.secret == nil ? [] : [example]) + [texts.edit],
            parameters: [one, url] + secret + AccountOptions.parameters(kind),
            exclusive: AccountOptions.exclusive(kind, [kind.secretWord]), fields: P.itemFields, changes: true
        ) { (plugin: P, input: Input) in
            let registry = plugin.accounts.registry
            let old = try registry.account(input[one]).account
            let options = AccountOptions(input, kind)
            if input.offline { throw HubError.offline }
            var (address, userInURL) = (old.address, String?.none)
            if let word = input[url] { (address, userInURL) = try await options.address(word) }
            let account = Account(
                name: old.name, address: address, user: options.user ?? userInURL ?? old.user,
                every: try options.every ?? old.every, collections: try options.collections ?? old.collections,
                trust: try options.trust ?? old.trust)
            if account.address != old.address {
                guard try await options.consentsToPlainText(account) else { return .cancelled }
            }
            let client = try await options.client
            let isAsked = try client == nil && (input[password] || registry.needsNewPassword(account))
            var given = try await options.password(of: account, isAsked: isAsked)
            if account == old, given == nil, client == nil { return .done("Nothing changed") }
            if input.dryRun {
                return .done("Would change \(account.name): \(registry.settings.shown(account.place))")
            }
            given = try await signIn(plugin, account, client, isNew: false, input) ?? given
            let secret = given
            let (items, remaining) = try await options.trusting(account) {
                try await plugin.accounts.edit($0, password: secret, isForced: options.isForced)
            }
            return answer("changed", account, items, plugin).noting(remaining)
        }
    }

    /// Lets the user allow access in a browser; nil without a client.
    private static func signIn(
        _ plugin: P, _ account: Account, _ client: [UInt8]?, isNew: Bool, _ input: Input
    ) async throws -> PasswordInput? {
        guard let client else { return nil }
        return try await plugin.accounts.signIn(to: account, client: client, isNew: isNew) {
            await input.console.show($0)
        }
    }

    private static func answer(
        _ verb: String, _ account: Account, _ items: [P.Accounts.Item], _ plugin: P
    ) -> Output {
        let place = plugin.accounts.registry.settings.shown(account.place)
        let summary = P.summary(of: items, in: account)
        var output = Output.report(items, P.itemFields)
        output.human =
            ["\(account.name) is \(verb): \(place), \(summary.text)"] + summary.lines
            + ["Next: hub \(id) \(summary.next ?? "sync \(account.name)")"]
        return output
    }

    // MARK: Removing and testing

    private static var remove: Command {
        let secret = kind.secret == nil ? "" : " and its \(kind.secretNoun) from the keyring"
        return Command(
            "rm", summary: "disconnect \(kind.noun.article) \(kind.noun.one)",
            discussion: ["Removes its section of the config file\(secret). \(texts.remove)"],
            examples: [
                Example(kind.command("rm \(kind.example)"), "asks first"),
                Example(kind.command("rm \(kind.example) --yes"), "without asking"),
            ], parameters: [one], changes: true
        ) { (plugin: P, input: Input) in
            guard let status = try await plugin.accounts.list([input[one]]).first else { return .nothing }
            let kept = status.state.kept
            let stays = kept.map { "; \($0)" } ?? ""
            if input.dryRun { return .done("Would disconnect \(status.name)\(stays)") }
            let sentence =
                kept.map { " \($0.prefix(1).uppercased() + $0.dropFirst()); nothing is deleted there." } ?? ""
            guard
                try await input.confirm(
                    "Disconnect \(status.name)?\(sentence)", consequence: "this would disconnect \(status.name)")
            else { return .cancelled }
            let remaining = try await plugin.accounts.remove(status.name)
            return .done(
                "Disconnected \(status.name)\(stays). To revert: \(AccountOptions.again(status.setup, kind))"
            ).noting(remaining)
        }
    }

    private static var test: Command {
        Command(
            "test", summary: "test the connection and list \(texts.found.many)",
            examples: [
                Example(kind.command("test \(kind.example)"), "test the connection"),
                Example(kind.command("test \(kind.example) --json"), "for a script"),
            ], parameters: [one], fields: P.itemFields
        ) { (plugin: P, input: Input) in
            if input.offline { throw HubError.offline }
            let (items, duration) = try await plugin.accounts.test(input[one])
            var output = Output(.rows(Rows(items, P.itemFields)))
            let tenths = duration.components.attoseconds / 100_000_000_000_000_000
            let time = "\(duration.components.seconds).\(tenths) s"
            output.human =
                ["\(input[one]) connected in \(time), \(P.count(items))"] + items.map { "  " + P.line($0) }
            return output
        }
    }

    // MARK: Syncing

    /// The command `sync`.
    package static var sync: Command {
        Command(
            "sync", summary: texts.sync.summary, discussion: [texts.sync.sentences],
            examples: [
                Example("hub \(id) sync", "all \(kind.noun.many)"),
                Example("hub \(id) sync \(kind.example) --dry-run", "show what would be synced"),
            ], parameters: [names], fields: SyncResult.fields, changes: true
        ) { (plugin: P, input: Input) in
            let setups = try plugin.accounts.registry.accounts(input[names])
            let syncing = AccountSyncCommand(plugin, input, isForced: input[GlobalOptions.force], needsPresence: true)
            return try SyncResult.output(try await syncing.results(of: setups), empty: noAccounts)
        }
    }

    /// The command `status`.
    package static var status: Command {
        Command(
            "status", summary: "show sync state: last sync, pending changes, errors",
            examples: [
                Example("hub \(id) status", "all \(kind.noun.many)"),
                Example("hub \(id) status --json=name,state,waiting", "for a script"),
            ], prominence: .more, parameters: [names], fields: fields
        ) { (plugin: P, input: Input) in
            let rows = try await plugin.accounts.list(input[names])
            var output = Output.list(rows, fields, empty: noAccounts)
            output.human = rows.isEmpty ? nil : lines(rows)
            for row in rows { output.notes += try await plugin.notes(on: row) }
            return output
        }
    }

    /// Returns a line for each account: name, state and details.
    private static func lines(_ rows: [Status]) -> [String] {
        let names = rows.map { DisplayWidth.of($0.name) }.max() ?? 0
        let words = rows.map(\.word.count).max() ?? 0
        return rows.map { row in
            let amount = row.state.amount.map { "\($0), " } ?? ""
            return row.name.padded(to: names + 2) + row.word.padded(to: words + 2) + amount + row.detail
        }
    }
}
