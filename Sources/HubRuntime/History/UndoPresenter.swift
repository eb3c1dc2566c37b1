import Commands
import HubKit
import Storage

/// The output of `hub undo` and `hub redo`: what changed, or the reason why nothing did.
struct UndoPresenter: Sendable {
    private let hub: Hub
    private let naming: OperationFormatter
    private let names: EntityNames

    init(_ hub: Hub) throws {
        self.hub = hub
        naming = try OperationFormatter(hub)
        names = EntityNames(hub)
    }

    private static let fields = [
        Field<UndoReport>("operation", "OPERATION", help: "id of the operation that was undone or redone") {
            .text($0.target.id)
        },
        Field<UndoReport>("command", "COMMAND", help: "command line of the operation") { .text($0.target.commandLine) },
        Field<UndoReport>("subjects", "SUBJECTS", help: "plugin:id of each item that changed") { report in
            FieldValue(report.subjects.flatMap { plugin, ids in ids.map { "\(plugin):\($0)" } }.sorted())
        },
        Field<UndoReport>("kept", "KEPT", help: "values that a later change has replaced, and that stay") { report in
            FieldValue(report.merged.flatMap(\.kept))
        },
    ]

    /// Undoes the operation `id`, or the user's last one, and returns the output.
    func undo(_ id: String?, as operation: Operation, isDryRun: Bool) async throws -> Output {
        let history = try hub.database().history
        let plan = try await history.undo(id, as: operation, isDryRun: true)
        let before = try await names.names(of: plan.subjects)
        guard !isDryRun, plan.isPossible else { return try await output(plan, before: before, isDryRun: true) }
        return try await output(try await history.undo(id, as: operation), before: before, isDryRun: false)
    }

    /// Redoes the user's last undone operation, and returns the output.
    func redo(as operation: Operation, isDryRun: Bool) async throws -> Output {
        let history = try hub.database().history
        let plan = try await history.redo(as: operation, isDryRun: true)
        let before = try await names.names(of: plan.subjects)
        guard !isDryRun, plan.isPossible else { return try await output(plan, before: before, isDryRun: true) }
        return try await output(try await history.redo(as: operation), before: before, isDryRun: false)
    }

    /// Returns the output for `report`; `before` holds the names that the items had beforehand.
    func output(
        _ report: UndoReport, before: [String: [String: String]], isDryRun: Bool
    ) async throws -> Output {
        guard report.isPossible else { throw try await refusal(report) }
        let id = try await naming.short(report.target)
        let line = "\(id), \(naming.age(report.target)): \(report.target.commandLine)"
        if isDryRun {
            let verb = report.direction == .undo ? "Would undo" : "Would redo"
            return .record(
                report, Self.fields,
                human: ["\(verb) \(line)"] + (try await plan(report)) + (try await merges(report, before)))
        }
        let first =
            report.direction == .undo ? "Undone \(line). Redo: hub redo" : "Redone \(line). Undo: hub undo"
        let after = try await names.names(of: report.subjects)
        var output = Output.record(
            report, Self.fields, human: [first] + effects(report, before, after) + (try await merges(report, after)))
        output.isReport = true
        return output
    }

    private func plan(_ report: UndoReport) async throws -> [String] {
        var lines: [String] = []
        for (plugin, ids) in report.subjects.sorted(by: { $0.key < $1.key }) {
            lines += try await names.groups(ids, of: plugin).map { "  \($0.noun.counted($0.ids.count))" }
        }
        return lines
    }

    /// Returns lines that name the items which exist again, which no longer exist, and which have their old values.
    private func effects(
        _ report: UndoReport, _ before: [String: [String: String]], _ after: [String: [String: String]]
    ) -> [String] {
        var back: [String] = []
        var gone: [String] = []
        var changed: [String] = []
        for (plugin, ids) in report.subjects.sorted(by: { $0.key < $1.key }) {
            for id in ids {
                switch (before[plugin]?[id], after[plugin]?[id]) {
                case (nil, let name?): back.append(name)
                case (let name?, nil): gone.append(name)
                case (_?, let name?): changed.append(name)
                case (nil, nil): break
                }
            }
        }
        let groups = [("back", back), ("gone", gone), (report.direction == .undo ? "as before" : "changed", changed)]
        return groups.filter { !$0.1.isEmpty }.map { "  \($0.0): \(NameList.line($0.1))" }
    }

