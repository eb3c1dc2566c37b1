import Archive
import CivilDate
import Commands
import Glibc
import HubKit
import HubKitTesting
import MinteeDomain
import SQLite
import Storage
import System
import TestSupport
import Testing

@testable import Mintee

/// Loop's database, and the way there and back.
struct LoopTests {
    private static let list =
        "Position,Name,Type,Question,Description,FrequencyNumerator,FrequencyDenominator,Color,Unit,Target Type,Target Value,Archived?\n"

    /// Dates, values and notes as Loop would write them, by hand.
    private static let files = [
        (
            "Habits.csv",
            list + "001,Meditate,YES_NO,Did you?,,1,1,#FF8F00,,,,false\n"
                + "002,Run,NUMERICAL,,,1,1,#E64A19,,AT_LEAST,5.0,false\n003,Smoke,NUMERICAL,,,1,1,#303030,,AT_MOST,2.0,true\n"
        ),
        (
            "001 Meditate/Checkmarks.csv",
            "Date,Value,Notes\n2026-10-04,YES_MANUAL,\n2026-10-03,SKIP,\"away, far\"\n2026-10-02,NO,\n2026-10-01,YES_MANUAL,one\n"
        ),
        (
            "002 Run/Checkmarks.csv",
            "Date,Value,Notes\n2026-10-04,5250,\"two\nlines\"\n2026-10-03,UNKNOWN,\n2026-10-02,0,\n2026-10-01,SKIP,\n"
        ),
        ("003 Smoke/Checkmarks.csv", "Date,Value,Notes\n2026-10-04,3000,\n2026-10-03,0,proud\n"),
    ]

    private func imported() async throws -> MinteeFixture {
        let fixture = MinteeFixture()
        let bundle = ImportBundle("loop", Self.files.map { ImportBundle.File($0.0, Array($0.1.utf8)) })
        let report = try await fixture.mintee.importTasks(
            TaskImportSource(bundle), operation: fixture.operation("mintee import"))
        #expect(report.counts == [.new: 3] && report.skippedCount == 0)
        return fixture
    }

