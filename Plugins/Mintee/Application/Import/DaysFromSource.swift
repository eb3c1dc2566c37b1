import CivilDate
import Commands
import HubKit
package import MinteeDomain
import Storage

extension MinteePlugin {
    /// Returns the task with the days and targets that it has in a file of another program, from which it was imported; of an
    /// earlier import, its target over several days may be missing.
    ///
    /// All days between start and end stay possible if the file has a target over several days, so nothing filled is dropped.
    /// Throws `not-found` if the file does not have the task.
    package func draft(of record: TaskRecord, fromSource source: TaskImportSource) async throws -> TaskDraft {
        let found = try await found(in: source, as: nil, nil)
        let identity = try await store.read { try $0.source(of: record.id) }
        let named = found.tasks.tasks.filter { $0.draft.name == record.draft.name }
        let identified = found.tasks.tasks.filter { !$0.source.isEmpty && $0.source == identity }
        guard let task = identified.first ?? named.first else {
            throw HubError(
                .notFound, code: "not-in-file",
                "\(TerminalSanitizer.line(source.bundle.name)) does not have \(record.draft.name)",
                details: found.tasks.tasks.prefix(20).map(\.draft.name))
        }
        var draft = record.draft
        draft.period = task.draft.period
        switch (record.draft.schedule, task.draft.schedule) {
        case (.recurring(let start, let end, _), .recurring(let first, _, let sets)):
            draft.schedule = .recurring(from: min(start, first), to: end, sets)
        case (.specific, _), (_, .specific): draft.schedule = task.draft.schedule
        }
        if case .specific = record.draft.schedule { draft.hasOpenEnd = task.draft.hasOpenEnd }
        return draft
    }
}

extension TaskImportPlan {
    /// The target over several days that the file has and the task here, due every day, lacks, with the command that takes it
    /// over; nil if there is none.
    func missingPeriod(_ task: ImportedTask) -> String? {
        guard let record, record.draft.period == nil, let period = task.draft.period,
            record.draft.schedule.sets.map(\.pattern) == [.daily]
        else { return nil }
        let name = record.draft.name
        return "\(name) is \(period) in the file: hub mintee edit \"\(name)\" --from-source FILE takes it over"
    }
}
