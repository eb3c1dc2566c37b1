import CivilDate
import MinteeDomain
import Testing

/// harsh and habitctl, by samples laid out by hand.
struct HabitLogTests {
    private let harsh = [
        ("habits", PackageResources.harsh_habits_txt), ("log", PackageResources.harsh_log_txt),
    ]
    private let habitctl = [
        ("habits", PackageResources.habitctl_habits_txt), ("log", PackageResources.habitctl_log_txt),
    ]

    @Test func `both files of harsh`() throws {
        #expect(TaskImportFormat(sniffing: Importing.bundle(harsh)) == .harsh)
        let found = Importing.read(Importing.bundle(harsh), as: .harsh)
        #expect(
            found.tasks.map(\.draft.name) == [
                "Gymmed", "Bed by midnight", "Cleaned house", "Tracked mood", "Call: Mom", "Retired",
            ])
        let gym = try found.task("Gymmed")
        #expect(gym.days == ["10-01 0", "10-02 skip sore", "10-03 0.5"])
        #expect(gym.due == "daily: x > 0 2026-10-01..open")
        #expect(gym.draft.tags == ["Dailies"])
        #expect(gym.draft.period?.description == "3 times in 7 days" && gym.losses == [])
        let bed = try found.task("Bed by midnight")
        #expect(bed.days == ["10-01 0", "10-02 1 read : till late"] && bed.due == "daily 2026-10-01..open")
        #expect(bed.losses == [])
        #expect(try found.task("Cleaned house").due == "daily 2026-11-20..open")
        let mood = try found.task("Tracked mood")
        #expect(mood.days == ["10-03 7 10:30 at work"] && mood.due == "daily: x >= 0 2026-10-03..open")
        let mom = try found.task("Call: Mom")
        #expect(mom.due == "daily 2026-10-04..2026-10-31" && mom.draft.tags == ["Weeklies"])
        let retired = try found.task("Retired")
        #expect(retired.due == "daily 2026-10-04..2026-10-05")
        #expect(retired.losses == ["only found in the log; ends on its last day there"])
        #expect(
            found.told == [
                "11 expected a habit such as Name: 3/7 (times and days)",
                "12 expected a habit such as Name: 3/7 (times and days)",
                "7 Bed by midnight: \"x\" is not y, n or s", "9 the line does not start with a date",
                "13 expected a line such as 2026-11-20 : Name : y",
                "14 Gymmed: 2026-10-01 has two lines; the last one counts",
            ])
        let wrong = try #require(found.problems.first { $0.place.line == 7 })
        #expect(wrong.place.file == "log" && wrong.columns == 32..<33)
        #expect(Array(wrong.place.excerpt)[31] == "x")
    }

    @Test(arguments: [
        (
            HabitFiles.Program.harsh,
            "Plain: 1\n\n! Dailies\nGym: 3/7\nMood: 0\n\n! Weeklies\nCall: Mom: 7: 2026-10-31\nMonthly: 30\n",
            "2026-10-01 : Plain : y : far : 5.5\n2026-10-01 : Gym : n\n2026-10-02 : Plain : s : a cold\n"
                + "2026-10-02 : Gym : y :  : 0.5\n2026-10-03 : Mood : y : at 10:30 : 7\n"
                + "2026-10-04 : Call: Mom : y : one : 2 : \n2026-10-04 : Gym : y\n2026-10-05 : Monthly : n : late : or not\n"
        ),
        (
            .habitctl, "1 Meditated\n7 Cleaned the flat\n0 Had a headache\n",
            "2026-10-01\tMeditated\ty\n2026-10-01\tCleaned the flat\tn\n\n2026-10-02\tMeditated\ts\n"
                + "2026-10-02\tHad a headache\ty\n"
        ),
    ])
    func `what is imported is exported as it was`(program: HabitFiles.Program, habits: String, log: String) throws {
        let files = [("habits", Array(habits.utf8)), ("log", Array(log.utf8))]
        let format: TaskImportFormat = program == .harsh ? .harsh : .habitctl
        let found = Importing.read(Importing.bundle(files), as: format)
        #expect(found.told == [])
        var written = HabitFiles(program)
        for task in found.tasks {
            #expect(HabitFiles.holds(task.draft, in: program), "\(task.draft.name)")
            written.add(task.draft, entries: task.entries.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        }
        #expect(written.habits == habits)
        // Lines of one day follow the order of the habits.
        func lines(_ text: String) -> [Substring] { text.split(separator: "\n").sorted() }
        #expect(lines(written.days) == lines(log))
        let bundle = ImportBundle("x.zip", [ImportBundle.File("x.zip", try written.zip())]).unpackingHabitFiles
        #expect(bundle.files.map(\.name) == ["habits", "log"])
        #expect(TaskImportFormat(sniffing: bundle) == format)
    }

    @Test func `both files of habitctl`() throws {
        #expect(TaskImportFormat(sniffing: Importing.bundle(habitctl)) == .habitctl)
        let found = Importing.read(Importing.bundle(habitctl), as: .habitctl)
        #expect(found.tasks.map(\.draft.name) == ["Meditated", "Cleaned the apartment", "Had a headache"])
        #expect(try found.task("Meditated").days == ["10-01 1", "10-02 skip"])
        #expect(try found.task("Cleaned the apartment").days == ["10-01 0"])
        #expect(try found.task("Cleaned the apartment").draft.period?.description == "every 7 days")
        #expect(try found.task("Had a headache").due == "daily: x >= 0 2026-10-02..open")
        #expect(found.tasks.map(\.source) == found.tasks.map { "habitctl:\($0.draft.name)" })
        #expect(
            found.told == [
                "5 expected a habit such as 7 Name (once in 7 days)", "6 Meditated: \"z\" is not y, n or s",
                "7 expected a date such as 2026-11-20, a name and y, n or s, separated by tabs",
            ])
    }

    @Test func `JSON in one line that is cut behind a number is not a habit`() {
        let start = #"{"tasks": [],"#
        let json = start + String(repeating: " ", count: (8 << 10) - start.utf8.count - 6) + #""n": 25}"#
        #expect(TaskImportFormat(sniffing: Importing.bundle([("tasks.json", Array(json.utf8))])) == .json)
    }

    @Test(arguments: ["\n", "\r\n", "\r"], [false, true])
    func `line ends and byte order marks change nothing`(lineEnd: String, mark: Bool) {
        for files in [harsh, habitctl] {
            let plain = Importing.bundle(files)
            let dressed = Importing.bundle(files.map { ($0.0, $0.1.dressed(lineEnd: lineEnd, mark: mark)) })
            let format = TaskImportFormat(sniffing: dressed)
            #expect(format == TaskImportFormat(sniffing: plain))
            guard let format else { return }
            #expect(Importing.read(dressed, as: format).tasks == Importing.read(plain, as: format).tasks)
        }
    }

    @Test func `one of both files is enough`() throws {
        let log = try Importing.read(("my habits.txt", PackageResources.habitctl_log_txt))
        #expect(log.tasks.count == 3)
        #expect(try log.task("Meditated").due == "daily 2026-10-01..2026-10-02")
        #expect(try Importing.read(("x", PackageResources.harsh_habits_txt)).tasks.count == 5)
    }

    @Test func `Windows-1252 and UTF-16 are read`() throws {
        let line = Array("2026-10-01\tCaf".utf8) + [0xE9] + Array("\ty\n".utf8)
        #expect(try Importing.read(("log", line)).tasks.map(\.draft.name) == ["Café"])
        #expect(
            try Importing.read(("log", Array("2026-10-01\tCafé\ty\n".utf8).utf16)).tasks.map(\.draft.name) == ["Café"])
    }
}
