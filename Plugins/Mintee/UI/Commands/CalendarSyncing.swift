import CivilDate
import HubKit
import Sync

/// Syncs accounts for a command, with progress and results for the terminal.
struct CalendarSyncing: Sendable {
    private let mintee: MinteePlugin
    private let input: Input

    init(_ mintee: MinteePlugin, _ input: Input) {
        self.mintee = mintee
        self.input = input
    }

    /// Returns one result per account; a failing account does not stop the others.
    func results(of setups: [ConfiguredAccount]) async throws -> [SyncResult] {
        if !setups.isEmpty, input.offline { throw HubError.offline }
        var results: [SyncResult] = []
        for setup in setups {
            let report = try await report(setup)
            input.console.report(nil)
            results.append(result(report))
        }
        return results
    }

    private func report(_ setup: ConfiguredAccount) async throws -> CalendarReport {
        let (input, name) = (input, setup.name)
        // Changes made by a sync are not the user's last command: hub undo skips them, and hub undo OP reverts them.
        let operation = Operation("mintee sync \(name)", who: .service("sync"), commandLine: input.commandLine)
        return try await mintee.syncAccount(setup, isDryRun: input.dryRun, operation: operation) { holder in
            let who = holder.map { "\($0.command) (process \($0.process))" } ?? "another hub"
            await input.console.show(["\(name) is being synced by \(who); waiting for it"])
        } progress: { progress in
            input.console.report(
                Progress(name, completed: progress.received + progress.sent, of: progress.total, unit: "days"))
        }
    }

    private func result(_ report: CalendarReport) -> SyncResult {
        var result = SyncResult(
            report.account, report.run.words(isPlan: input.dryRun),
            duration: .milliseconds(report.run.milliseconds), failure: report.failure)
        if report.failure != nil { result.text = "not synced" }
        if let who = report.doneBy { result.details.append("done by \(who)") }
        result.notes = notes(report)
        result.isPartial = !report.problems.isEmpty || report.doneBy != nil && report.run.problems > 0
        return result
    }

    private func notes(_ report: CalendarReport) -> [Diagnostic] {
        var notes = report.problems.prefix(10).map { problem in
            let who = [problem.task, problem.date?.description].compactMap(\.self).joined(separator: ", ")
            return Diagnostic.warning("\(who.isEmpty ? report.account : who): \(problem.text)", code: "not-synced")
        }
        if report.problems.count > 10 {
            notes.append(.warning("\(report.account): and \(report.problems.count - 10) more", code: "not-synced"))
        }
        return notes + report.notices.map { Diagnostic("\(report.account): \($0)", code: "calendar-notice") }
    }
}

/// `hub mintee sync` and `hub mintee status`.
enum CalendarCommands {
    private static let accounts = Arguments<String>(
        "ACCOUNT", .zeroOrMore, help: "only these accounts", completion: CalendarAccountsCommands.completion)

    static let sync = Command(
        "sync", summary: "sync tasks with your calendars",
        discussion: [
            "Each due day becomes a separate to-do in the calendar. Ticks and notes made there are synced back; if both sides "
                + "changed a day, the later change wins. A to-do that is deleted there is created again."
        ],
        examples: [
            Example("hub mintee sync", "all accounts"),
            Example("hub mintee sync posteo --dry-run", "plan for one account"),
        ], parameters: [accounts], fields: SyncResult.fields, changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        let setups = try mintee.calendarManager.register.accounts(input[accounts])
        return try SyncResult.output(
            try await CalendarSyncing(mintee, input).results(of: setups),
            empty: Diagnostic("No accounts", suggestions: CalendarAccountsCommands.firstSteps))
    }

    static let status = Command(
        "status", summary: "show sync state: last sync, pending changes, errors",
        examples: [
            Example("hub mintee status", "all accounts"),
            Example("hub mintee status --json=name,state,waiting", "for a script"),
        ], prominence: .more, parameters: [accounts], fields: CalendarState.fields
    ) { (mintee: MinteePlugin, input: Input) in
        let wanted = Set(try mintee.calendarManager.register.accounts(input[accounts]).map(\.name))
        let rows = try await mintee.getAccounts().filter { wanted.contains($0.setup.name) }
            .map { CalendarState($0, now: mintee.clock.now) }
        var output = Output.list(
            rows, CalendarState.fields,
            empty: Diagnostic("No accounts", suggestions: CalendarAccountsCommands.firstSteps))
        output.human = rows.isEmpty ? nil : lines(rows)
        return output
    }

    /// A line for each account: name, state and details.
    private static func lines(_ rows: [CalendarState]) -> [String] {
        let names = rows.map { DisplayWidth.of($0.item.setup.name) }.max() ?? 0
        let words = rows.map(\.word.count).max() ?? 0
        return rows.map { row in
            let name = row.item.setup.name
            return name + String(repeating: " ", count: names - DisplayWidth.of(name) + 2) + row.word
                + String(repeating: " ", count: words - row.word.count + 2) + "\(row.count), \(row.detail)"
        }
    }
}
