import HubKit
import Links

/// `hub mintee accounts`: CalDAV servers whose to-do lists show the days of tasks.
enum CalendarAccountsCommands {
    static let completion = Completion.from(MinteePlugin.self) { mintee, _ in
        try mintee.calendarDesk.register.accounts().map { CompletionWord($0.name, $0.account.place) }
    }

    private static let one = Argument<String>("NAME", help: "the account's name", completion: completion)
    private static let name = Argument<String>("NAME", help: "what you call it: letters, digits, - and _")
    private static let address = Argument<String>("URL|E-MAIL", help: "a CalDAV server, or an e-mail address")
    private static let url = Option<String>("url", "ADDRESS", help: "the new URL or e-mail address")
    private static let password = Flag("password", help: "ask for a new password")
    private static let calendar = Option<String>(
        "calendar", "NAME", help: "the calendar for tasks; made when it is missing, Mintee without this")

    /// What whoever has no account may type.
    static let firstSteps = [
        Example("hub mintee accounts add NAME URL", "show tasks in the reminders of a phone")
    ]

    static let command = Command(
        group: "accounts", aliases: ["account"], summary: "servers whose calendar shows your tasks",
        prominence: .more, view: "list", subcommands: [list, add, edit, remove, test])

    private static let list = Command(
        "list", summary: "list the accounts and how they stand",
        examples: [
            Example("hub mintee accounts", "all accounts"),
            Example("hub mintee accounts list --json", "for a script"),
        ], fields: CalendarState.fields
    ) { (mintee: MinteePlugin, _: Input) in
        let rows = try await mintee.getAccounts().map { CalendarState($0, now: mintee.clock.now) }
        return .list(rows, CalendarState.fields, empty: Note("No accounts", suggestions: firstSteps))
    }

    private static let add = Command(
        "add", summary: "connect a CalDAV server",
        discussion: [
            "It is tested first, and the password goes into the keyring. When anything fails, nothing is kept. The first "
                + "sync makes a calendar for tasks alone, which any reminders app shows beside its own lists."
        ],
        examples: [
            Example("hub mintee accounts add posteo https://posteo.de:8443 --user ada", "a server"),
            Example(
                "hub mintee accounts add work ada@example.org --password-command \"pass work\"",
                "a server found by an address"),
        ], parameters: [name, address] + AccountOptions.all + [calendar], exclusive: AccountOptions.exclusive,
        fields: FoundCalendar.fields, changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        let name = input[name]
        let options = AccountOptions(input, CalendarDesk.words)
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
        "edit", summary: "change address, user, password or calendar of an account",
        discussion: ["What it would be is tested first; when that fails, nothing is changed."],
        examples: [
            Example("hub mintee accounts edit posteo --password", "asks for a new password"),
            Example("hub mintee accounts edit posteo --calendar Habits", "another calendar"),
        ], parameters: [one, url, password] + AccountOptions.all + [calendar],
        exclusive: [["password", "password-command", "password-file"]], fields: FoundCalendar.fields, changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        let old = try mintee.calendarDesk.register.account(input[one]).account
        let options = AccountOptions(input, CalendarDesk.words)
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
        let isAsked = try input[password] || mintee.calendarDesk.register.needsNewPassword(account)
        let password = try await options.password(of: account, isAsked: isAsked)
        if account == old, password == nil { return .done("Nothing changed") }
        if input.dryRun { return .done("Would change \(account.name): \(account.place)") }
        let found = try await options.trusting(account) { try await mintee.editAccount($0, password: password) }
        return FoundCalendar.output(account, found.calendars, isNew: false).noting(found.remaining)
    }

    private static let remove = Command(
        "rm", summary: "disconnect an account; tasks and calendar stay",
        discussion: [
            "Its section of the config file and its password in the keyring go. Nothing is removed on the server."
        ],
        examples: [
            Example("hub mintee accounts rm posteo", "asks first"),
            Example("hub mintee accounts rm posteo --yes", "without asking"),
        ], parameters: [one], changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        let setup = try mintee.calendarDesk.register.account(input[one])
        if input.dryRun { return .done("Would disconnect \(setup.name)") }
        guard
            try await input.confirm(
                "Disconnect \(setup.name)? Tasks stay here, and the calendar \(setup.account.calendar) there.",
                consequence: "\(setup.name) would be disconnected")
        else { return .cancelled }
        let remaining = try await mintee.removeAccount(setup.name)
        let calendar = setup.account.calendar
        let again = AccountOptions.again(
            setup, CalendarDesk.words,
            collections: calendar == AccountKeys.defaultCalendar ? [] : ["--calendar", calendar])
        return .done("\(setup.name) is disconnected; tasks stay here, and the calendar there. Back: \(again)").noting(
            remaining)
    }

    private static let test = Command(
        "test", summary: "talk to an account and show its calendars",
        examples: [
            Example("hub mintee accounts test posteo", "is it there, and what has it got"),
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
            ["\(name) answers in \(duration.components.seconds).\(tenths) s: \(count)"]
            + calendars.map { "  " + $0.line }
        return output
    }

    /// The calendar that the command line names.
    private static func chosen(_ input: Input) throws -> String? {
        guard let name = input[calendar] else { return nil }
        guard !name.isEmpty, name.count <= 100 else {
            throw HubError(.usage, code: "no-calendar", "--calendar takes a name of 1 to 100 characters")
        }
        return name
    }
}
