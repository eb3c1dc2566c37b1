import CivilDate
import MinteeDomain
import SQLite
import Storage
import Testing

@testable import Mintee

/// Values that SQLite takes and no task may have: days that a month lacks, and infinity.
struct ValueCheckTests {
    private func raw(_ sql: String, _ fixture: MinteeFixture) async throws {
        try await fixture.store.write(System.Operation("mintee raw", kind: .cache)) { try $0.run(sql) }
    }

    @Test(arguments: [
        "UPDATE mintee_task SET start_day = '2026-02-30'", "UPDATE mintee_task SET end_day = '2027-02-29'",
        "INSERT INTO mintee_instance (task, day, completion, entered) SELECT id, '2026-11-31', 1, 1 FROM mintee_task",
        "UPDATE mintee_target_set SET min = 9e999", "UPDATE mintee_target_set SET min = 1e308",
        "UPDATE mintee_summary SET start_day = 'soon', end_day = 'then', date_range = 0",
        "UPDATE mintee_analysis SET start_day = '2026-02-30', end_day = '2026-03-01', date_range = 0, range_type = 0",
    ])
    func `the store refuses`(sql: String) async throws {
        let fixture = MinteeFixture()
        try await fixture.make("Run", "daily: x >= 5", tags: ["fit"])
        _ = try await fixture.mintee.createAnalysis(
            Analysis(name: "Fit", tags: ["fit"]), operation: fixture.operation())
        let before = try await fixture.snapshot()
        await #expect(throws: (any Error).self) { try await raw(sql, fixture) }
        #expect(try await fixture.snapshot() == before)
    }

    /// A store of before the constraints, with rows that break them.
    private func broken(_ statements: String...) async throws -> MinteeFixture {
        let fixture = MinteeFixture(checks: "SELECT 1")
        try await fixture.make("Run", "daily: x >= 5", tags: ["fit"])
        _ = try await fixture.mintee.createAnalysis(
            Analysis(name: "Fit", tags: ["fit"]), operation: fixture.operation())
        for sql in statements { try await raw(sql, fixture) }
        return fixture
    }

    @Test(arguments: [
        ("UPDATE mintee_task SET start_day = '2026-02-30'", "TASK-2"),
        (
            "INSERT INTO mintee_instance (task, day, completion, entered) SELECT id, '2026-11-31', 1, 1 FROM mintee_task",
            "TI-5"
        ), ("UPDATE mintee_target_set SET min = 9e999", "I-7"),
        ("UPDATE mintee_summary SET start_day = 'soon', end_day = 'then', date_range = 0", "TSA-2"),
        ("UPDATE mintee_analysis SET start_day = 'a', end_day = 'b', date_range = 0, range_type = 0", "ANL-2"),
        ("UPDATE mintee_task SET name = char(8203)", "I-1"),
    ])
    func `check finds it, and does not end with it`(sql: String, code: String) async throws {
        let fixture = try await broken(sql)
        #expect(try await fixture.mintee.ruleViolations().map(\.rule).contains(RuleCode(code)))
    }

    @Test func `rows of older stores are mended`() async throws {
        let fixture = try await broken(
            "UPDATE mintee_task SET start_day = '2026-02-30', end_day = '2026-02-31', open_end = 0",
            """
            INSERT INTO mintee_instance (task, day, completion, entered)
            SELECT id, column1, column2, 1 FROM mintee_task, (VALUES ('2026-02-31', 7), ('2026-02-29', 1), ('2026-03-01', 3))
            """, "UPDATE mintee_target_set SET max_operator = 2, max = 9e999",
            "UPDATE mintee_summary SET start_day = 'soon', end_day = 'then', date_range = 0",
            "UPDATE mintee_analysis SET start_day = '2026-02-30', end_day = '2026-02-31', date_range = 0, range_type = 0"
        )
        let rows = try await fixture.store.write(System.Operation("mintee raw", kind: .cache)) { transaction in
            for statement in ValueChecks.tables.split(separator: ";\n") where !statement.contains("ALTER TABLE") {
                try transaction.run(String(statement))
            }
            return (
                try transaction.rows("SELECT start_day || end_day FROM mintee_task") { $0.text(0) },
                try transaction.rows("SELECT day || ' ' || completion FROM mintee_instance ORDER BY 1") { $0.text(0) },
                try transaction.targetSets(of: try transaction.tasks(.all)[0].id).map(\.description),
                try transaction.rows("SELECT date_range FROM mintee_summary") { $0.int(0) },
                try transaction.rows("SELECT start_day || end_day FROM mintee_analysis") { $0.text(0) }
            )
        }
        #expect(rows.0 == ["2026-03-022026-03-03"])
        #expect(rows.1 == ["2026-03-01 3.0", "2026-03-03 7.0"], "a day that is there already stays")
        #expect(rows.2 == ["daily: x >= 5"] && rows.3 == [365])
        #expect(rows.4 == ["2026-03-022026-03-03"])
    }
}
