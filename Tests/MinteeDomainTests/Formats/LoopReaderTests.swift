import Archive
import CivilDate
import MinteeDomain
import Testing

/// Loop's CSV export, by samples laid out by hand.
struct LoopReaderTests {
    static let files = [
        ("Habits.csv", PackageResources.loop_habits_csv),
        ("001 Meditate/Checkmarks.csv", PackageResources.loop_meditate_csv),
        ("002 Run/Checkmarks.csv", PackageResources.loop_run_csv),
        ("003 Coffee/Checkmarks.csv", PackageResources.loop_coffee_csv),
        ("Checkmarks.csv", PackageResources.loop_matrix_csv),
    ]

    static func zip(_ files: [(String, [UInt8])]) throws -> [UInt8] {
        let writer = try ZipWriter()
        for file in files { try writer.add(ArchiveEntry(file.0, file.1)) }
        try writer.finish()
        return writer.take()
    }

    /// The folder of one habit, without the list of habits beside it.
    @Test func `one habit's folder alone`() throws {
        for path in ["Checkmarks.csv", "loop/002 Run/Checkmarks.csv"] {
            let files = [
                ImportBundle.File(path, PackageResources.loop_run_csv),
                ImportBundle.File("Scores.csv", Array("2026-10-01,0.5\n".utf8)),
            ]
            let bundle = ImportBundle("002 Run", files)
            #expect(TaskImportFormat(sniffing: bundle) == .loop)
            let found = Importing.read(bundle, as: .loop)
            #expect(found.tasks.map(\.draft.name) == ["Run"] && found.tasks.map(\.source) == ["loop:Run"])
            let run = try found.task("Run")
            #expect(run.days == ["09-27 9000000000", "09-28 -1.5", "10-01 0", "10-02 skip", "10-03 5.25 by the river"])
            #expect(run.losses == ["the file contains its days only, no target; imported as due every day"])
        }
        let table = ImportBundle.File("Checkmarks.csv", Array("2026-10-02,2\n2026-10-01,0\n".utf8))
        let old = Importing.read(ImportBundle("001 Tidy up", [table]), as: .loop)
        #expect(try old.task("Tidy up").days == ["10-01 0", "10-02 1"])
        #expect(TaskImportFormat(sniffing: ImportBundle("photos", [table])) == nil, "nothing says what it is called")
    }

