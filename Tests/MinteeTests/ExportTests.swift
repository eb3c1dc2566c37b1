import CivilDate
import JSON
import MinteeDomain
import Testing

@testable import Mintee

struct ExportTests {
    private func export(_ fixture: MinteeFixture, _ format: TaskExportFormat, ids: [String]? = nil) async throws
        -> String
    {
        var bytes: [UInt8] = []
        for try await chunk in fixture.mintee.export(ids, as: format) { bytes += chunk }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func world() async throws -> MinteeFixture {
        let fixture = MinteeFixture()
        let water = try await fixture.make(
            "Water", "Last Mon: 3 <= x < 5", "1,last: x = 2", "daily: x <= 0.5", tags: ["health"])
        try await fixture.enter(water, "2026-11-19", .value(0.25))
        try await fixture.enter(water, "2026-11-19", .note("a \"quoted\", note\nof two lines"))
        try await fixture.enter(water, "2026-11-20", .skip("ill"))
        let pay = try await fixture.make("Pay", dates: ["2026-11-20", "2026-12-20"])
        try await fixture.enter(pay, "2026-11-20", .done)
        _ = try await fixture.mintee.createAnalysis(
            Analysis(name: "Health", tags: ["health"]), operation: fixture.operation())
        try await fixture.setSummary(TaskSummary(kind: .line, range: .last(days: 7)), of: water.id)
        return fixture
    }

    @Test func `what is exported as JSON reads back as the same tasks`() async throws {
        let fixture = try await world()
        let text = try await export(fixture, .json)
        #expect(try await export(fixture, .json) == text)
        let json = try JSONReader.read(Array(text.utf8))
        let other = MinteeFixture()
        for task in try #require(json["tasks"]?.array) { try await other.make(from: task) }
        for analysis in try #require(json["analyses"]?.array) {
            _ = try await other.mintee.createAnalysis(
                try other.mintee.analysis(from: analysis), operation: other.operation())
        }
        #expect(try await export(other, .json) == text)
        #expect(try await other.mintee.ruleViolations() == [])
        #expect(json["tasks"]?.array?.map { $0["name"]?.string } == ["Pay", "Water"])
    }

    @Test func `tasks go to Habitica and back, and what it cannot represent is named`() async throws {
        let fixture = MinteeFixture()
        let run = try await fixture.make("Run", "Mon,Wed,Fri: x >= 1", tags: ["health"])
        for day in ["16", "18"] { try await fixture.enter(run, "2026-11-\(day)", .done) }
        let glasses = try await fixture.make("Glasses", "daily: x >= 0")
        try await fixture.enter(glasses, "2026-11-19", .value(7))
        let pay = try await fixture.make("Pay", dates: ["2026-11-20", "2026-12-20"])
        try await fixture.enter(pay, "2026-11-20", .done)
        let names = try await fixture.mintee.tasksInexact(in: .habitica)
        #expect(names == [], "\(names)")
        let text = try await export(fixture, .habitica)
        let other = MinteeFixture()
        _ = try await other.importing(("userdata.json", text))
        let days = try await export(fixture, .csv)
        #expect(try await export(other, .csv) == days)
        // The ids of the file stay, so that it is the same file again.
        #expect(try await export(other, .habitica) == text)
        try await fixture.enter(run, "2026-11-20", .note("slow"))
        _ = try await fixture.make("Water", "daily: 6 <= x <= 10")
        #expect(try await fixture.mintee.tasksInexact(in: .habitica) == ["Run", "Water"])
    }

    @Test func `an empty store is valid JSON`() async throws {
        let json = try JSONReader.read(Array(try await export(MinteeFixture(), .json).utf8))
        #expect(json["tasks"] == .array([]) && json["analyses"] == .array([]))
    }

    @Test func `days as CSV`() async throws {
        let fixture = try await world()
        #expect(
            try await export(fixture, .csv).replacing("\r\n", with: "\n") == """
                Task,Date,Value,State,Target,Skipped,Note
                Pay,2026-11-20,1,reached,,,
                Water,2026-11-19,0.25,reached,x <= 0.5,,"a ""quoted"", note
                of two lines"
                Water,2026-11-20,0,skipped,x <= 0.5,ill,

                """)
        let pay = try #require(try await fixture.mintee.listTasks().first)
        #expect(try await export(fixture, .csv, ids: [pay.id]).split(separator: "\r\n").count == 2)
    }
}
