import ContactsDomain
import HubKit
import Sync

/// Syncs accounts from the command line with progress, prompts and a formatted result.
struct AccountSyncCommand: Sendable {
    private let contacts: ContactsPlugin
    private let input: Input
    private let isForced: Bool

    init(_ contacts: ContactsPlugin, _ input: Input, isForced: Bool = false) {
        self.contacts = contacts
        self.input = input
        self.isForced = isForced
    }

    /// Returns one result per account. If one account fails, the others still sync.
    func results(of setups: [ConfiguredAccount]) async throws -> [SyncResult] {
        if !setups.isEmpty, input.offline { throw HubError.offline }
        var results: [SyncResult] = []
        for setup in setups {
            let report = try await report(setup)
            input.console.report(nil)
            results.append(try await result(report))
        }
        return results
    }

    private func report(_ setup: ConfiguredAccount) async throws -> AccountSyncReport {
        let (input, name) = (input, setup.name)
        let options = SyncOptions(isDryRun: input.dryRun, isForced: isForced) { question in
            try await Self.consent(question, name, input)
        }
        return try await contacts.syncAccount(
            setup, options: options, operation: operation(name)
        ) { holder in
            let who = holder.map { "\($0.command) (process \($0.process))" } ?? "another hub"
            await input.console.show(["\(name) is being synced by \(who); waiting for it"])
        } progress: { progress in
            input.console.report(
                Progress(
                    name, completed: progress.received + progress.sent,
                    of: progress.toReceive.map { $0 + progress.sent }, unit: "cards"))
        }
    }

    /// The operation of a sync. `hub undo` skips it; `hub undo OP` can undo it.
    private func operation(_ account: String) -> Operation {
        Operation("contacts sync \(account)", who: .service("sync"), commandLine: input.commandLine)
    }

    private static func consent(_ question: SyncQuestion, _ account: String, _ input: Input) async throws -> Bool {
        let what = question.words
        return try await input.confirm(
            "\(account): \(what). Continue?", consequence: "\(account): \(what)")
    }

    private func result(_ report: AccountSyncReport) async throws -> SyncResult {
        var result = SyncResult(
            report.account, report.run.words(isPlan: input.dryRun),
            duration: .milliseconds(report.run.milliseconds), failure: report.failure)
        if report.failure != nil { result.text = "not synced" }
        if let who = report.doneBy { result.details.append("synced by \(who)") }
        result.notes = try await notes(report)
        result.isPartial =
            !report.conflicts.isEmpty || !report.problems.isEmpty || !report.withheld.isEmpty || report.standing > 0
            || !report.bookFailures.isEmpty
            || report.doneBy != nil && report.run.conflicts + report.run.problems > 0
        return result
    }

    private func notes(_ report: AccountSyncReport) async throws -> [Diagnostic] {
        var notes: [Diagnostic] = []
        if let first = report.conflicts.first {
            var told: [String] = []
            for conflict in report.conflicts.prefix(5) {
                told.append(
                    "\(try await contacts.entities.label(of: conflict.contact)), \(conflict.fields.joined(separator: ", "))"
                )
            }
            let count = report.conflicts.count
            if count > 5 { told.append("and \(count - 5) more") }
            let short = try await contacts.entities.shortID(of: first.contact.id)
            notes.append(
                .warning(
                    "\(count == 1 ? "1 conflict" : "\(count) conflicts") kept, both versions are safe: "
                        + told.joined(separator: "; "), code: "conflict-kept",
                    hint: count == 1 ? "hub contacts conflicts resolve \(short)" : "hub contacts conflicts"))
        }
        for question in report.withheld {
            notes.append(
                .warning(
                    "\(report.account): \(question.words); nothing was removed", code: "removal-withheld",
                    hint: "to confirm: hub contacts sync \(report.account) --yes"))
        }
        for problem in report.problems.prefix(10) {
            let who = try await problem.contact.asyncMap { try await contacts.entities.label(of: $0) } ?? report.account
            notes.append(.warning("\(who): \(problem.text)", code: "not-synced"))
        }
        if report.problems.count > 10 {
            notes.append(.warning("\(report.account): and \(report.problems.count - 10) more", code: "not-synced"))
        }
        if report.standing > 0 {
            let text =
                report.standing == 1 ? "1 item is still not synced" : "\(report.standing) items are still not synced"
            notes.append(
                .warning("\(report.account): \(text)", code: "still-not-synced", hint: "hub contacts status"))
        }
        for failure in report.bookFailures {
            let reason = failure.details.first.map { ": \($0)" } ?? ""
            notes.append(.warning(failure.message + reason, code: failure.code, hint: failure.hint))
        }
        for loss in report.losses.prefix(10) {
            notes.append(
                .warning(
                    "\(try await contacts.entities.label(of: loss.contact)): the server did not store \(loss.fields.joined(separator: ", "))"
                        + "; the contact here is complete", code: "not-kept"))
        }
        if report.losses.count > 10 {
            notes.append(
                .warning(
                    "\(report.account): \(report.losses.count - 10) more contacts were not stored completely",
                    code: "not-kept"))
        }
        for twin in report.twins.prefix(5) {
            notes.append(
                .warning(
                    "\(try await contacts.entities.label(of: twin)) is only here and was not merged with the card from \(report.account)",
                    code: "twin", hint: "hub contacts duplicates"))
        }
        notes += report.news.map { Diagnostic($0, code: "book-new") }
        notes += report.notices.prefix(10).map { .warning($0, code: "book-notice") }
        return notes
    }
}

extension SyncQuestion {
    /// `120 of 400 contacts would be removed here`.
    fileprivate var words: String {
        let sides = [(removedHere, "here"), (removedThere, "there")].filter { $0.0 > 0 }
        return sides.map {
            "\(NumberFormat.grouped($0.0)) of \(NumberFormat.grouped(total)) contacts would be removed \($0.1)"
        }
        .joined(separator: ", ")
    }
}

extension Optional where Wrapped: Sendable {
    fileprivate func asyncMap<Result>(_ body: (Wrapped) async throws -> Result) async rethrows -> Result? {
        guard let self else { return nil }
        return try await body(self)
    }
}