    /// Returns lines that name the items whose later changes are kept, and the values that therefore stay.
    private func merges(_ report: UndoReport, _ names: [String: [String: String]]) async throws -> [String] {
        func name(_ merge: MergedUndo) -> String { names[merge.owner]?[merge.subject] ?? merge.subject }
        var lines: [String] = []
        let whole = report.merged.filter(\.kept.isEmpty).map(name)
        if !whole.isEmpty { lines.append("  later changes kept: \(NameList.line(whole))") }
        for merge in report.merged where !merge.kept.isEmpty {
            var reason = ""
            if let last = merge.later.last {
                reason = " (changed later: \(try await naming.short(last)), \(last.who.text))"
            }
            lines.append(
                "  not \(report.direction == .undo ? "undone" : "redone"): \(name(merge)): "
                    + "\(merge.kept.joined(separator: ", "))\(reason)")
        }
        return lines
    }

    /// Returns the error that names the later changes which prevent the undo.
    private func refusal(_ report: UndoReport) async throws -> HubError {
        let id = try await naming.short(report.target)
        let verb = report.direction == .undo ? "undo" : "redo"
        let by = if case .service(let name) = report.target.who { " by \(name)" } else { "" }
        var details: [String] = []
        var inTheWay: [String] = []
        for (plugin, conflicts) in Dictionary(grouping: report.conflicts, by: \.owner).sorted(by: { $0.key < $1.key }) {
            let inConflict = Set(conflicts.compactMap(\.subject))
            let count = inConflict.count
            let subjects = report.subjects[plugin] ?? Array(inConflict)
            let total = subjects.count
            let groups = try await names.groups(subjects, of: plugin)
            let noun = groups.count == 1 ? groups[0].noun : .item
            let which =
                total == 1 ? "its \(noun.one)" : "\(count == 1 ? "one" : "\(count)") of its \(total) \(noun.many)"
            let later = Set(conflicts.flatMap(\.later)).sorted { $0.at < $1.at }
            if later.isEmpty {
                details.append("\(which) cannot take the old values: \(Self.reason(conflicts))")
            }
            for record in later.suffix(5) {
                let short = try await naming.short(record)
                details.append("\(which) changed later: \(short), \(record.who.text), \(record.commandLine)")
                if !inTheWay.contains(short) { inTheWay.append(short) }
            }
        }
        return HubError(
            .conflict, code: "\(verb)-conflict",
            "cannot \(verb) \(id) (\(report.target.commandLine)\(by), \(naming.age(report.target)))", details: details,
            hint: inTheWay.isEmpty
                ? nil : "undo \(inTheWay.reversed().joined(separator: ", ")) first, then \(id)")
    }

    private static func reason(_ conflicts: [UndoConflict]) -> String {
        conflicts.contains { $0.reason == .constraint }
            ? "a rule forbids them" : "a later change depends on the current values"
    }
}

/// The way operations are named in output: the shortest unique prefix of the id, the author, and the age.
struct OperationFormatter: Sendable {
    private let history: History
    private let time: RelativeTime

    init(_ hub: Hub) throws {
        history = try hub.database().history
        time = RelativeTime(now: hub.clock.now, zone: .system)
    }

    /// Returns the length of the shortest unique prefix of the id.
    func shown(_ record: OperationRecord) async throws -> Int {
        for length in ShortIDs.minimum..<record.id.count {
            let prefix = String(record.id.prefix(length))
            if try await history.operations(matching: prefix).count == 1 { return length }
        }
        return record.id.count
    }

    /// The id as short as it is unique.
    func short(_ record: OperationRecord) async throws -> String {
        String(record.id.prefix(try await shown(record)))
    }

    /// Returns the relative time of the operation.
    func age(_ record: OperationRecord) -> String { time.words(for: record.at) }
}
