import HubKit

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
            DoneCommands.up, DoneCommands.down, DoneCommands.skip, DoneCommands.note, AskCommand.command,
        ] + TaskCommands.tagging + [
            TaskCommands.history, TaskCommands.diff, CheckCommand.command, AnalysesCommands.tree, ImportCommand.command,
            ExportCommand.command, AccountCommands<MinteePlugin>.sync, AccountCommands<MinteePlugin>.status,
            AccountCommands<MinteePlugin>.accounts, ThemeCommand.command,
        ]
    ).advising([
        "clear": "use hub undo to revert the last entry, or hub mintee set TASK 0 to enter 0",
        "unskip": "use hub undo to revert a skip, or hub mintee set TASK 0 to enter a value instead",
        "pause": "use hub mintee skip TASK to skip a day, or hub mintee edit TASK --to yesterday to end the task",
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
