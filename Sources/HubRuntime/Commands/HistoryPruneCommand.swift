import HubKit

/// `hub history prune`: forgets what was done before a day, for good.
enum HistoryPruneCommand {
    private static let before = Option<DateExpression>(
        "before", "DATE", help: "operations before this date or time")

    static let command = Command(
        "prune", summary: "delete undo history older than a date",
        discussion: [
            "This cannot be undone. Your data is kept; only its history is deleted, so these operations can no "
                + "longer be undone."
        ],
        examples: [
            Example("hub history prune --before 90d", "delete history older than 90 days"),
            Example("hub history prune --before 2026-01-01 --dry-run", "show how much would be deleted"),
        ], parameters: [before], changes: true
    ) { (hub: Hub, input: Input) in
        guard let moment = input[before]?.instant(now: hub.clock.now, in: .system) else {
            throw HubError(
                .usage, code: "missing-option", "hub history prune needs --before DATE",
                hint: "hub history prune --before 90d")
        }
        let history = try hub.database().history
        let old = try await history.operations(limit: Int.max).count { $0.at < moment }
        let what = old == 1 ? "1 operation" : "\(NumberFormat.grouped(old)) operations"
        if old == 0 { return .done("No operations before that date") }
        if input.dryRun { return .done("Would delete the history of \(what)") }
        let question = "Permanently delete the history of \(what)?"
        guard try await input.confirm(question, consequence: "this would permanently delete the history of \(what)")
        else { return .cancelled }
        let count = try await history.prune(before: moment)
        _ = try await hub.pruneEvents()(before: moment)
        let done = count == 1 ? "1 operation" : "\(NumberFormat.grouped(count)) operations"
        return await Erasure(hub).finish(.done("Deleted the history of \(done); your data is unchanged"))
    }
}
