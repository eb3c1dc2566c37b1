import Commands
import HubKit
import MinteeDomain

/// `hub mintee` and its subcommands.
enum MinteeCommand {
    static let tree = Command(
        group: "mintee", nouns: ["task", "tasks"], summary: "tasks and habits",
        examples: [
            Example("hub mintee new Read", "a habit for every day"),
            Example(#"hub mintee new Water --on "daily: 6 <= x <= 10""#, "with a target"),
        ], view: "today",
        subcommands: [
            TodayCommand.command, ListCommand.command, SearchCommand.command, ShowCommand.command, NewCommand.command,
            EditCommand.command, TaskCommands.remove, TaskCommands.restore, DoneCommands.done, DoneCommands.set,
            DoneCommands.up, DoneCommands.down, DoneCommands.skip, DoneCommands.unskip, DoneCommands.note,
            DoneCommands.clear, DoneCommands.pause, AskCommand.command, OrderCommand.command,
        ] + TaskCommands.tagging + [
            TaskCommands.history, TaskCommands.diff, CheckCommand.command, AnalysesCommands.tree, HolidaysCommands.tree,
            ImportCommand.command,
            ExportCommand.command, AccountCommands<MinteePlugin>.sync, AccountCommands<MinteePlugin>.status,
            AccountCommands<MinteePlugin>.accounts, ThemeCommand.command,
        ]
    ).advising([
        "vacation": "use hub mintee pause --all A..B", "resume": "use hub mintee unskip TASK --date A..B",
        "unpause": "use hub mintee unskip TASK --date A..B",
        "archive": "use hub mintee edit TASK --to yesterday to end the task; all days are kept",
        "stop": "use hub mintee edit TASK --to yesterday to end the task; all days are kept",
        "complete": "did you mean hub mintee done?", "finish": "did you mean hub mintee done?",
        "tick": "did you mean hub mintee done?", "start": "did you mean hub mintee new?",
    ])

    /// The suggestions of an empty list.
    static let empty = Diagnostic(
        "No tasks",
        suggestions: [
            Example("hub mintee new Read", "a habit for every day"),
            Example(#"hub mintee new Run --on "Mon,Wed,Fri""#, "on some days"),
        ])
}

/// `hub mintee theme`: shows or sets the theme of the page.
enum ThemeCommand {
    private static let name = Arguments<String>(
        "NAME", .zeroOrMore, help: "System Default, Jungle or Ocean", completion: .words(Theme.allCases.map(\.rawValue))
    )

    static let command = Command(
        "theme", summary: "show or set the theme of the page",
        examples: [
            Example("hub mintee theme", "the current theme"), Example("hub mintee theme Ocean", "another theme"),
        ],
        prominence: .full, parameters: [name], changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        let word = input[name].joined(separator: " ")
        if word.isEmpty { return .text([try await mintee.theme().rawValue]) }
        if input.dryRun { return .done("Would set the theme to \(word)") }
        let theme = try await mintee.setTheme(word, operation: Operation(input))
        return .edited("Theme set to \(theme.rawValue)")
    }
}

/// `hub mintee check`: checks all data against the rules.
enum CheckCommand {
    static let fields = [
        Field<RuleViolation>("rule", "RULE", help: "code of the rule") { .text($0.rule.description) },
        Field<RuleViolation>("subject", "SUBJECT", help: "name or id of the violating item") { .text($0.subject) },
        Field<RuleViolation>("detail", "DETAIL", help: "day or further details") { .text($0.detail) },
        Field<RuleViolation>("text", "REQUIREMENT", help: "text of the rule", column: .ifRoom(1)) {
            .text(Rule.named($0.rule)?.text ?? "")
        },
    ]

    static let command = Command(
        "check", summary: "check all tasks against the rules",
        examples: [
            Example("hub mintee check", "exit code 1 if a rule is violated"),
            Example("hub mintee check --json=rule,subject", "for a script"),
        ], prominence: .more, fields: fields
    ) { (mintee: MinteePlugin, _: Input) in
        let violations = try await mintee.ruleViolations()
        var output = Output.list(violations, fields, empty: Diagnostic("All \(Rule.all.count) rules hold"))
        if !violations.isEmpty { output.exit = .no }
        return output
    }
}
