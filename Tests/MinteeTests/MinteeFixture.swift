import CivilDate
import Commands
import HubKitTesting
import MinteeDomain
import SQLite
import Storage
import Synchronization
import Testing

@testable import Mintee

/// Mintee on a real database in memory.
final class MinteeFixture: Sendable {
    let database: Database
    let store: Store
    let clock = FixedClock()
    let mintee: MinteePlugin

    /// `tables` are the statements that make the tables; a test may leave a rule out.
    convenience init(
        tables: String = MinteeSchema.tables, checks: String = ValueChecks.tables,
        periods: String = PeriodSchema.tables, places: String = PlaceSchema.tables,
        intervals: String = IntervalSchema.tables, holidays: String = HolidaySchema.tables, config: Config = Config()
    ) {
        let schema = MinteeSchema.schema(
            tables, checks: checks, periods: periods, places: places, intervals: intervals, holidays: holidays
        ) {
            try $1.announceTasks($0)
        }
        self.init(schema, at: .memory, config: config)
    }

    /// Mintee with these tables and settings.
    init(_ schema: PluginSchema, at location: Database.Location, config: Config = Config()) {
        database = Database(at: location, plugins: [schema], clock: clock, executors: .queues)
        store = database.store(for: "mintee")
        mintee = MinteePlugin(context: .testing(store, clock: clock, config: config), links: PlayedServer())
    }

    var day: DayBoundary { mintee.day }
    var today: CivilDate { day.today }

    func operation(_ name: String = "mintee test") -> System.Operation { System.Operation(name) }

    /// Makes a task due by these sets from 1 October 2026 on.
    @discardableResult
    func make(
        _ name: String, _ sets: String..., tags: [String] = [], from: String = "2026-10-01", to: String? = nil
    ) async throws -> TaskRecord {
        let start = try #require(CivilDate(from))
        let end = try to.map { try #require(CivilDate($0)) }
        let draft = TaskDraft(
            name: name, tags: tags,
            schedule: .recurring(
                from: start, to: end ?? today.adding(days: 365),
                try (sets.isEmpty ? ["daily"] : sets).map { try TargetSet($0) }),
            hasOpenEnd: end == nil)
        return try await mintee.createTask(draft, operation: operation("mintee new"))
    }

    /// Makes a task with a target over several days, such as `3 times a week`.
    @discardableResult
    func makePeriod(
        _ name: String, _ words: String, from: String = "2026-11-02", remindAt: Int? = nil
    ) async throws -> TaskRecord {
        let days = try DueDays(words)
        let start = try #require(CivilDate(from))
        let draft = TaskDraft(
            name: name, schedule: .recurring(from: start, to: today.adding(days: 365), days.sets),
            period: days.period, hasOpenEnd: true, remindAt: remindAt)
        return try await mintee.createTask(draft, operation: operation("mintee new"))
    }

    /// Makes a task of chosen dates.
    @discardableResult
    func make(_ name: String, dates: [String], tags: [String] = []) async throws -> TaskRecord {
        let days = try dates.map { try #require(CivilDate($0)) }
        return try await mintee.createTask(
            TaskDraft(name: name, tags: tags, schedule: .dates(days)), operation: operation("mintee new"))
    }

    /// Makes a task of a JSON document, with its entries.
    func make(from json: JSONValue) async throws {
        let (document, violations) = TaskDocument.read(json, today: today)
        try (violations + document.draft.farViolations()).enforce()
        try await store.write(operation()) { transaction in
            let record = try transaction.createTask(document.draft.trimmed)
            try transaction.setSummary(document.summary, of: record.id)
            for (date, entry) in document.entries {
                guard record.draft.isDue(on: date) else { throw HubError.notDue(record, on: date) }
                try transaction.setEntry(entry, of: record, on: date)
            }
        }
    }

    /// Sets the chart of a task's progress.
    func setSummary(_ summary: TaskSummary, of id: String, _ operation: System.Operation? = nil) async throws {
        try summary.violations.map { RuleViolation($0, id) }.enforce()
        try summary.range.requireBounded(of: id)
        try await store.write(operation ?? self.operation()) { transaction in
            let record = try transaction.liveTask(id)
            try transaction.setSummary(summary, of: id)
            try transaction.emit(MinteeEvents.taskChanged, id, name: record.draft.name)
        }
    }

    /// Enters something for a day.
    @discardableResult
    func enter(
        _ record: TaskRecord, _ date: String, _ change: EntryChange
    ) async throws -> TaskEntry {
        try await mintee.logCompletion(
            of: record.id, on: try #require(CivilDate(date)), change, operation: operation("mintee set"))
    }

    /// Every row of every table, to see whether two moments are alike.
    func snapshot() async throws -> [String] {
        try await store.read { transaction in
            try [
                "task", "target_set", "interval", "period_target", "place", "instance", "tag", "task_tag", "summary",
                "analysis",
                "analysis_tag", "setting", "holiday_calendar", "holiday", "exception", "worked_holiday",
                "year",
            ].flatMap { table in
                try transaction.rows("SELECT * FROM mintee_\(table)") { row in
                    table + " "
                        + (0..<row.count).map { row.value($0).description + (row.isNull($0) ? "" : ".") }.joined(
                            separator: "|")
                        + (table == "year" ? " \(row.blob(3))" : "")
                }.sorted()
            }
        }
    }
}