    @Test func `imported and exported again keeps every date, value and note`() async throws {
        let fixture = try await imported()
        let bytes = try await fixture.exported(.loop)
        let written = try ZipReader.read(bytes)
        #expect(
            written.map(\.path).sorted() == [
                "001 Meditate/Checkmarks.csv", "001 Meditate/Scores.csv", "002 Run/Checkmarks.csv",
                "002 Run/Scores.csv", "003 Smoke/Checkmarks.csv", "003 Smoke/Scores.csv", "Checkmarks.csv",
                "Habits.csv",
                "Scores.csv",
            ])
        for (path, text) in Self.files.dropFirst() {
            let entry = try #require(written.first { $0.path == path })
            #expect(String(decoding: entry.bytes, as: UTF8.self) == text, "\(path)")
        }
        let elsewhere = MinteeFixture()
        let source = TaskImportSource(ImportBundle("loop.zip", [ImportBundle.File("loop.zip", bytes)]))
        let report = try await elsewhere.mintee.importTasks(
            source, operation: elsewhere.operation("mintee import"))
        #expect(report.counts == [.new: 3] && report.skippedCount == 0)
        for name in ["Meditate", "Run", "Smoke"] {
            #expect(try await elsewhere.days(name) == fixture.days(name))
        }
        #expect(try await elsewhere.exported(.loop) == bytes)
    }

    @Test func `the same store gives the same bytes on every day`() async throws {
        let fixture = try await imported()
        let bytes = try await fixture.exported(.loop)
        fixture.clock.advance(by: .seconds(86_400 * 400))
        #expect(try await fixture.exported(.loop) == bytes)
        #expect(try ZipReader.read(try await MinteeFixture().exported(.loop)).count == 3)
    }

    @Test func `what Loop has no rule for is named`() async throws {
        let fixture = MinteeFixture()
        try await fixture.make("Fine", "daily: x <= 3")
        try await fixture.make("Weekly", "Mon,Wed")
        try await fixture.make("Between", "daily: 3 <= x < 5")
        try await fixture.make("Chosen", dates: ["2026-10-01"])
        #expect(try await fixture.mintee.tasksInexact(in: .loop) == ["Between", "Chosen", "Weekly"])
    }

    // MARK: The database

    /// The tables of version 25, and rows by hand.
    private static let database = """
        CREATE TABLE Habits (id INTEGER PRIMARY KEY AUTOINCREMENT, archived INTEGER, color INTEGER, description TEXT,
            freq_den INTEGER, freq_num INTEGER, highlight INTEGER, name TEXT, position INTEGER, reminder_hour INTEGER,
            reminder_min INTEGER, reminder_days INTEGER NOT NULL DEFAULT 127, type INTEGER NOT NULL DEFAULT 0,
            target_type INTEGER NOT NULL DEFAULT 0, target_value REAL NOT NULL DEFAULT 0, unit TEXT NOT NULL DEFAULT '',
            question TEXT, uuid TEXT);
        CREATE TABLE Repetitions (id INTEGER PRIMARY KEY AUTOINCREMENT, habit INTEGER NOT NULL REFERENCES Habits(id),
            timestamp INTEGER NOT NULL, value INTEGER NOT NULL, notes TEXT);
        CREATE UNIQUE INDEX idx ON Repetitions(habit, timestamp);
        INSERT INTO Habits VALUES (1, 0, 3, 'quiet', 1, 1, 0, 'Meditate', 1, 8, 30, 127, 0, 0, 0, '', 'Did you?', 'u1');
        INSERT INTO Habits VALUES (2, 0, 19, '', 7, 3, 0, 'Gym', 0, 7, 5, 62, 0, 0, 0, '', '', 'u2');
        INSERT INTO Habits VALUES (3, 1, 99, '', 1, 1, 0, 'Run', 2, NULL, NULL, 127, 1, 0, 5, 'km', '', 'u3');
        INSERT INTO Repetitions(habit, timestamp, value, notes) VALUES (1, 1790812800000, 2, 'one'),
            (1, 1790899200000, 3, ''), (1, 1790985600000, 0, NULL), (1, 1791072000000, 1, ''),
            (1, 1791158400000, -1, 'lost'), (1, 1791244800000, 7, ''), (3, 1790812800000, 5250, ''),
            (3, 9223372036854775807, 1, ''), (3, 1790899200000, -1, '');
        """

    @Test func `a lost time is no day of 1970`() async throws {
        let scratch = try TemporaryFolder()
        let lost =
            Self.database
            + "INSERT INTO Repetitions(habit, timestamp, value) VALUES (2, 0, 2), (2, 1790812800, 2), (2, 1790812800000, 2);"
        try Connection(scratch.path + "/backup.db").execute(lost)
        let fixture = MinteeFixture()
        let source = try await TaskImportSource(path: scratch.path + "/backup.db")
        let report = try await fixture.mintee.importTasks(source, operation: fixture.operation())
        let texts = report.skipped.filter { $0.subject == "Gym" }.map(\.message)
        #expect(texts == ["0 is not a time of a day", "1790812800 is not a time of a day"])
        let gym = try #require(try await fixture.mintee.listTasks().first { $0.draft.name == "Gym" })
        #expect(gym.draft.firstDay?.description == "2026-10-01")
    }

    @Test func `the database`() async throws {
        let scratch = try TemporaryFolder()
        try Connection(scratch.path + "/backup.db").execute(Self.database)
        let fixture = MinteeFixture()
        let source = try await TaskImportSource(path: scratch.path + "/backup.db")
        let report = try await fixture.mintee.importTasks(source, operation: fixture.operation())
        #expect(report.items.map(\.name) == ["Gym", "Meditate", "Run"])
        #expect(
            report.items[0].words == [
                "reminder on some days of the week only; imported for every day"
            ])
        #expect(report.skipped.map(\.message) == ["7 is not a mark, on 2026-10-06"])
        #expect(try await fixture.days("Meditate") == ["10-01 1 one", "10-02 skip", "10-03 0", "10-05 0 lost"])
        #expect(try await fixture.days("Run") == ["10-01 5.25"])
        let run = try #require(try await fixture.mintee.tasks.resolve("run").first)
        let day = try #require(CivilDate("2026-10-01"))
        #expect(run.draft.schedule == .recurring(from: day, to: day, [try TargetSet("daily: x >= 5")]))
        let meditate = try #require(try await fixture.mintee.tasks.resolve("meditate").first)
        #expect(meditate.draft.remindAt == 510 && meditate.draft.notes == "Did you?\nquiet")
        let summary = try await fixture.store.read { try $0.summary(of: meditate.id) }
        #expect(summary?.legend.color(of: .reached)?.description == "FF8F00FF")
        let again = try await fixture.mintee.importTasks(source, operation: fixture.operation())
        #expect(again.counts == [.unchanged: 3])
    }

    /// Every kind of frequency and target that Loop has, over two hundred days.
    @Test(.seeded) func `a database comes back whole, with its frequencies and scores`() async throws {
        var generator = SeededGenerator()
        // Name, times, days, type (0 yes or no, 1 amounts), target type (0 at least, 1 at most), target.
        let kinds: [(String, Int, Int, Int, Int, Double)] = [
            ("A daily", 1, 1, 0, 0, 0), ("B gym", 3, 7, 0, 0, 0), ("C weekly", 1, 7, 0, 0, 0),
            ("D rare", 2, 14, 0, 0, 0),
            ("E monthly", 1, 30, 0, 0, 0), ("F monthly", 5, 31, 0, 0, 0), ("G pages", 1, 1, 1, 0, 20),
            ("H pages a week", 1, 7, 1, 0, 100.5), ("I wine", 1, 1, 1, 1, 2), ("J wine a week", 1, 7, 1, 1, 6),
        ]
        let rows = try #require(Self.database.firstRange(of: "INSERT"))
        var script = String(Self.database[..<rows.lowerBound])
        let first = 1_790_812_800_000
        for (index, kind) in kinds.enumerated() {
            let (name, times, days, type, targetType, target) = kind
            let id = index + 1
            script += """
                INSERT INTO Habits VALUES (\(id), 0, 7, '', \(days), \(times), 0, '\(name)', \(index), NULL, NULL, 127, \(type),
                    \(targetType), \(target), '', '', 'u\(id)');

                """
            for day in 0..<200 where Int.random(in: 0..<10, using: &generator) < 6 {
                let amount = Int.random(in: 0...160, using: &generator) * 250
                let mark = [0, 2, 2, 2, 3].randomElement(using: &generator) ?? 2
                let columns = "\(id), \(first + day * 86_400_000), \(type == 0 ? mark : amount)"
                script += "INSERT INTO Repetitions(habit, timestamp, value) VALUES (\(columns));\n"
            }
        }
        let scratch = try TemporaryFolder()
        try Connection(scratch.path + "/backup.db").execute(script)
        let habits = try LoopDatabase.read(scratch.path + "/backup.db").habits
        var tables = LoopTables(through: habits.flatMap(\.entered).map(\.date).max())
        var expected = habits.flatMap { tables.add($0) }
        expected += [tables.habits] + tables.matrices()
        let fixture = MinteeFixture()
        let report = try await fixture.mintee.importTasks(
            try await TaskImportSource(path: scratch.path + "/backup.db"), operation: fixture.operation())
        #expect(report.counts == [.new: kinds.count] && report.items.allSatisfy(\.words.isEmpty))
        #expect(try await fixture.mintee.tasksInexact(in: .loop) == [])
        let written = try ZipReader.read(try await fixture.exported(.loop))
        #expect(written.count == expected.count)
        for (path, bytes) in expected {
            #expect(written.first { $0.path == path }?.bytes == bytes, "\(path)")
        }
    }

    @Test func `an older database lacks columns`() async throws {
        let scratch = try TemporaryFolder()
        try Connection(scratch.path + "/backup.db").execute(
            """
            CREATE TABLE Habits (id INTEGER PRIMARY KEY, archived INTEGER, color INTEGER, description TEXT,
                freq_den INTEGER, freq_num INTEGER, name TEXT, position INTEGER);
            CREATE TABLE Repetitions (id INTEGER PRIMARY KEY, habit INTEGER, timestamp INTEGER, value INTEGER);
            INSERT INTO Habits VALUES (1, 0, 3, 'quiet', 0, -1, 'Meditate', 0);
            INSERT INTO Repetitions VALUES (1, 1, 1790812800000, 2);
            """)
        let fixture = MinteeFixture()
        _ = try await fixture.mintee.importTasks(
            try await TaskImportSource(path: scratch.path + "/backup.db"), operation: fixture.operation())
        #expect(try await fixture.days("Meditate") == ["10-01 1"])
    }

    @Test(arguments: [
        "CREATE TABLE other (a)",
        """
        CREATE TABLE base (id, archived, color, description, freq_den, freq_num, name);
        CREATE VIEW Habits AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
            SELECT i AS id, 0 AS archived, 0 AS color, '' AS description, 1 AS freq_den, 1 AS freq_num, '' AS name FROM n;
        CREATE TABLE Repetitions (id, habit, timestamp, value);
        """,
    ])
    func `a database of something else is refused`(script: String) async throws {
        let scratch = try TemporaryFolder()
        try Connection(scratch.path + "/backup.db").execute(script)
        let fixture = MinteeFixture()
        let error = await #expect(throws: HubError.self) {
            try await fixture.mintee.importTasks(
                try await TaskImportSource(path: scratch.path + "/backup.db"), operation: fixture.operation())
        }
        #expect(error?.code == "no-loop-database" && error?.kind == .invalid)
    }

    @Test(.seeded) func `a damaged database is refused`() async throws {
        let scratch = try TemporaryFolder()
        try Connection(scratch.path + "/backup.db").execute(Self.database)
        let whole = try BoundedFile.read(scratch.path + "/backup.db", limit: 1 << 20)
        var generator = SeededGenerator()
        for _ in 0..<60 {
            var bytes = whole
            for _ in 0..<40 {
                let place = Int.random(in: 100..<bytes.count, using: &generator)
                bytes[place] = UInt8.random(in: 0...255, using: &generator)
            }
            guard let file = fopen(scratch.path + "/backup.db", "w") else { throw SystemError("open") }
            fwrite(bytes, 1, bytes.count, file)
            fclose(file)
            let fixture = MinteeFixture()
            _ = try? await fixture.mintee.importTasks(
                try await TaskImportSource(path: scratch.path + "/backup.db"), operation: fixture.operation())
            #expect(try await fixture.isSound())
        }
    }
}
