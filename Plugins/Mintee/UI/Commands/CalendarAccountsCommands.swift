import HubKit
import Sync

/// `hub mintee accounts`: manages CalDAV servers with calendars for tasks.
enum CalendarAccountsCommands {
    static let completion = Completion.from(MinteePlugin.self) { mintee, _ in
        try mintee.calendarManager.register.accounts().map { CompletionWord($0.name, $0.account.place) }
    }

    private static let one = Argument<String>("NAME", help: "name of the account", completion: completion)
    private static let name = Argument<String>("NAME", help: "name for the account: letters, digits, - and _")
    private static let address = Argument<String>("URL|E-MAIL", help: "URL of a CalDAV server, or an e-mail address")
    private static let url = Option<String>("url", "ADDRESS", help: "new URL or e-mail address")
    private static let password = Flag("password", help: "ask for a new password")
    private static let calendar = Option<String>(
        "calendar", "NAME", help: "calendar for tasks (default: Mintee)")

    /// Suggested commands when there is no account.
    static let firstSteps = [
        Example("hub mintee accounts add NAME URL", "show tasks in a phone's reminders app")
    ]

    static let command = Command(
        group: "accounts", aliases: ["account"], summary: "CalDAV servers to sync with",
        prominence: .more, view: "list", subcommands: [list, add, edit, remove, test])

    private static let list = Command(
        "list", summary: "list accounts and their sync state",
        examples: [
            Example("hub mintee accounts", "all accounts"),
            Example("hub mintee accounts list --json", "for a script"),
        ], fields: CalendarState.fields
    ) { (mintee: MinteePlugin, _: Input) in
        let rows = try await mintee.getAccounts().map { CalendarState($0, now: mintee.clock.now) }
        return .list(rows, CalendarState.fields, empty: Diagnostic("No accounts", suggestions: firstSteps))
    }

    private static let add = Command(
        "add", summary: "connect a CalDAV server",
        discussion: [
            "The connection is tested first, and the password is stored in the keyring. If anything fails, nothing is saved. The "
                + "first sync creates a separate calendar for tasks, which any reminders app shows next to its own lists."
        ],
        examples: [
            Example("hub mintee accounts add posteo https://posteo.de:8443 --user ada", "a server"),
            Example(
                "hub mintee accounts add work ada@example.org --password-command \"pass work\"",
                "server found by e-mail address"),
        ], parameters: [name, address] + AccountOptions.all + [calendar], exclusive: AccountOptions.exclusive,
        fields: FoundCalendar.fields, changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        let name = input[name]
        let options = AccountOptions(input, CalendarAccountManager.words)
        let (address, userInURL) = try await options.address(input[address])
        if input.offline { throw HubError.offline }
        let user = try await options.user(of: address, inURL: userInURL)
        let account = Account(
            name: name, address: address, user: user, every: try options.every ?? .seconds(900),
            collections: try chosen(input).map { [$0] } ?? [AccountKeys.defaultCalendar],
            trust: try options.trust ?? .system)
        guard try await options.consentsToPlainText(account) else { return .cancelled }
        let password = try await options.password(of: account, isAsked: user != nil)
        if input.dryRun { return .done("Would connect \(name): \(account.place)") }
        let found = try await options.trusting(account) {
            try await mintee.addAccount($0, password: password ?? .none, isForced: options.isForced)
        }
        return FoundCalendar.output(account, found, isNew: true)
    }

    private static let edit = Command(
        "edit", summary: "change the settings of an account",
        discussion: ["The new settings are tested first; if that fails, nothing is changed."],
        examples: [
            Example("hub mintee accounts edit posteo --password", "ask for a new password"),
            Example("hub mintee accounts edit posteo --calendar Habits", "another calendar"),
        ], parameters: [one, url, password] + AccountOptions.all + [calendar],
        exclusive: [["password", "password-command", "password-file"]], fields: FoundCalendar.fields, changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        let old = try mintee.calendarManager.register.account(input[one]).account
        let options = AccountOptions(input, CalendarAccountManager.words)
        if input.offline { throw HubError.offline }
        var (address, userInURL) = (old.address, String?.none)
        if let word = input[url] { (address, userInURL) = try await options.address(word) }
        let account = Account(
            name: old.name, address: address, user: options.user ?? userInURL ?? old.user,
            every: try options.every ?? old.every, collections: try chosen(input).map { [$0] } ?? old.collections,
            trust: try options.trust ?? old.trust)
        if account.address != old.address {
            guard try await options.consentsToPlainText(account) else { return .cancelled }
        }
        let isAsked = try input[password] || mintee.calendarManager.register.needsNewPassword(account)
        let password = try await options.password(of: account, isAsked: isAsked)
        if account == old, password == nil { return .done("Nothing changed") }
        if input.dryRun { return .done("Would change \(account.name): \(account.place)") }
        let found = try await options.trusting(account) { try await mintee.editAccount($0, password: password) }
        return FoundCalendar.output(account, found.calendars, isNew: false).noting(found.remaining)
    }

    private static let remove = Command(
        "rm", summary: "disconnect an account; tasks and calendar are kept",
        discussion: [
            "Removes its section of the config file and its password in the keyring. Nothing is deleted on the server."
        ],
        examples: [
            Example("hub mintee accounts rm posteo", "after confirmation"),
            Example("hub mintee accounts rm posteo --yes", "without confirmation"),
        ], parameters: [one], changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        let setup = try mintee.calendarManager.register.account(input[one])
        if input.dryRun { return .done("Would disconnect \(setup.name)") }
        guard
            try await input.confirm(
                "Disconnect \(setup.name)? Tasks are kept here, and the calendar \(setup.account.calendar) on the server.",
                consequence: "\(setup.name) would be disconnected")
        else { return .cancelled }
        let remaining = try await mintee.removeAccount(setup.name)
        let calendar = setup.account.calendar
        let again = AccountOptions.again(
            setup, CalendarAccountManager.words,
            collections: calendar == AccountKeys.defaultCalendar ? [] : ["--calendar", calendar])
        return .done(
            "Disconnected \(setup.name); tasks are kept here, and the calendar on the server. To revert: \(again)"
        ).noting(remaining)
    }

    private static let test = Command(
        "test", summary: "test the connection and list calendars",
        examples: [
            Example("hub mintee accounts test posteo", "test the account posteo"),
            Example("hub mintee accounts test posteo --json=name", "its calendars, for a script"),
        ], parameters: [one], fields: FoundCalendar.fields
    ) { (mintee: MinteePlugin, input: Input) in
        if input.offline { throw HubError.offline }
        let name = input[one]
        let (found, duration) = try await mintee.testAccount(name)
        let calendars = found.map { FoundCalendar(calendar: $0) }
        var output = Output(.rows(Rows(calendars, FoundCalendar.fields)))
        let count = calendars.count == 1 ? "1 calendar" : "\(calendars.count) calendars"
        let tenths = duration.components.attoseconds / 100_000_000_000_000_000
        output.human =
            ["\(name) responded in \(duration.components.seconds).\(tenths) s: \(count)"]
            + calendars.map { "  " + $0.line }
        return output
    }

    /// Returns the calendar given on the command line.
    private static func chosen(_ input: Input) throws -> String? {
        guard let name = input[calendar] else { return nil }
        guard !name.isEmpty, name.count <= 100 else {
            throw HubError(.usage, code: "no-calendar", "--calendar needs a name of 1 to 100 characters")
        }
        return name
    }
}
