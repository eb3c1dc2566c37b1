import HubKit

/// `hub history prune`: forgets what was done before a day, for good.
enum HistoryPruneCommand {
    private static let before = Option<DateExpression>(
        "before", "DATE", help: "what was done before this day or moment")

    static let command = Command(
        "prune", summary: "forget what was done before a day, and the way back to it",
        discussion: ["This cannot be undone. Your data stays; only its history and undo go."],
        examples: [
            Example("hub history prune --before 90d", "forget what is older than 90 days"),
            Example("hub history prune --before 2026-01-01 --dry-run", "show what would be forgotten"),
        ], parameters: [before], changes: true
    ) { (hub: Hub, input: Input) in
        guard let moment = input[before]?.instant(now: hub.clock.now, in: .system) else {
            throw HubError(
                .usage, code: "missing-option", "hub history prune needs --before DATE",
                hint: "hub history prune --before 90d")
        }
        let history = try hub.database().history
        let old = try await history.operations(limit: Int.max).count { $0.at < moment }
        let what = old == 1 ? "1 operation" : "\(Numerals.grouped(old)) operations"
        if old == 0 { return .done("Nothing was done before that") }
        if input.dryRun { return .done("Would forget \(what)") }
        let question = "Forget \(what) and the way back to \(old == 1 ? "it" : "them"), for good?"
        guard try await input.confirm(question, consequence: "\(what) would be forgotten") else { return .cancelled }
        let count = try await history.prune(before: moment)
        _ = try await hub.pruneEvents()(before: moment)
        let done = count == 1 ? "1 operation is" : "\(Numerals.grouped(count)) operations are"
        return await Erasure(hub).finish(.done("\(done) forgotten; your data is as it was"))
    }
}
