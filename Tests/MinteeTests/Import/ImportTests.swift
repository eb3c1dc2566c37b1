import CivilDate
import Commands
import HubKit
import HubKitTesting
import MinteeDomain
import Storage
import System
import Testing

@testable import Mintee

extension MinteeFixture {
    /// Imports files that are given as text.
    @discardableResult
    func importing(
        _ files: (String, String)..., format: TaskImportFormat? = nil, isDryRun: Bool = false
    ) async throws -> TaskImportReport {
        let bundle = ImportBundle("sample", files.map { ImportBundle.File($0.0, Array($0.1.utf8)) })
        return try await mintee.importTasks(
            TaskImportSource(bundle), as: format, operation: operation("mintee import"), isDryRun: isDryRun)
    }

    /// The entries of the task named `name`, in short: `10-01 1`, `10-02 skip`.
    func days(_ name: String) async throws -> [String] {
        let record = try #require(try await mintee.listTasks().first { $0.draft.name == name })
        return try await store.read { try $0.entries(of: record.id) }.map { day, entry in
            let value = entry.skipReason == nil ? NumberText.text(entry.completion) : "skip"
            return "\(day.description.dropFirst(5)) \(value)\(entry.note.map { " \($0)" } ?? "")"
        }
    }

    /// Whether all rules hold and the derived years agree with the entries.
    func isSound() async throws -> Bool {
        let violations = try await mintee.ruleViolations()
        let stale = try await mintee.tasksWithStaleYears()
        return violations.isEmpty && stale.isEmpty
    }
}

struct ImportTests {
    private let log = """
        2026-10-01 : Run : y : slow : 5.5
        2026-10-02 : Run : n
        2026-10-03 : Run : s : ill :
        2026-10-03 : Read : y
        2026-10-04 : Read : maybe
        """
    private let habits = "! Sport\nRun: 3/7\n! Mind\nRead: 1\n"

    @Test func `good lines come in and a broken one is told with its line`() async throws {
        let fixture = MinteeFixture()
        let report = try await fixture.importing(("habits", habits), ("log", log))
        #expect(report.counts == [.new: 2] && report.skippedCount == 1)
        #expect(report.items.map(\.name) == ["Run", "Read"] && report.items.map(\.days) == [3, 1])
        #expect(report.items[0].words.isEmpty)
        #expect(report.skipped.first?.place.line == 5)
        #expect(try await fixture.days("Run") == ["10-01 5.5 slow", "10-02 0", "10-03 skip ill"])
        #expect(try await fixture.mintee.tasks.tags().map(\.tag) == ["Mind", "Sport"])
        #expect(try await fixture.isSound())
    }

    @Test func `the same file again changes nothing, whatever was edited here since`() async throws {
        let fixture = MinteeFixture()
        try await fixture.importing(("habits", habits), ("log", log))
        let run = try #require(try await fixture.mintee.tasks.resolve("run").first)
        _ = try await fixture.mintee.updateTask(run.id, operation: fixture.operation()) {
            $0.name = "Jog"
            $0.tags = []
        }
        try await fixture.enter(run, "2026-10-02", .value(3))
        let before = try await fixture.snapshot()
        for _ in 0..<3 {
            let report = try await fixture.importing(("habits", habits), ("log", log))
            #expect(report.counts == [.unchanged: 2])
        }
        #expect(try await fixture.snapshot() == before)
        #expect(try await fixture.days("Jog") == ["10-01 5.5 slow", "10-02 3", "10-03 skip ill"])
    }

    @Test func `a task that is here gets the days that it lacks and keeps its own`() async throws {
        let fixture = MinteeFixture()
        let run = try await fixture.make("Run", "daily: x >= 4", tags: ["mine"], from: "2026-10-02", to: "2026-10-10")
        try await fixture.enter(run, "2026-10-02", .value(7))
        let report = try await fixture.importing(
            ("log", log + "\n2026-11-01 : Run : y\n2026-10-05 : Run : y : later :"))
        #expect(report.counts == [.new: 1, .updated: 1])
        let item = try #require(report.items.first { $0.name == "Run" })
        #expect(item.days == 4 && item.words.last == "1 day (2026-10-02) already entered here, kept")
        #expect(
            try await fixture.days("Run") == [
                "10-01 5.5 slow", "10-02 7", "10-03 skip ill", "10-05 1 later", "11-01 1",
            ])
        let after = try #require(try await fixture.mintee.listTasks().first { $0.id == run.id })
        #expect(after.draft.tags == ["mine"])
        let (from, to) = (try #require(CivilDate("2026-10-01")), try #require(CivilDate("2026-11-01")))
        #expect(after.draft.schedule == .recurring(from: from, to: to, [try TargetSet("daily: x >= 4")]))
        #expect(try await fixture.isSound())
    }

