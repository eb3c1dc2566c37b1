import CivilDate
import HubKitTesting
import MinteeDomain
import SQLite
import Storage
import System
import Testing

@testable import Mintee

/// Each rule three times: the use case refuses what breaks it; raw SQL is refused, or `check` finds it; and a
/// store without that rule lets it pass.
struct RuleTests {
    @Test func `every rule has its case`() {
        #expect(RuleCase.all.map(\.code) == Rule.all.map(\.code))
    }

    @Test(arguments: RuleCase.all)
    func `the use case refuses`(rule: RuleCase) async throws {
        let fixture = MinteeFixture()
        let world = try await RuleWorld(fixture)
        let before = try await fixture.snapshot()
        do {
            try await rule.attempt(world)
            Issue.record("\(rule.code) was not refused")
        } catch let error as HubError {
            #expect(
                ([error.code.uppercased()] + error.problems.compactMap(\.code)).contains(rule.code.description),
                "\(error)"
            )
        } catch is RuleWorld.Held {}
        let stillThere = try await fixture.snapshot()
        #expect(before.allSatisfy { stillThere.contains($0) } || rule.mayChange, "\(rule.code) left something behind")
    }

    @Test(arguments: RuleCase.all)
    func `the store refuses, or check finds`(rule: RuleCase) async throws {
        let found = try await outcome(of: rule, tables: MinteeSchema.allTables)
        #expect(found.contains(rule.witness), "\(rule.code): \(found)")
    }

    @Test(arguments: RuleCase.all)
    func `without the rule it passes`(rule: RuleCase) async throws {
        let tables = rule.without(MinteeSchema.allTables)
        let isConstraint = tables != MinteeSchema.allTables
        #expect(isConstraint == rule.isConstraint, "\(rule.code)")
        let found = try await outcome(of: rule, tables: tables, except: isConstraint ? [] : [rule.code])
        #expect(!found.contains(rule.witness), "\(rule.code): \(found)")
        // What a constraint no longer refuses, check still finds, unless another constraint refused it.
        if isConstraint, found.contains("stored") { #expect(found.contains(rule.code.description), "\(found)") }
    }

    @Test func `what check asks is what the tables say`() {
        func squeezed(_ text: String) -> String {
            text.split(whereSeparator: \.isWhitespace).joined(separator: " ").replacing("( ", with: "(")
        }
        let tables = squeezed(MinteeSchema.allTables)
        for rule in StoredRule.all where rule.sql.contains("NOT coalesce((") && rule.code != "I-5" {
            let condition = squeezed(String(rule.sql.components(after: "NOT coalesce((").dropLast("), 1)".count)))
            let name = rule.code.description.replacing("-", with: "_")
            #expect(tables.contains("CONSTRAINT \(name) CHECK (\(condition))"), "\(rule.code)")
        }
    }

    @Test func `the tables follow the rules that undo needs`() throws {
        #expect(try TableRules.breaches(of: MinteeSchema.schema { _, _ in }) == [])
    }

    /// The constraint in an error; SQLite does not report the name of a foreign key.
    private func name(_ error: SQLiteError) -> String {
        error.constraint ?? (error.message.hasPrefix("FOREIGN KEY") ? "FOREIGN KEY" : error.message)
    }

    /// The result of the raw SQL of a rule: the constraint that refused it, or `stored` with the codes found by check.
    private func outcome(of rule: RuleCase, tables: String, except: Set<RuleCode> = []) async throws -> Set<String> {
        let fixture = MinteeFixture(
            tables: tables, periods: "SELECT 1", places: "SELECT 1", intervals: "SELECT 1", holidays: "SELECT 1")
        let world = try await RuleWorld(fixture)
        let cache = System.Operation("mintee raw", kind: .cache)
        do {
            try await fixture.store.write(cache) { transaction in
                try transaction.run(world.naming(rule.sql))
            }
        } catch let error as SQLiteError {
            return [name(error)]
        } catch let error as HubError {
            return [(error.cause as? SQLiteError).map(name) ?? error.description]
        }
        let violations = try await fixture.store.read { try $0.ruleViolations(except: except) }
        return Set(violations.map(\.rule.description) + ["stored"])
    }
}

extension MinteeSchema {
    /// The statements of all tables that rules are about.
    static let allTables =
        tables + "\n" + PeriodSchema.tables + "\n" + PlaceSchema.tables + "\n" + IntervalSchema.tables
        + "\n" + HolidaySchema.tables
}

extension String {
    /// The text after `mark`.
    func components(after mark: String) -> Substring { firstRange(of: mark).map { self[$0.upperBound...] } ?? "" }
}

