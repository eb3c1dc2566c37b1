import CivilDate
import MinteeDomain
import Testing

/// The output for Loop.
struct LoopWriterTests {
    private func files(_ habits: [LoopHabit]) -> [String: String] {
        var tables = LoopTables(through: habits.flatMap(\.entered).map(\.date).max())
        var files = habits.flatMap { tables.add($0) }
        files += [tables.habits] + tables.matrices()
        return Dictionary(uniqueKeysWithValues: files.map { ($0.path, String(decoding: $0.bytes, as: UTF8.self)) })
    }

    private func day(_ text: String) throws -> CivilDate { try #require(CivilDate(text)) }

    @Test func `the files of a store`() throws {
        let run = LoopHabit(
            TaskDraft(
                name: "Run: fast/slow, ä",
                schedule: .recurring(
                    from: try day("2026-10-01"), to: try day("2027-10-01"), [try TargetSet("daily: x >= 5")]),
                hasOpenEnd: true, notes: "a \"b\", c"),
            entries: [
                (try day("2026-10-01"), Entry(completion: 5.25)),
                (try day("2026-10-03"), Entry(skipReason: "ill", note: "flu")),
            ])
        let read = LoopHabit(
            TaskDraft(
                name: "Read",
                schedule: .recurring(from: try day("2026-10-01"), to: try day("2026-10-02"), [TargetSet(.daily)])),
            entries: [(try day("2026-10-01"), Entry(completion: 0)), (try day("2026-10-02"), Entry(completion: 1))])
        let files = files([run, read])
        #expect(
            files["Habits.csv"] == """
                Position,Name,Type,Question,Description,FrequencyNumerator,FrequencyDenominator,Color,Unit,Target Type,Target Value,Archived?
                001,"Run: fast/slow, ä",NUMERICAL,,"a ""b"", c",1,1,#388E3C,,AT_LEAST,5.0,false
                002,Read,YES_NO,,,1,1,#388E3C,,,,true

                """)
        #expect(
            files["001 Run fastslow /Checkmarks.csv"] == """
                Date,Value,Notes
                2026-10-03,SKIP,ill; flu
                2026-10-02,UNKNOWN,
                2026-10-01,5250,

                """)
        #expect(
            files["002 Read/Checkmarks.csv"] == """
                Date,Value,Notes
                2026-10-03,UNKNOWN,
                2026-10-02,YES_MANUAL,
                2026-10-01,NO,

                """)
        #expect(
            files["002 Read/Scores.csv"] == "Date,Score\n2026-10-03,0.0492\n2026-10-02,0.0519\n2026-10-01,0.0000\n")
        #expect(
            files["Checkmarks.csv"] == """
                Date,Run: fast/slow, ä,Read,
                2026-10-03,SKIP,UNKNOWN,
                2026-10-02,UNKNOWN,YES_MANUAL,
                2026-10-01,5250,NO,

                """)
        #expect(files["Scores.csv"]?.hasPrefix("Date,Run: fast/slow, ä,Read,\n2026-10-03,") ?? false)
    }

    /// The vectors of Loop's own score: 13 days of yes.
    @Test func `scores have four decimals`() throws {
        let first = try day("2026-10-01")
        var habit = LoopHabit("Daily")
        habit.entered = (0..<13).map { LoopHabit.Day(first.adding(days: $0), .number(2)) }
        let scores = try #require(files([habit])["001 Daily/Scores.csv"])
        #expect(scores.split(separator: "\n").dropFirst().first == "2026-10-13,0.5000")
        #expect(scores.hasSuffix("2026-10-02,0.1011\n2026-10-01,0.0519\n"))
    }

    @Test(arguments: [
        ("daily: x >= 2", 1, 1, true), ("Mon,Wed,Fri", 3, 7, false), ("1st,Last Fri", 2, 30, false),
        ("1,15,last", 3, 30, false), ("daily: 3 <= x < 5", 1, 1, false),
    ])
    func `days become so many times in so many days`(set: String, times: Int, days: Int, isExact: Bool) throws {
        let draft = TaskDraft(
            name: "A",
            schedule: .recurring(from: try day("2026-10-01"), to: try day("2026-12-01"), [try TargetSet(set)]))
        let habit = LoopHabit(draft, entries: [])
        #expect(habit.times == times && habit.days == days && LoopHabit.holds(draft) == isExact)
    }

    @Test func `a store without entries is an export, too`() {
        #expect(files([LoopHabit("A")])["001 A/Checkmarks.csv"] == "Date,Value,Notes\n")
        #expect(files([])["Checkmarks.csv"] == "Date,\n")
    }

    /// Every date, value and note of a sample survives being read, written and read again, twice.
    @Test func `read, written and read again`() throws {
        var found = Importing.read(Importing.bundle(LoopReaderTests.files), as: .loop)
        let first = found.tasks
        var bytes: [[String: String]] = []
        for _ in 0..<2 {
            let habits = found.tasks.map { task in
                LoopHabit(
                    task.draft, entries: task.entries.sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
                    summary: task.summary ?? TaskSummary())
            }
            let written = files(habits)
            bytes.append(written)
            found = Importing.read(Importing.bundle(written.map { ($0.key, Array($0.value.utf8)) }), as: .loop)
            #expect(found.problems.isEmpty)
            #expect(found.tasks.map(\.draft.name) == first.map(\.draft.name))
            #expect(found.tasks.map(\.entries) == first.map(\.entries))
        }
        #expect(bytes[0] == bytes[1])
        #expect(
            bytes[0]["001 Meditate/Checkmarks.csv"]?.contains("\"a note, with \"\"quotes\"\"\nand a second line\"")
                ?? false)
    }
}
