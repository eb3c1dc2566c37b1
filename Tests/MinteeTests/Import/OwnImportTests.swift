import Commands
import HubKit
import MinteeDomain
import Storage
import TestSupport
import Testing

@testable import Mintee

/// hub's own JSON, laid out by hand from the model.
struct OwnImportTests {
    private static let legend =
        #"{"categorizedEntries":[{"category":1,"color":"09B300FF"}],"completionEntries":[]}"#
    private static let summary =
        #"{"analysisType":1,"dateRange":7,"legend":\#(legend)}"#

    private static let text = """
        {"analyses":[
        {"analysisType":0,"dateRange":28,"legend":\(legend),"name":"Health","order":0,"rangeType":1,"tags":["health"]},
        {"analysisType":0,"dateRange":28,"legend":\(legend),"name":"Nothing","order":-1,"rangeType":1,"tags":["none"]}
        ],"tasks":[
        {"endDate":"2027-10-01","instances":[{"completion":7.5,"date":"2026-10-02","entered":true,"note":"warm"},\
        {"completion":0,"date":"2026-10-05","skip":"ill"},{"completion":1,"date":"2026-10-05"},\
        {"completion":"x","date":"2026-10-06"},{"completion":1,"date":"2026-10-07"}],"name":"Water","notes":"","openEnd":true,\
        "remindAt":510,"startDate":"2026-10-01","tags":["health"],"targetSets":[{"max":10,"maxOperator":2,"min":6,\
        "minOperator":2,"pattern":{"DaysOfMonth":[],"DaysOfWeek":[2,6],"Type":1,"WeeksOfMonth":[]},"priority":0}],\
        "taskSummaryAnalysis":\(summary),"taskType":0},
        {"instances":[{"completion":1,"date":"2026-10-01"},{"completion":0,"date":"2026-11-01","entered":false}],\
        "name":"Rent","tags":[],"taskType":1},
        {"name":"Wrong","taskType":3},
        {"name":"Torn","taskType":1,"instances":[{"completion":1,"date":"2026-10-01"}]
        {"name":"Last","taskType":1,"instances":[{"completion":2,"date":"2026-10-01"}]}
        ]}
        """

    @Test func `tasks, entries, charts and analyses come in, and what is wrong is told`() async throws {
        let fixture = MinteeFixture()
        let report = try await fixture.importing(("tasks.json", Self.text))
        #expect(report.items.map(\.name) == ["Water", "Rent", "Last", "Health"])
        #expect(report.counts == [.new: 4])
        #expect(
            report.skipped.map { "\($0.place.line) \($0.subject ?? "-") \($0.message)" } == [
                "5 Water 2026-10-05: a task has at most one instance per day",
                "5 Water 2026-10-06: a completion is a real number",
                "7 Wrong a task is Recurring or Specific",
                "8 - invalid JSON (unexpectedEnd at byte 78)",
                "5 Water 1 day (2026-10-07) left out: the task is not due then",
                "3 Nothing none of its tags is used by a task",
            ])
        #expect(try await fixture.days("Water") == ["10-02 7.5 warm", "10-05 skip"])
        #expect(try await fixture.days("Rent") == ["10-01 1"])
        let water = try #require(try await fixture.mintee.tasks.resolve("water").first)
        #expect(water.draft.remindAt == 510 && water.draft.hasOpenEnd)
        #expect(try await fixture.store.read { try $0.summary(of: water.id) }?.range == .last(days: 7))
        #expect(try await fixture.mintee.listAnalyses().map(\.order) == [0])
        #expect(try await fixture.isSound())
        let before = try await fixture.snapshot()
        for _ in 0..<3 {
            #expect(try await fixture.importing(("tasks.json", Self.text)).counts == [.unchanged: 4])
        }
        #expect(try await fixture.snapshot() == before)
    }

    @Test func `what is exported and imported elsewhere is exported there as the same bytes`() async throws {
        let fixture = MinteeFixture()
        try await fixture.importing(("tasks.json", Self.text))
        let water = try #require(try await fixture.mintee.tasks.resolve("water").first)
        try await fixture.make("Zebra", "Last Mon: 3 <= x < 5", "1,last: x = 2", tags: ["Café"])
        let other = try await fixture.mintee.createAnalysis(
            Analysis(name: "Another", tags: ["cafe"]), operation: fixture.operation())
        let health = try #require(try await fixture.mintee.listAnalyses().first { $0.analysis.name == "Health" })
        try await fixture.mintee.orderAnalyses([other.id, health.id], operation: fixture.operation())
        try await fixture.enter(water, "2026-10-09", .value(-3.25))
        let text = try await fixture.exported(.json)
        let elsewhere = MinteeFixture()
        let report = try await elsewhere.importing(("tasks.json", String(decoding: text, as: UTF8.self)))
        #expect(report.skippedCount == 0)
        #expect(try await elsewhere.exported(.json) == text)
        #expect(try await elsewhere.isSound())
    }
}