/// The data for rules: a recurring and a specific task, and two analyses.
struct RuleWorld: Sendable {
    /// Thrown by an attempt that shows that the rule cannot be broken.
    struct Held: Error {}

    let fixture: MinteeFixture
    let recurring: TaskRecord
    let specific: TaskRecord
    let health: AnalysisRecord
    let other: AnalysisRecord

    init(_ fixture: MinteeFixture) async throws {
        self.fixture = fixture
        recurring = try await fixture.make("Read", tags: ["health"], to: "2027-10-01")
        specific = try await fixture.make("Pay", dates: ["2026-11-20"])
        health = try await fixture.mintee.createAnalysis(
            Analysis(name: "Health", tags: ["health"]), operation: fixture.operation())
        other = try await fixture.mintee.createAnalysis(
            Analysis(name: "Other", tags: ["health"]), operation: fixture.operation())
    }

    /// The statement with the ids of this world.
    func naming(_ sql: String) -> String {
        sql.replacing("{r}", with: "'\(recurring.id)'").replacing("{s}", with: "'\(specific.id)'")
            .replacing("{a}", with: "'\(health.id)'").replacing("{b}", with: "'\(other.id)'")
    }

    /// Makes a task of JSON.
    func task(_ json: String) async throws {
        try await fixture.make(from: try JSONReader.read(Array(json.utf8)))
    }

    /// Makes a task whose one target set has these members.
    func set(_ members: String) async throws {
        try await task(
            #"{"name":"New","taskType":0,"startDate":"2026-01-01","endDate":"2026-12-31","targetSets":[{\#(members)}]}"#
        )
    }

    /// Makes a task of weekdays with this period target.
    func period(_ members: String) async throws {
        try await task(
            #"{"name":"New","taskType":0,"startDate":"2026-01-01","endDate":"2026-12-31","targetSets":[{"pattern":{"Type":1,"DaysOfWeek":[1,2,3,4,5,6,7]},"minOperator":2,"min":1,"maxOperator":0}],"periodTarget":{\#(members)}}"#
        )
    }

    /// Makes a task that is due daily, with this target.
    func target(_ members: String) async throws { try await set(#""pattern":{"Type":1,"DaysOfWeek":[1]},\#(members)"#) }

    /// Makes a task with this pattern.
    func pattern(_ members: String) async throws {
        try await set(#""pattern":{\#(members)},"minOperator":2,"min":1,"maxOperator":0"#)
    }

    static let legend = #"{"categorizedEntries":[{"category":1,"color":"09B300FF"}],"completionEntries":[]}"#

    /// Creates an analysis from JSON; `legend` is replaced by the default one.
    func analysis(
        _ members: String, name: String = "New", tags: String = #"["health"]"#, legend: String = RuleWorld.legend
    ) async throws {
        let json = #"{"name":"\#(name)","tags":\#(tags),"legend":\#(legend),\#(members)}"#
        let analysis = try fixture.mintee.analysis(from: try JSONReader.read(Array(json.utf8)))
        _ = try await fixture.mintee.createAnalysis(analysis, operation: fixture.operation())
    }

    /// Reads a calendar of holidays with this day.
    func holiday(_ day: String) throws {
        let json = #"{"name":"berlin","days":[{"date":"\#(day)","name":"Day"}]}"#
        try HolidayDocument.read(try JSONReader.read(Array(json.utf8))).violations.enforce()
    }

    /// Makes an analysis of the last 28 days with this legend.
    func legend(_ text: String) async throws {
        try await analysis(#""analysisType":0,"rangeType":1,"dateRange":28"#, legend: text)
    }

    /// Makes an analysis with one band of completions.
    func band(_ members: String) async throws {
        try await legend(#"{"categorizedEntries":[],"completionEntries":[{"color":"00000000",\#(members)}]}"#)
    }

    /// Gives a task another chart.
    func summary(_ members: String, of id: String? = nil, legend: String? = RuleWorld.legend) async throws {
        let chart = "{\(legend.map { #""legend":\#($0),"# } ?? "")\(members)}"
        let json = #"{"name":"Read","taskType":1,"instances":[{"date":"2026-11-20"}],"taskSummaryAnalysis":\#(chart)}"#
        let (document, violations) = TaskDocument.read(try JSONReader.read(Array(json.utf8)), today: fixture.today)
        try violations.enforce()
        try await fixture.setSummary(document.summary, of: id ?? recurring.id)
    }

    /// Enters a value for a day.
    func enter(_ id: String, _ date: String, _ change: EntryChange = .done) async throws {
        _ = try await fixture.mintee.logCompletion(
            of: id, on: try #require(CivilDate(date)), change, operation: fixture.operation())
    }
}