    @Test func `days on which the task here is not due are told and lose nothing`() async throws {
        let fixture = MinteeFixture()
        let run = try await fixture.make("Run", "Fri", from: "2026-10-01")
        try await fixture.enter(run, "2026-10-02", .note("slow"))
        let report = try await fixture.importing(("log", log))
        #expect(report.counts == [.new: 1, .unchanged: 1])
        #expect(
            report.skipped.map(\.message) == [
                "\"maybe\" is not y, n or s", "2 days (2026-10-01, …) left out: the task is not due then",
            ])
        #expect(try await fixture.days("Run") == ["10-02 0 slow"])
        let chosen = try await fixture.make("Walk", dates: ["2026-10-01"])
        try await fixture.enter(chosen, "2026-10-01", .done)
        try await fixture.importing(("log", "2026-10-01 : Walk : n\n2026-10-09 : Walk : y : far :\n"))
        #expect(try await fixture.days("Walk") == ["10-01 1", "10-09 1 far"])
        #expect(try await fixture.isSound())
    }

    @Test func `a note that is missing here is taken over, one that is here stays`() async throws {
        let fixture = MinteeFixture()
        let run = try await fixture.make("Run")
        try await fixture.enter(run, "2026-10-01", .value(5.5))
        try await fixture.enter(run, "2026-10-03", .note("mine"))
        try await fixture.importing(("log", log))
        #expect(try await fixture.days("Run") == ["10-01 5.5 slow", "10-02 0", "10-03 0 mine"])
    }

    @Test func `a task in the trash comes back`() async throws {
        let fixture = MinteeFixture()
        try await fixture.importing(("log", log))
        let run = try #require(try await fixture.mintee.tasks.resolve("run").first)
        try await fixture.mintee.tasks.delete([run.id], operation: fixture.operation())
        let report = try await fixture.importing(("log", log))
        #expect(report.counts == [.new: 1, .unchanged: 1])
        #expect(try await fixture.mintee.tasks.resolve("run").map(\.id) == [run.id])
        #expect(try await fixture.days("Run").count == 3)
    }

    @Test func `a plan is what the import then does`() async throws {
        let fixture = MinteeFixture()
        try await fixture.make("Read")
        let before = try await fixture.snapshot()
        let plan = try await fixture.importing(("habits", habits), ("log", log), isDryRun: true)
        #expect(try await fixture.snapshot() == before)
        #expect(try await fixture.database.history.operations(limit: 9).count == 1)
        let done = try await fixture.importing(("habits", habits), ("log", log))
        #expect(plan.counts == done.counts && plan.counts == [.new: 1, .updated: 1])
        #expect(plan.items.map(\.words) == done.items.map(\.words) && plan.items.map(\.days) == done.items.map(\.days))
    }

    @Test func `a whole import is one step of history, undone and redone as a whole`() async throws {
        let fixture = MinteeFixture()
        let read = try await fixture.make("Read", tags: ["mind"])
        try await fixture.enter(read, "2026-10-03", .value(4))
        let before = try await fixture.snapshot()
        let many = (0..<60).flatMap { task in (1...28).map { "2026-02-\($0 < 10 ? "0" : "")\($0) : Task \(task) : y" } }
        try await fixture.importing(("habits", habits), ("log", log + "\n" + many.joined(separator: "\n")))
        let after = try await fixture.snapshot()
        let history = fixture.database.history
        #expect(try await history.operations(limit: 9).map(\.name) == ["mintee import", "mintee set", "mintee new"])
        #expect(try await history.undo(as: fixture.operation("undo")).isPossible)
        #expect(try await fixture.snapshot() == before)
        #expect(try await fixture.isSound())
        #expect(try await history.redo(as: fixture.operation("redo")).isPossible)
        #expect(try await fixture.snapshot() == after)
        #expect(try await fixture.isSound())
    }

    @Test(arguments: ["nothing here", "", "# only a comment\n", "{\"analyses\":[],\"tasks\":[]}"])
    func `a file without tasks is refused`(text: String) async throws {
        let fixture = MinteeFixture()
        let error = await #expect(throws: HubError.self) { try await fixture.importing(("x", text)) }
        #expect(error?.kind == .invalid && error?.code == "no-tasks")
        #expect(try await fixture.database.history.operations(limit: 9).isEmpty)
    }
}

extension MinteePlugin {
    /// Imports one source. Throws if nothing of it can be read.
    func importTasks(
        _ source: TaskImportSource, as format: TaskImportFormat? = nil, horizon: CivilDate? = nil, operation: Operation,
        isDryRun: Bool = false
    ) async throws -> TaskImportReport {
        let file = TaskImportFile(source.bundle.name) { source }
        return try await importTasks(
            [file], as: format, horizon: horizon, operation: operation, isDryRun: isDryRun)[0]
    }
}
