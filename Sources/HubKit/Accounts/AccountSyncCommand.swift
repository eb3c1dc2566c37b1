import Commands
import Storage
import Sync

/// Syncs accounts for a command, with progress and questions on the terminal.
struct AccountSyncCommand<P: AccountPlugin>: Sendable {
    private let plugin: P
    private let input: Input
    private let isForced: Bool
    /// Whether an absent account that comes and goes is an error.
    private let needsPresence: Bool

    init(_ plugin: P, _ input: Input, isForced: Bool = false, needsPresence: Bool = false) {
        self.plugin = plugin
        self.input = input
        self.isForced = isForced
        self.needsPresence = needsPresence
    }

    /// Returns one result per account. If one account fails, the others still sync.
    func results(of setups: [ConfiguredAccount]) async throws -> [SyncResult] {
        if !setups.isEmpty, input.offline { throw HubError.offline }
        var results: [SyncResult] = []
        for setup in setups {
            let (name, input) = (setup.name, input)
            input.console.wait(for: name)
            let report = try await plugin.accounts.sync(setup, request(name)) { holder in
                let who = holder.map { "\($0.command) (process \($0.process))" } ?? "another hub"
                await input.console.show(["\(name) is being synced by \(who); waiting for it"])
            }
            input.console.report(nil)
            results.append(try await result(report))
        }
        return results
    }

    private func request(_ name: String) -> SyncRequest {
        let (kind, input) = (P.Accounts.kind, input)
        // The changes of a sync are not the user's last command: hub undo skips them, hub undo OP reverts them.
        var request = SyncRequest(
            Operation("\(kind.plugin) sync \(name)", who: .service("sync"), commandLine: input.commandLine))
        request.isDryRun = input.dryRun
        request.isAwaited = true
        request.isForced = isForced
        request.confirm = { what in
            try await input.confirm("\(name): \(what). Continue?", consequence: "\(name): \(what)")
        }
        request.progress = { completed, total in
            input.console.report(Progress(name, completed: completed, of: total, unit: kind.unit))
        }
        return request
    }

    private func result(_ report: SyncReport<P.Accounts.Details>) async throws -> SyncResult {
        var result = SyncResult(
            report.run.account, report.run.words(isPlan: input.dryRun),
            duration: .milliseconds(report.run.milliseconds), failure: report.failure)
        if report.failure != nil { result.text = "not synced" }
        if P.Accounts.kind.isIntermittent, report.isAbsent, !needsPresence {
            (result.text, result.failure) = ("not there", nil)
        }
        if let who = report.doneBy { result.details.append("synced by \(who)") }
        result.notes = try await plugin.notes(on: report)
        result.isPartial = report.run.conflicts + report.run.problems > 0
        return result
    }
}