extension MinteeFixture {
    /// All that an export writes.
    func exported(_ format: TaskExportFormat) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await chunk in mintee.export(as: format) { bytes += chunk }
        return bytes
    }
}

/// Exports that are too large for memory.
struct LargeImportTests {
    @Test func `a large export is read in parts, and imported as a small one`() async throws {
        let fixture = MinteeFixture()
        for index in 0..<9 {
            let task = try await fixture.make("Task, {\(index)\n\"}", tags: ["all"])
            for day in 1...9 { try await fixture.enter(task, "2026-11-0\(day)", .note("]} \\ \"[{, \(day)")) }
        }
        _ = try await fixture.mintee.createAnalysis(
            Analysis(name: "All", tags: ["all"]), operation: fixture.operation())
        let folder = try TemporaryFolder()
        let text = try await fixture.exported(.json)
        let path = try folder.write(String(decoding: text, as: UTF8.self), to: "export.json")
        let source = try await TaskImportSource(path: path, limit: 100)
        #expect(source.isStreamed && source.bundle.files.isEmpty)
        let other = MinteeFixture()
        let report = try await other.mintee.importTasks(source, operation: other.operation("mintee import"))
        #expect(report.counts == [.new: 10] && report.skippedCount == 0)
        #expect(try await other.exported(.json) == text)
        #expect(try await other.mintee.importTasks(source, operation: other.operation()).counts == [.unchanged: 10])
    }

    @Test(arguments: [1, 2, 3, 7, 64, 10_000])
    func `the parts together have all elements with their lines`(chunk: Int) throws {
        let text = #"""
            {"analyses":[{"a":"]\"}"}],"holidays":[],"tasks":[
            {"name":"A\\","x":[1,{"y":","}]},
            {"name":"B"}
            ], "more": {"tasks":[]}}
            """#
        var splitter = OwnExportSplitter(partLength: 8)
        var parts: [OwnExportSplitter.Part] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            parts += splitter.add(Array(bytes[start..<min(start + chunk, bytes.count)]))
        }
        parts += splitter.finish()
        let found = parts.map { part in
            "\(part.list) \(part.lines) " + String(decoding: part.text.filter { $0 > 0x20 }, as: UTF8.self)
        }
        #expect(
            found.prefix(3) == [
                #"analyses 0 {"analyses":[{"a":"]\"}"}]}"#, #"tasks 0 {"tasks":[{"name":"A\\","x":[1,{"y":","}]}]}"#,
                #"tasks 1 {"tasks":[{"name":"B"}]}"#,
            ])
    }

    @Test func `a part is cut only when it is large`() {
        var splitter = OwnExportSplitter()
        #expect(splitter.add(Array(#"{"tasks":[{"name":"A"},{"name":"B"}]}"#.utf8)).count == 1)
    }
}
