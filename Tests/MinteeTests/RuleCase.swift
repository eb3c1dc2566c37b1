import CivilDate
import HubKit
import MinteeDomain
import Storage
import System
import Testing

@testable import Mintee

/// One rule: how a use case is asked to break it, the SQL that breaks it, and what the store or `check` says then.
struct RuleCase: Sendable, CustomTestStringConvertible {
    let code: RuleCode
    /// SQL that violates the rule, bypassing the use cases; ids are in braces.
    let sql: String
    /// The constraint that must refuse it, as SQLite names it; the code itself when `check` must find it.
    let witness: String
    /// Whether the attempt may change data, because the use case corrects it instead of refusing.
    let mayChange: Bool
    /// The tables without the constraint; the same when there is none.
    let without: @Sendable (String) -> String
    /// Asks a use case to break the rule.
    let attempt: @Sendable (RuleWorld) async throws -> Void

    var testDescription: String { code.description }

    /// Whether a constraint holds the rule, and not `check` alone.
    var isConstraint: Bool { witness != code.description }

    /// A rule held by a named CHECK, or by `check` when `witness` is nil.
    init(
        _ code: RuleCode, _ sql: String, _ witness: String? = nil, mayChange: Bool = false,
        without: (@Sendable (String) -> String)? = nil, attempt: @escaping @Sendable (RuleWorld) async throws -> Void
    ) {
        self.code = code
        self.sql = sql
        self.witness = witness ?? code.description
        self.mayChange = mayChange
        self.without = without ?? { witness.map($0.leavingOut) ?? $0 }
        self.attempt = attempt
    }
}

extension String {
    /// The statements without the CHECK of this name.
    func leavingOut(_ constraint: String) -> String {
        guard let start = firstRange(of: "CONSTRAINT \(constraint) CHECK (") else { return self }
        var depth = 1
        var index = start.upperBound
        while depth > 0, index < endIndex {
            if self[index] == "(" { depth += 1 }
            if self[index] == ")" { depth -= 1 }
            index = self.index(after: index)
        }
        return self[..<start.lowerBound] + "CONSTRAINT \(constraint) CHECK (1)" + self[index...]
    }
}

extension RuleWorld {
    /// Enters a tag in another spelling; the store must keep one tag.
    func oneTag(_ name: String) async throws {
        _ = try await fixture.mintee.tasks.setTags(of: [specific.id], adding: [name], operation: fixture.operation())
        if try await fixture.mintee.tasks.tags().map(\.tag) == ["health"] { throw Held() }
    }

    /// Takes a tag from the last task that has it; the tag must go, also from analyses.
    func lastTag() async throws {
        _ = try await fixture.mintee.tasks.setTags(
            of: [recurring.id], removing: ["Health"], operation: fixture.operation())
        let rows = try await fixture.snapshot()
        if !rows.contains(where: { $0.hasPrefix("tag ") || $0.hasPrefix("analysis_tag ") }) { throw Held() }
    }

    /// Puts an analysis on the home page twice.
    func order() async throws {
        try await fixture.mintee.orderAnalyses([health.id, health.id], operation: fixture.operation())
    }

    /// Gives a chart to a task that there is not.
    func nobodysSummary() async throws {
        do {
            try await fixture.setSummary(TaskSummary(), of: "1nobody")
        } catch let error as HubError where error.kind == .notFound {
            throw Held()
        }
    }

    /// Enters a value for a task that there is not.
    func entryWithoutTask() async throws {
        do {
            try await enter("1nobody", "2026-11-20")
        } catch let error as HubError where error.kind == .notFound {
            throw Held()
        }
    }

    /// Creates a task that ends before it starts; its own rule refuses that.
    func endBeforeStart() async throws {
        do {
            try await fixture.make("New", from: "2026-12-31", to: "2026-01-01")
        } catch let error as HubError where error.code == "task-6" {
            throw Held()
        }
    }

    /// Sets a theme that there is not.
    func theme() async throws { _ = try await fixture.mintee.setTheme("Pink", operation: fixture.operation()) }
}

extension RuleCase {
    /// The cases in the order of the rules.
    static let all: [RuleCase] = tasks + sets + groups + legends + charts + implied + periods

