import CivilDate
import HubKit
import HubKitTesting
import MinteeDomain
import Storage
import TestSupport
import Testing

@testable import Mintee

/// What was done before the store had its constraints on values is undone and redone after they came: all of it, or nothing
/// and with the reason.
struct MigrationUndoTests {
    private static let full = MinteeSchema.schema { try $1.announceTasks($0) }

    /// A store in `folder` that knows the first `count` migrations; all of them without a count. The tables of period targets,
    /// places, intervals and holidays, which every task is read with, and those of devices come before the others.
    private func open(_ folder: String, migrations count: Int? = nil) -> MinteeFixture {
        var all = Self.full.migrations
        all.insert(all.remove(at: 5), at: 2)
        all.insert(all.remove(at: 6), at: 2)
        all.insert(all.remove(at: 7), at: 2)
        all.insert(all.remove(at: 8), at: 2)
        all.insert(all.remove(at: 10), at: 2)
        let schema = PluginSchema(
            owner: "mintee", migrations: Array(all.prefix(count.map { $0 + 5 } ?? all.count)),
            recorded: Self.full.recorded,
            reindex: Self.full.reindex, announce: Self.full.announce)
        return MinteeFixture(schema, at: .directory(folder))
    }

    /// The rows without the columns that came later.
    private func facts(_ fixture: MinteeFixture, isNew: Bool = true) async throws -> [String] {
        return try await fixture.snapshot().map { row in
            let table = row.prefix { $0 != " " }
            let hasMore = ["task", "target_set", "instance", "summary", "analysis"].contains(String(table))
            guard isNew, hasMore else { return row }
            return String(row.prefix(upTo: row.lastIndex(of: "|") ?? row.endIndex))
        }
    }

    /// What a person may have done with the older program, one operation each.
    private func work(_ fixture: MinteeFixture) async throws -> [[String]] {
        var states = [try await facts(fixture, isNew: false)]
        func done() async throws {
            fixture.clock.advance(by: .seconds(60))
            states.append(try await facts(fixture, isNew: false))
        }
        let read = try await fixture.make("Read", "daily: x >= 20", tags: ["home"])
        try await done()
        try await fixture.enter(read, "2026-11-19", .value(7))
        try await done()
        try await fixture.enter(read, "2026-11-19", .note("slow"))
        try await done()
        _ = try await fixture.mintee.createAnalysis(
            Analysis(name: "Home", tags: ["home"]), operation: fixture.operation("mintee analyses new"))
        try await done()
        let lost = [try #require(CivilDate("2026-11-19"))]
        _ = try await fixture.mintee.updateTask(read.id, losing: lost, operation: fixture.operation("mintee edit")) {
            $0.schedule = .recurring(
                from: try TaskForms.day("2026-11-20"), to: try TaskForms.day("2027-11-20"),
                [try TargetSet("Mon: x < 3")])
        }
        try await done()
        let habits = (1...40).map { "1 Habit \($0)\n" }.joined()
        let log = (1...40).map { "2026-11-18\tHabit \($0)\ty\n" }.joined()
        try await fixture.importing(("habits", habits), ("log", log), format: .habitctl)
        try await done()
        _ = try await fixture.mintee.tasks.delete([read.id], operation: fixture.operation("mintee rm"))
        try await done()
        return states
    }

    @Test func `all that was done with the older store is undone and redone with the newer one`() async throws {
        try await withTemporaryDirectory { folder in
            let old = open(folder, migrations: 2)
            let states = try await work(old)
            await old.database.close()
            let new = open(folder)
            let history = new.database.history
            #expect(try await facts(new) == states.last)
            for state in states.dropLast().reversed() {
                let report = try await history.undo(as: new.operation("undo"))
                #expect(report.isPossible, "\(report.target.commandLine): \(report.conflicts)")
                #expect(try await facts(new) == state, "\(report.target.commandLine)")
                #expect(try await new.mintee.ruleViolations() == [])
            }
            for state in states.dropFirst() {
                let report = try await history.redo(as: new.operation("redo"))
                #expect(report.isPossible && report.direction == .redo, "\(report.target.commandLine)")
                #expect(try await facts(new) == state, "\(report.target.commandLine)")
            }
            #expect(try await new.mintee.tasksWithStaleYears() == [])
        }
    }

    /// A value that the newer store cannot hold does not come back, nor does anything else of its operation.
    @Test func `what the newer store refuses is not undone, is told, and changes nothing`() async throws {
        try await withTemporaryDirectory { folder in
            let old = open(folder, migrations: 2)
            let read = try await old.make("Read", "daily: x >= 20")
            let (raw, edit, both) = (old.operation("raw"), old.operation("edit"), old.operation("both"))
            try await old.store.write(raw) {
                try $0.run("UPDATE mintee_target_set SET max_operator = 2, max = 9e999")
                try $0.run("UPDATE mintee_task SET start_day = '2026-02-30', open_end = 0")
            }
            try await old.store.write(edit) { try $0.run("UPDATE mintee_task SET notes = 'kept'") }
            // The bad values go, together with a name that is good.
            try await old.store.write(both) {
                try $0.run("UPDATE mintee_target_set SET max_operator = 0, max = 0")
                try $0.run("UPDATE mintee_task SET start_day = '2026-03-01', name = 'Read more'")
            }
            await old.database.close()
            let new = open(folder)
            let before = try await facts(new)
            let report = try await new.database.history.undo(as: new.operation("undo"))
            #expect(!report.isPossible && report.conflicts.contains { $0.reason == .constraint })
            #expect(report.conflicts.allSatisfy { $0.subject == read.id })
            #expect(try await facts(new) == before)
        }
    }

    /// Rows that the migration has put right are no longer as they were left; nothing is taken back over that.
    @Test func `what the migration has put right is not overwritten by an undo`() async throws {
        try await withTemporaryDirectory { folder in
            let old = open(folder, migrations: 2)
            try await old.make("Read", "daily: x >= 20")
            try await old.store.write(old.operation("raw")) {
                try $0.run("UPDATE mintee_task SET start_day = '2026-02-30'")
            }
            await old.database.close()
            let new = open(folder)
            let before = try await facts(new)
            #expect(before.contains { $0.hasPrefix("task ") && $0.contains("2026-03-02") })
            let report = try await new.database.history.undo(as: new.operation("undo"))
            #expect(!report.isPossible && report.conflicts.map(\.reason) == [.changedLater])
            #expect(try await facts(new) == before)
        }
    }
}

private enum TaskForms {
    static func day(_ text: String) throws -> CivilDate { try #require(CivilDate(text)) }
}