    @Test func `a folder`() throws {
        let bundle = Importing.bundle(Self.files)
        #expect(TaskImportFormat(sniffing: bundle) == .loop)
        let found = Importing.read(bundle, as: .loop)
        #expect(found.tasks.map(\.draft.name) == ["Meditate", "Run", "Coffee", "Gym", "Pages", "Meditate 2"])
        #expect(found.tasks.map(\.source).last == "loop:Meditate 2")
        let meditate = try found.task("Meditate")
        #expect(
            meditate.days == [
                "09-30 1 first", "10-02 0 a note, with \"quotes\"\nand a second line", "10-03 0",
                "10-04 skip travelling",
                "10-05 1",
            ])
        #expect(meditate.due == "daily 2026-09-30..open")
        #expect(meditate.draft.notes == "Did you meditate today?\nIn the morning, before coffee")
        #expect(meditate.summary?.legend.color(of: .reached)?.description == "FF8F00FF")
        let run = try found.task("Run")
        #expect(run.days == ["09-27 9000000000", "09-28 -1.5", "10-01 0", "10-02 skip", "10-03 5.25 by the river"])
        #expect(run.due == "daily: x >= 5 2026-09-27..open" && run.draft.notes == "How far?\nUnit: km")
        #expect(try found.task("Coffee").due == "daily: x <= 3 2026-10-01..2026-10-02")
        let noDays = "no entries found: neither a folder nor a column in Checkmarks.csv"
        let gym = try found.task("Gym")
        #expect(gym.draft.daysText == "3 times in 7 days" && gym.losses == [noDays])
        let pages = try found.task("Pages")
        #expect(pages.due == "daily: x > 0 2026-11-20..open")
        #expect(pages.draft.period?.description == "100 in 7 days" && pages.losses == [noDays])
        #expect(
            found.told == [
                "9 Meditate: 2026-09-30 is already in the table", "10 Meditate: invalid date \"2026-09-31\"",
                "11 Meditate: \"MAYBE\" is not a mark", "6 Run: \"12345678901234567890\" is not a mark",
                "7 Odd: unknown habit type \"SOMETHING\"",
            ])
        #expect(found.problems.first?.place.file == "001 Meditate/Checkmarks.csv")
    }

    @Test(arguments: ["", "Loop Habits CSV 2026-10-05/"])
    func `a zip holds the same`(folder: String) throws {
        let bytes = try Self.zip(Self.files.map { (folder + $0.0, $0.1) })
        let found = try Importing.read(("loop.zip", bytes))
        #expect(
            found.tasks.map(\.entries) == Importing.read(Importing.bundle(Self.files), as: .loop).tasks.map(\.entries))
    }

    @Test(arguments: ["\n", "\r\n"], [false, true])
    func `line ends and byte order marks change nothing`(lineEnd: String, mark: Bool) {
        let plain = Importing.read(Importing.bundle(Self.files), as: .loop)
        let files = Self.files.map { ($0.0, $0.1.dressed(lineEnd: lineEnd, mark: mark)) }
        let dressed = Importing.read(Importing.bundle(files), as: .loop)
        #expect(dressed.tasks.map(\.draft.name) == plain.tasks.map(\.draft.name))
        #expect(dressed.tasks.map(\.entries.count) == plain.tasks.map(\.entries.count))
    }

    @Test func `the one table of all habits`() throws {
        let found = try Importing.read(("Checkmarks.csv", PackageResources.loop_matrix_csv))
        #expect(try found.task("Meditate").days == ["10-01 0", "10-02 skip", "10-03 1"])
        #expect(try found.task("Run").days == ["10-02 0", "10-03 5.25"])
        let listed = Importing.read(
            Importing.bundle([Self.files[0], ("Checkmarks.csv", PackageResources.loop_matrix_csv)]), as: .loop)
        #expect(try listed.task("Run").days == ["10-02 0", "10-03 5.25"])
    }

    /// Loop leaves letters beyond a to z out of the names of folders, and the blank at their end.
    @Test(arguments: ["001/", "001 /"])
    func `a habit whose name has no Latin letter`(folder: String) throws {
        let head = "Position,Name,Type,Question,Description,FrequencyNumerator,FrequencyDenominator,Color\n"
        let list =
            head + "001,Медитация,YES_NO,,,1,1,#FF8F00\n002,読書,YES_NO,,,1,1,#FF8F00\n003,Йога,YES_NO,,,1,1,#FF8F00\n"
        let found = Importing.read(
            Importing.bundle([
                ("Habits.csv", Array(list.utf8)),
                ("\(folder)Checkmarks.csv", Array("Date,Value,Notes\n2026-10-02,YES_MANUAL,\n2026-10-01,NO,\n".utf8)),
                ("Checkmarks.csv", Array("Date,Медитация,読書,\n2026-10-03,UNKNOWN,YES_MANUAL,\n".utf8)),
            ]), as: .loop)
        #expect(try found.task("Медитация").days == ["10-01 0", "10-02 1"])
        #expect(try found.task("読書").days == ["10-03 1"])
        #expect(try found.task("Йога").losses.contains { $0.hasPrefix("no entries found") })
    }

    @Test func `what is no table of Loop makes no habit`() throws {
        let letter = try Self.zip([("letter.csv", Array("Dear,Sir\nor,Madam\n".utf8))])
        #expect(try Importing.read(("letters.zip", letter)).tasks.isEmpty)
        let alone = Importing.bundle([("Checkmarks.csv", PackageResources.loop_run_csv)])
        #expect(TaskImportFormat(sniffing: alone) == nil)
        #expect(Importing.read(alone, as: .loop).tasks.isEmpty)
    }

    @Test func `a broken zip is told`() throws {
        let bytes = try Self.zip(Self.files)
        let found = try Importing.read(("loop.zip", Array(bytes.prefix(40))))
        #expect(found.tasks.isEmpty && found.problems.count == 1)
        #expect(try #require(found.problems.first).message.hasPrefix("the zip file is corrupt"))
    }
}