    private static let periods: [RuleCase] = [
        RuleCase(
            "PT-1",
            #"INSERT INTO mintee_period_target (task, period, days, measure, min_operator, max_operator, min, max) VALUES ({r}, 0, NULL, 0, 9, 0, 3, 0)"#,
            "PT_1"
        ) { try await $0.period(#""period":"week","measure":"days","minOperator":9,"min":3,"maxOperator":0"#) },
        RuleCase(
            "PT-2",
            #"INSERT INTO mintee_period_target (task, period, days, measure, min_operator, max_operator, min, max) VALUES ({r}, 0, NULL, 0, 2, 3, 3, 5)"#,
            "PT_2"
        ) { try await $0.period(#""period":"week","measure":"days","minOperator":2,"min":3,"maxOperator":3,"max":5"#) },
        RuleCase(
            "PT-3",
            #"INSERT INTO mintee_period_target (task, period, days, measure, min_operator, max_operator, min, max) VALUES ({r}, 0, NULL, 0, 2, 0, 3, 5)"#,
            "PT_3"
        ) { try await $0.period(#""period":"week","measure":"days","minOperator":2,"min":3,"maxOperator":0,"max":5"#) },
        RuleCase(
            "PT-4",
            #"INSERT INTO mintee_period_target (task, period, days, measure, min_operator, max_operator, min, max) VALUES ({r}, 0, NULL, 0, 0, 2, 3, 5)"#,
            "PT_4"
        ) { try await $0.period(#""period":"week","measure":"days","minOperator":0,"min":3,"maxOperator":2,"max":5"#) },
        RuleCase(
            "PT-5",
            #"INSERT INTO mintee_period_target (task, period, days, measure, min_operator, max_operator, min, max) VALUES ({r}, 0, NULL, 0, 0, 0, 0, 0)"#,
            "PT_5"
        ) { try await $0.period(#""period":"week","measure":"days","minOperator":0,"maxOperator":0"#) },
        RuleCase(
            "PT-6",
            #"INSERT INTO mintee_period_target (task, period, days, measure, min_operator, max_operator, min, max) VALUES ({r}, 0, NULL, 0, 3, 2, 3, 5)"#,
            "PT_6"
        ) { try await $0.period(#""period":"week","measure":"days","minOperator":3,"min":3,"maxOperator":2,"max":5"#) },
        RuleCase(
            "PT-7",
            #"INSERT INTO mintee_period_target (task, period, days, measure, min_operator, max_operator, min, max) VALUES ({r}, 0, NULL, 0, 2, 2, 5, 3)"#,
            "PT_7"
        ) { try await $0.period(#""period":"week","measure":"days","minOperator":2,"min":5,"maxOperator":2,"max":3"#) },
        RuleCase(
            "PT-8",
            #"INSERT INTO mintee_period_target (task, period, days, measure, min_operator, max_operator, min, max) VALUES ({s}, 0, NULL, 0, 2, 0, 3, 0)"#
        ) {
            try await $0.task(
                #"{"name":"New","taskType":1,"instances":[{"date":"2026-11-20"}],"periodTarget":{"period":"week","measure":"days","minOperator":2,"min":3,"maxOperator":0}}"#
            )
        },
        RuleCase(
            "PT-9",
            #"INSERT INTO mintee_period_target (task, period, days, measure, min_operator, max_operator, min, max) VALUES ({r}, 0, NULL, 0, 2, 0, 8, 0)"#,
            "PT_9"
        ) { try await $0.period(#""period":"week","measure":"days","minOperator":2,"min":8,"maxOperator":0"#) },
        RuleCase(
            "PT-10",
            #"INSERT INTO mintee_period_target (task, period, days, measure, min_operator, max_operator, min, max) VALUES ({r}, 2, 1, 1, 2, 0, 3, 0)"#,
            "PT_10"
        ) { try await $0.period(#""period":"days","days":1,"measure":"sum","minOperator":2,"min":3,"maxOperator":0"#) },
        RuleCase(
            "PT-11",
            #"INSERT INTO mintee_period_target (task, period, measure, min_operator, max_operator, min, max) VALUES ({r}, 0, 0, 2, 0, 3, 0), ({r}, 1, 0, 2, 0, 9, 0)"#,
            "mintee_period_target.task",
            without: {
                $0.replacing("CONSTRAINT PT_11 PRIMARY KEY (task)", with: "PRIMARY KEY (task, period)")
            }
        ) {
            let target = #"{"period":"week","measure":"days","minOperator":2,"min":3,"maxOperator":0}"#
            try await $0.task(
                #"{"name":"New","taskType":0,"startDate":"2026-01-01","endDate":"2026-12-31","targetSets":[{"pattern":{"Type":1,"DaysOfWeek":[1,2,3,4,5]},"minOperator":2,"min":1,"maxOperator":0}],"periodTarget":[\#(target),\#(target)]}"#
            )
        },
    ]

    private static let tasks: [RuleCase] = [
        RuleCase(
            "TASK-1",
            #"UPDATE mintee_task SET kind = 7 WHERE id = {r}"#, "TASK_1"
        ) {
            try await $0.task(
                #"{"name":"New","taskType":7,"startDate":"2026-01-01","endDate":"2026-12-31","targetSets":[{"pattern":{"Type":1,"DaysOfWeek":[1]},"minOperator":2,"min":1,"maxOperator":0}]}"#
            )
        },
        RuleCase(
            "TASK-2",
            #"UPDATE mintee_task SET end_day = NULL WHERE id = {r}"#, "TASK_2"
        ) {
            try await $0.task(
                #"{"name":"New","taskType":0,"startDate":"2026-01-01","targetSets":[{"pattern":{"Type":1,"DaysOfWeek":[1]},"minOperator":2,"min":1,"maxOperator":0}]}"#
            )
        },
        RuleCase(
            "TASK-3",
            #"DELETE FROM mintee_target_set WHERE task = {r}"#
        ) { try await $0.task(#"{"name":"New","taskType":0,"startDate":"2026-01-01","endDate":"2026-12-31"}"#) },
        RuleCase(
            "TASK-4",
            #"DELETE FROM mintee_instance WHERE task = {s}"#
        ) { try await $0.task(#"{"name":"New","taskType":1,"dates":[]}"#) },
        RuleCase(
            "TASK-5",
            #"UPDATE mintee_task SET name = 'Read' WHERE id = {s}"#, "mintee_task.name",
            without: { $0.replacing("CREATE UNIQUE INDEX mintee_TASK_5", with: "CREATE INDEX mintee_TASK_5") }
        ) { try await $0.fixture.make("Read") },
        RuleCase(
            "TASK-6",
            #"UPDATE mintee_task SET end_day = '2000-01-01' WHERE id = {r}"#, "TASK_6"
        ) {
            try await $0.task(
                #"{"name":"New","taskType":0,"startDate":"2026-12-31","endDate":"2026-01-01","targetSets":[{"pattern":{"Type":1,"DaysOfWeek":[1]},"minOperator":2,"min":1,"maxOperator":0}]}"#
            )
        },
        RuleCase(
            "TASK-7",
            #"DELETE FROM mintee_summary WHERE task = {r}"#
        ) {
            try await $0.task(
                #"{"name":"New","taskType":0,"startDate":"2026-01-01","endDate":"2026-12-31","targetSets":[{"pattern":{"Type":1,"DaysOfWeek":[1]},"minOperator":2,"min":1,"maxOperator":0}],"taskSummaryAnalysis":null}"#
            )
        },
        RuleCase(
            "TASK-8",
            #"UPDATE mintee_task SET start_day = '2026-01-01', end_day = '2026-02-01' WHERE id = {s}"#, "TASK_8"
        ) {
            try await $0.task(
                #"{"name":"New","taskType":1,"dates":["2026-01-01"],"startDate":"2026-01-01","endDate":"2026-12-31"}"#)
        },
        RuleCase(
            "TASK-9",
            #"INSERT INTO mintee_target_set (task, priority, pattern_type, days_of_week, weeks_of_month, days_of_month, min_operator, max_operator, min, max) VALUES ({s}, 0, 1, 2, 0, 0, 2, 0, 1, 0)"#
        ) {
            try await $0.task(
                #"{"name":"New","taskType":1,"dates":["2026-01-01"],"targetSets":[{"pattern":{"Type":1,"DaysOfWeek":[1]},"minOperator":2,"min":1,"maxOperator":0}]}"#
            )
        },
        RuleCase(
            "TI-1",
            #"INSERT INTO mintee_instance (task, day, completion, entered) VALUES ('nobody', '2026-11-20', 1, 1)"#,
            "FOREIGN KEY",
            without: { $0.replacing("CONSTRAINT TI_1 REFERENCES mintee_task(id)", with: "") }
        ) { try await $0.entryWithoutTask() },
        RuleCase(
            "TI-2",
            #"INSERT INTO mintee_instance (task, day, completion, entered) VALUES ({r}, '2020-01-01', 1, 1)"#
        ) { try await $0.enter($0.recurring.id, "2020-01-01") },
        RuleCase(
            "TI-3",
            #"INSERT INTO mintee_target_set (task, priority, pattern_type, days_of_week, weeks_of_month, days_of_month, min_operator, max_operator, min, max) VALUES ({s}, 0, 1, 254, 0, 0, 2, 0, 1, 0)"#
        ) { try await $0.task(#"{"name":"New","taskType":1,"instances":[{"date":"2026-01-01","targetSet":0}]}"#) },
        RuleCase(
            "TI-4",
            #"INSERT INTO mintee_instance (task, day, completion, entered) VALUES ({s}, '2026-11-20', 5, 1)"#,
            "mintee_instance.task, mintee_instance.day",
            without: {
                $0.replacing("CONSTRAINT TI_4 PRIMARY KEY (task, day)", with: "PRIMARY KEY (task, day, completion)")
            }
        ) {
            try await $0.task(#"{"name":"New","taskType":1,"instances":[{"date":"2026-01-01"},{"date":"2026-01-01"}]}"#)
        },
        RuleCase(
            "TI-5",
            #"INSERT INTO mintee_instance (task, day, completion, entered) VALUES ({s}, NULL, 1, 1)"#,
            "mintee_instance.day",
            without: {
                $0.replacing("CONSTRAINT TI_5 NOT NULL ", with: "").replacing(
                    ",\n    CONSTRAINT TI_4 PRIMARY KEY (task, day)\n) STRICT, WITHOUT ROWID",
                    with: ", UNIQUE (task, day)) STRICT")
            }
        ) { try await $0.task(#"{"name":"New","taskType":1,"instances":[{"completion":1}]}"#) },
    ]

    private static let sets: [RuleCase] = [
        RuleCase(
            "TTS-1",
            #"UPDATE mintee_target_set SET min_operator = 9 WHERE task = {r}"#, "TTS_1"
        ) { try await $0.target(#""minOperator":9,"min":1,"maxOperator":0"#) },
        RuleCase(
            "TTS-2",
            #"UPDATE mintee_target_set SET max_operator = 3, max = 5 WHERE task = {r}"#, "TTS_2"
        ) { try await $0.target(#""minOperator":1,"min":1,"maxOperator":3,"max":2"#) },
        RuleCase(
            "TTS-3",
            #"UPDATE mintee_target_set SET max = 5 WHERE task = {r}"#, "TTS_3"
        ) { try await $0.target(#""minOperator":1,"min":1,"maxOperator":0,"max":2"#) },
        RuleCase(
            "TTS-4",
            #"UPDATE mintee_target_set SET min_operator = 0, max_operator = 1, max = 5 WHERE task = {r}"#, "TTS_4"
        ) { try await $0.target(#""minOperator":0,"min":1,"maxOperator":1,"max":2"#) },
        RuleCase(
            "TTS-5",
            #"UPDATE mintee_target_set SET min_operator = 0, min = 0 WHERE task = {r}"#, "TTS_5"
        ) { try await $0.target(#""minOperator":0,"maxOperator":0"#) },
        RuleCase(
            "TTS-6",
            #"UPDATE mintee_target_set SET min_operator = 3, max_operator = 1, max = 5 WHERE task = {r}"#, "TTS_6"
        ) { try await $0.target(#""minOperator":3,"min":1,"maxOperator":1,"max":2"#) },
        RuleCase(
            "TTS-7",
            #"UPDATE mintee_target_set SET max_operator = 2, max = 1 WHERE task = {r}"#, "TTS_7"
        ) { try await $0.target(#""minOperator":1,"min":2,"maxOperator":1,"max":2"#) },
        RuleCase(
            "TTS-8",
            #"INSERT INTO mintee_target_set (task, priority, pattern_type, days_of_week, weeks_of_month, days_of_month, min_operator, max_operator, min, max) VALUES ('nobody', 0, 1, 2, 0, 0, 2, 0, 1, 0)"#,
            "FOREIGN KEY",
            without: { $0.replacing("CONSTRAINT TTS_8 REFERENCES mintee_task(id)", with: "") }
        ) {
            try await $0.set(
                #""task":"another","pattern":{"Type":1,"DaysOfWeek":[1]},"minOperator":2,"min":1,"maxOperator":0"#)
        },
        RuleCase(
            "TTS-9",
            #"INSERT INTO mintee_target_set (task, priority, pattern_type, days_of_week, weeks_of_month, days_of_month, min_operator, max_operator, min, max) VALUES ({r}, 0, 1, 2, 0, 0, 1, 0, 1, 0)"#,
            "mintee_target_set.task, mintee_target_set.priority",
            without: {
                $0.replacing(
                    "CONSTRAINT TTS_9 PRIMARY KEY (task, priority)", with: "PRIMARY KEY (task, priority, min_operator)")
            }
        ) {
            try await $0.task(
                #"{"name":"New","taskType":0,"startDate":"2026-01-01","endDate":"2026-12-31","targetSets":[{"priority":0,"pattern":{"Type":1,"DaysOfWeek":[1]},"minOperator":2,"min":1,"maxOperator":0},{"priority":0,"pattern":{"Type":1,"DaysOfWeek":[2]},"minOperator":2,"min":1,"maxOperator":0}]}"#
            )
        },
        RuleCase(
            "TTS-10",
            #"INSERT INTO mintee_target_set (task, priority, pattern_type, days_of_week, weeks_of_month, days_of_month, min_operator, max_operator, min, max) VALUES ({r}, 1, 1, NULL, 0, 0, 2, 0, 1, 0)"#,
            "mintee_target_set.days_of_week",
            without: { $0.replacing("CONSTRAINT TTS_10 NOT NULL", with: "") }
        ) { try await $0.set(#""minOperator":2,"min":1,"maxOperator":0"#) },
    ]

    private static let groups: [RuleCase] = [
        RuleCase(
            "TAG-1",
            #"INSERT INTO mintee_tag (folded, name) VALUES ('other', 'health')"#, "mintee_tag.name", mayChange: true,
            without: { $0.replacing("CONSTRAINT TAG_1 UNIQUE", with: "") }
        ) { try await $0.oneTag("HEALTH") },
        RuleCase(
            "TAG-2",
            #"INSERT INTO mintee_tag (folded, name) VALUES ('lonely', 'lonely')"#, mayChange: true
        ) { try await $0.lastTag() },
        RuleCase(
            "ANL-1",
            #"UPDATE mintee_analysis SET type = 5 WHERE id = {a}"#, "ANL_1"
        ) { try await $0.analysis(#""analysisType":5,"rangeType":1,"dateRange":28"#) },
        RuleCase(
            "ANL-2",
            #"UPDATE mintee_analysis SET start_day = '2026-01-01' WHERE id = {a}"#, "ANL_2"
        ) { try await $0.analysis(#""analysisType":0,"rangeType":1,"startDate":"2026-01-01","dateRange":28"#) },
        RuleCase(
            "ANL-3",
            #"UPDATE mintee_analysis SET range_type = 0, start_day = '2026-01-01', end_day = '2026-02-01' WHERE id = {a}"#,
            "ANL_3"
        ) {
            try await $0.analysis(
                #""analysisType":0,"rangeType":0,"startDate":"2026-01-01","endDate":"2026-12-31","dateRange":5"#)
        },
        RuleCase(
            "ANL-4",
            #"UPDATE mintee_analysis SET date_range = 0 WHERE id = {a}"#, "ANL_4"
        ) { try await $0.analysis(#""analysisType":0,"rangeType":1,"dateRange":0"#) },
        RuleCase(
            "ANL-5",
            #"UPDATE mintee_analysis SET home = -2 WHERE id = {a}"#, "ANL_5"
        ) { try await $0.order() },
        RuleCase(
            "ANL-6",
            #"UPDATE mintee_analysis SET name = 'Health' WHERE id = {b}"#, "mintee_analysis.name",
            without: { $0.replacing("CREATE UNIQUE INDEX mintee_ANL_6", with: "CREATE INDEX mintee_ANL_6") }
        ) { try await $0.analysis(#""analysisType":0,"rangeType":1,"dateRange":28"#, name: #"Health"#) },
        RuleCase(
            "ANL-7",
            #"UPDATE mintee_analysis SET legend = NULL WHERE id = {a}"#, "mintee_analysis.legend",
            without: { $0.replacing("CONSTRAINT ANL_7 NOT NULL", with: "") }
        ) { try await $0.analysis(#""analysisType":0,"rangeType":1,"dateRange":28"#, legend: #"null"#) },
        RuleCase(
            "ANL-8",
            #"UPDATE mintee_analysis SET start_day = '2026-02-01', end_day = '2026-01-01', date_range = 0 WHERE id = {a}"#,
            "ANL_8"
        ) { try await $0.analysis(#""analysisType":0,"rangeType":0,"startDate":"2026-02-01","endDate":"2026-01-01""#) },
        RuleCase(
            "ANL-9",
            #"UPDATE mintee_analysis SET range_type = 5 WHERE id = {a}"#, "ANL_9"
        ) { try await $0.analysis(#""analysisType":0,"rangeType":5,"dateRange":28"#) },
        RuleCase(
            "ANL-11",
            #"UPDATE mintee_analysis SET start_day = '2026-01-01', end_day = '2026-02-01', date_range = 0 WHERE id = {a}"#,
            "ANL_11"
        ) { try await $0.analysis(#""analysisType":0,"rangeType":1,"dateRange":-3"#) },
        RuleCase(
            "ANL-12",
            #"UPDATE mintee_analysis SET range_type = 0 WHERE id = {a}"#, "ANL_12"
        ) { try await $0.analysis(#""analysisType":0,"rangeType":0,"dateRange":28"#) },
    ]

    private static let legends: [RuleCase] = [
        RuleCase(
            "ALGND-1",
            #"UPDATE mintee_analysis SET legend = '{"categorizedEntries":[{"category":1,"color":"09B300FF"}],"completionEntries":[{"color":"09B300FF","min":1,"minOperator":2,"max":0,"maxOperator":0}]}' WHERE id = {a}"#
        ) {
            try await $0.legend(
                #"{"categorizedEntries":[{"category":1,"color":"09B300FF"}],"completionEntries":[{"color":"09B300FF","min":1,"minOperator":2,"max":0,"maxOperator":0}]}"#
            )
        },
        RuleCase(
            "ALGND-2",
            #"UPDATE mintee_analysis SET legend = '{"categorizedEntries":[],"completionEntries":[]}' WHERE id = {a}"#
        ) { try await $0.legend(#"{"categorizedEntries":[],"completionEntries":[]}"#) },
        RuleCase(
            "CATLE-1",
            #"UPDATE mintee_analysis SET legend = '{"categorizedEntries":[{"category":9,"color":"09B300FF"}],"completionEntries":[]}' WHERE id = {a}"#
        ) {
            try await $0.legend(#"{"categorizedEntries":[{"category":9,"color":"09B300FF"}],"completionEntries":[]}"#)
        },
        RuleCase(
            "CMPLE-1",
            #"UPDATE mintee_analysis SET legend = '{"categorizedEntries":[],"completionEntries":[{"color":"00000000","minOperator":9,"min":1,"maxOperator":0,"max":0}]}' WHERE id = {a}"#
        ) { try await $0.band(#""minOperator":9,"min":1,"maxOperator":0,"max":0"#) },
        RuleCase(
            "CMPLE-2",
            #"UPDATE mintee_analysis SET legend = '{"categorizedEntries":[],"completionEntries":[{"color":"00000000","minOperator":1,"min":1,"maxOperator":3,"max":2}]}' WHERE id = {a}"#
        ) { try await $0.band(#""minOperator":1,"min":1,"maxOperator":3,"max":2"#) },
        RuleCase(
            "CMPLE-3",
            #"UPDATE mintee_analysis SET legend = '{"categorizedEntries":[],"completionEntries":[{"color":"00000000","minOperator":1,"min":1,"maxOperator":0,"max":2}]}' WHERE id = {a}"#
        ) { try await $0.band(#""minOperator":1,"min":1,"maxOperator":0,"max":2"#) },
        RuleCase(
            "CMPLE-4",
            #"UPDATE mintee_analysis SET legend = '{"categorizedEntries":[],"completionEntries":[{"color":"00000000","minOperator":0,"min":1,"maxOperator":1,"max":2}]}' WHERE id = {a}"#
        ) { try await $0.band(#""minOperator":0,"min":1,"maxOperator":1,"max":2"#) },
        RuleCase(
            "CMPLE-5",
            #"UPDATE mintee_analysis SET legend = '{"categorizedEntries":[],"completionEntries":[{"color":"00000000","minOperator":0,"min":0,"maxOperator":0,"max":0}]}' WHERE id = {a}"#
        ) { try await $0.band(#""minOperator":0,"min":0,"maxOperator":0,"max":0"#) },
        RuleCase(
            "CMPLE-6",
            #"UPDATE mintee_analysis SET legend = '{"categorizedEntries":[],"completionEntries":[{"color":"00000000","minOperator":3,"min":1,"maxOperator":1,"max":2}]}' WHERE id = {a}"#
        ) { try await $0.band(#""minOperator":3,"min":1,"maxOperator":1,"max":2"#) },
        RuleCase(
            "CMPLE-7",
            #"UPDATE mintee_analysis SET legend = '{"categorizedEntries":[],"completionEntries":[{"color":"00000000","minOperator":1,"min":2,"maxOperator":1,"max":2}]}' WHERE id = {a}"#
        ) { try await $0.band(#""minOperator":1,"min":2,"maxOperator":1,"max":2"#) },
    ]

    private static let charts: [RuleCase] = [
        RuleCase(
            "DP-1",
            #"UPDATE mintee_target_set SET pattern_type = 9 WHERE task = {r}"#, "DP_1"
        ) { try await $0.pattern(#""Type":9,"DaysOfWeek":[1]"#) },
        RuleCase(
            "DP-2",
            #"UPDATE mintee_target_set SET days_of_week = 0 WHERE task = {r}"#, "DP_2"
        ) { try await $0.pattern(#""Type":1,"DaysOfWeek":[]"#) },
        RuleCase(
            "DP-3",
            #"UPDATE mintee_target_set SET pattern_type = 2 WHERE task = {r}"#, "DP_3"
        ) { try await $0.pattern(#""Type":2,"DaysOfWeek":[1]"#) },
        RuleCase(
            "DP-4",
            #"UPDATE mintee_target_set SET pattern_type = 3 WHERE task = {r}"#, "DP_4"
        ) { try await $0.pattern(#""Type":3,"DaysOfMonth":[]"#) },
        RuleCase(
            "DP-5",
            "INSERT INTO mintee_interval (task, priority, unit, count, start_day) VALUES ({r}, 0, 1, 1, '2026-11-20')",
            "DP_5"
        ) {
            try await $0.pattern(
                #""Type":1,"DaysOfWeek":[2],"Interval":{"Unit":1,"Count":1,"Start":"2026-11-20"}"#)
        },
        RuleCase(
            "DP-6",
            "INSERT INTO mintee_interval (task, priority, unit, count, start_day) VALUES ({r}, 0, 1, 2, '2026-02-30')",
            "DP_6"
        ) {
            try await $0.pattern(
                #""Type":1,"DaysOfWeek":[2],"Interval":{"Unit":1,"Count":2,"Start":"2026-02-30"}"#)
        },
        RuleCase(
            "DP-7", "INSERT INTO mintee_exception (task, priority, calendar) VALUES ({r}, 0, 'nowhere')",
            "FOREIGN KEY",
            without: { $0.replacing("CONSTRAINT DP_7 REFERENCES mintee_holiday_calendar(folded)", with: "") }
        ) { try await $0.pattern(#""Type":1,"DaysOfWeek":[2],"Except":"nowhere""#) },
        RuleCase(
            "DP-8", "INSERT INTO mintee_holiday_calendar (folded, name, source) VALUES ('', ' ', '')", "DP_8"
        ) {
            _ = try await $0.fixture.mintee.addHolidays(
                "Mon", from: "/dev/null", operation: $0.fixture.operation())
        },
        RuleCase(
            "DP-9",
            "INSERT INTO mintee_holiday (calendar, day, name) VALUES ('a', '2026-02-30', '')",
            "DP_9"
        ) { try $0.holiday("2026-02-30") },
        RuleCase(
            "TSA-1",
            #"UPDATE mintee_summary SET type = 5 WHERE task = {r}"#, "TSA_1"
        ) { try await $0.summary(#""analysisType":5,"dateRange":28"#) },
        RuleCase(
            "TSA-2",
            #"UPDATE mintee_summary SET start_day = '2026-01-01' WHERE task = {r}"#, "TSA_2"
        ) { try await $0.summary(#""analysisType":0,"startDate":"2026-01-01","dateRange":28"#) },
        RuleCase(
            "TSA-3",
            #"UPDATE mintee_summary SET start_day = '2026-01-01', end_day = '2026-02-01' WHERE task = {r}"#, "TSA_3"
        ) { try await $0.summary(#""analysisType":0,"startDate":"2026-01-01","endDate":"2026-12-31","dateRange":28"#) },
        RuleCase(
            "TSA-4",
            #"UPDATE mintee_summary SET date_range = 0 WHERE task = {r}"#, "TSA_4"
        ) { try await $0.summary(#""analysisType":0,"dateRange":0"#) },
        RuleCase(
            "TSA-5",
            #"INSERT INTO mintee_summary (task, type, date_range, legend) VALUES ('nobody', 0, 28, '{"categorizedEntries":[{"category":1,"color":"09B300FF"}],"completionEntries":[]}')"#,
            "FOREIGN KEY",
            without: { $0.replacing("CONSTRAINT TSA_5 REFERENCES mintee_task(id)", with: "") }
        ) { try await $0.nobodysSummary() },
        RuleCase(
            "TSA-7",
            #"UPDATE mintee_summary SET legend = NULL WHERE task = {r}"#, "mintee_summary.legend",
            without: { $0.replacing("CONSTRAINT TSA_7 NOT NULL", with: "") }
        ) { try await $0.summary(#""analysisType":0,"dateRange":28"#, legend: nil) },
        RuleCase(
            "TSA-8",
            #"UPDATE mintee_summary SET start_day = '2026-02-01', end_day = '2026-01-01', date_range = 0 WHERE task = {r}"#,
            "TSA_8"
        ) { try await $0.summary(#""analysisType":0,"startDate":"2026-02-01","endDate":"2026-01-01""#) },
    ]

    private static let implied: [RuleCase] = [
        RuleCase(
            "I-1",
            #"UPDATE mintee_task SET name = ' ' WHERE id = {r}"#, "I_1"
        ) { try await $0.fixture.make(" ") },
        RuleCase(
            "I-2",
            #"UPDATE mintee_analysis SET name = '' WHERE id = {a}"#, "I_2"
        ) { try await $0.analysis(#""analysisType":0,"rangeType":1,"dateRange":28"#, tags: #"["unknown"]"#) },
        RuleCase(
            "I-3",
            #"INSERT INTO mintee_tag (folded, name) VALUES ('', '')"#, "I_3"
        ) { try await $0.fixture.make("New", tags: ["twice", "TWICE"]) },
        RuleCase(
            "I-4",
            #"UPDATE mintee_tag SET name = 'Sports' WHERE folded = 'health'"#, mayChange: true
        ) { try await $0.oneTag("Héalth") },
        RuleCase(
            "I-5",
            #"UPDATE mintee_task SET end_day = '2000-01-01' WHERE id = {r}"#, "TASK_6",
            without: { $0.leavingOut("TASK_6") }
        ) { try await $0.endBeforeStart() },
        RuleCase(
            "I-6",
            #"UPDATE mintee_target_set SET days_of_week = 0 WHERE task = {r}"#, "DP_2",
            without: { $0.leavingOut("DP_2") }
        ) { try await $0.pattern(#""Type":1,"DaysOfWeek":[]"#) },
        RuleCase(
            "I-7",
            #"UPDATE mintee_target_set SET min = NULL WHERE task = {r}"#, "mintee_target_set.min",
            without: { $0.replacing("CONSTRAINT I_7 NOT NULL", with: "") }
        ) { try await $0.target(#""minOperator":2,"min":"three","maxOperator":0"#) },
        RuleCase(
            "I-8",
            #"UPDATE mintee_target_set SET priority = 5 WHERE task = {r}"#
        ) {
            try await $0.task(
                #"{"name":"New","taskType":0,"startDate":"2026-01-01","endDate":"2026-12-31","targetSets":[{"priority":2,"pattern":{"Type":1,"DaysOfWeek":[1]},"minOperator":2,"min":1,"maxOperator":0}]}"#
            )
        },
        RuleCase(
            "I-9",
            #"INSERT INTO mintee_instance (task, day, completion, entered) VALUES ({r}, '2026-11-19', 9e999, 1)"#, "I_9"
        ) { try await $0.enter($0.recurring.id, "2026-11-20", .value(.infinity)) },
        RuleCase(
            "I-10",
            #"INSERT INTO mintee_setting (key, value) VALUES ('theme', 'Pink')"#, "I_10"
        ) { try await $0.theme() },
        RuleCase("I-11", "INSERT INTO mintee_place (task, section) VALUES ({r}, ' ')", "I_11") {
            let section = String(repeating: "x", count: TaskDraft.maximumName + 1)
            try await $0.task(
                #"{"name":"New","startDate":"2026-11-20","openEnd":true,"section":"\#(section)","targetSets":[]}"#)
        },
        RuleCase("I-12", "INSERT INTO mintee_place (task, position) VALUES ({r}, -1)", "I_12") { world in
            try await world.fixture.mintee.orderTasks(
                [world.recurring.id, world.recurring.id], operation: world.fixture.operation())
        },
    ]
}
