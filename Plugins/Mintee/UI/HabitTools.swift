import HubKit

/// What assistants can do with tasks and habits.
enum HabitTools {
    static let declarations = ToolDeclarations(
        lists: [
            ToolList("tasks", "tasks and habits with their targets and streaks", command: "list"),
            ToolList("due", "what is due on a day, with its value; the day is given as words", command: "today"),
        ],
        tools: [
            ToolDeclaration(
                "habit_set", title: "Enter a value",
                description: "Enters the value of a habit for one day, in place of the one that it had.",
                command: "set", isIdempotent: true,
                parameters: [
                    id, ToolParameter("value", .number, "the value, such as 6", isRequired: true), date,
                ]),
            ToolDeclaration(
                "habit_done", title: "Mark a habit as done",
                description: "Enters the smallest value that reaches the target of a habit on one day.",
                command: "done", isIdempotent: true, parameters: [id, date]),
            ToolDeclaration(
                "habit_skip", title: "Skip a habit",
                description: "Marks one day of a habit as skipped: neither reached nor missed.",
                command: "skip", isIdempotent: true,
                parameters: [id, date, ToolParameter("why", .text(500), "reason", option: "why")]),
        ])

    private static let id = ToolParameter("id", .id, "id of the task", isRequired: true)
    private static let date = ToolParameter(
        "date", .text(10), "day, such as 2026-11-25; today without it", option: "date")
}
