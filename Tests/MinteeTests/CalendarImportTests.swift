import CivilDate
import Commands
import FoundationEssentials
import HubRuntimeTesting
import ICalendar
import JSON
import MinteeDomain
import Testing

@testable import Mintee

/// Calendars of other programs, laid out by hand in the style of each.
struct CalendarImportTests {
    private func path(_ name: String) -> String {
        "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/") + "/Calendars/\(name).ics"
    }

    /// The tasks of a hub as JSON, by name.
    private func tasks(_ hub: TestHub) async throws -> [String: JSONValue] {
        let json = try JSONReader.read(Array(await hub.run("mintee export").output.utf8))
        let tasks = json["tasks"]?.array ?? []
        return Dictionary(tasks.map { ($0["name"]?.string ?? "", $0) }) { first, _ in first }
    }

    /// The days of a task with what was entered for them: `2026-11-10 1`.
    private func days(_ task: JSONValue?) -> [String] {
        (task?["instances"]?.array ?? []).map { day in
            var words = [day["date"]?.string ?? "", NumberText.text(day["completion"]?.double ?? -1)]
            if day["entered"]?.bool == false { words[1] = "-" }
            if let skip = day["skip"]?.string { words.append("skipped: \(skip)") }
            if let note = day["note"]?.string { words.append("note: \(note)") }
            return words.joined(separator: " ")
        }
    }

    private func imported(_ name: String) async throws -> (tasks: [String: JSONValue], said: String) {
        let hub = try TestHub(MinteePlugin.self)
        let run = await hub.run("mintee import \(path(name))")
        let again = await hub.run("mintee import \(path(name))")
        #expect(again.all.contains(": 0 new, 0 updated, "), "\(again.all)")
        #expect(await hub.run("mintee check").exit == 0)
        return (try await tasks(hub), run.all)
    }

    @Test func `Apple Reminders`() async throws {
        let (tasks, said) = try await imported("apple-reminders")
        #expect(tasks.keys.sorted() == ["Take out the glass", "Water the plants"])
        let glass = tasks["Take out the glass"]
        #expect(glass?["startDate"]?.string == "2026-11-03")
        #expect(glass?["openEnd"]?.bool == true)
        #expect(glass?["targetSets"]?.array?.first?["pattern"]?["DaysOfWeek"]?.array?.compactMap(\.integer) == [3, 5])
        #expect(days(glass) == [])
        #expect(days(tasks["Water the plants"]) == ["2026-11-10 1", "2026-11-17 -"])
        #expect(said.contains("time of day left out"))
        #expect(said.contains("alarm left out"))
    }

    @Test func `Tasks org`() async throws {
        let (tasks, said) = try await imported("tasks-org")
        let rent = tasks["Pay the rent"]
        #expect(rent?["targetSets"]?.array?.first?["pattern"]?["DaysOfMonth"]?.array?.compactMap(\.integer) == [1])
        #expect(rent?["notes"]?.string == "Standing order, only look\nand file it")
        #expect(rent?["tags"] == .array([.string("home"), .string("money")]))
        let pattern = tasks["Clean the filter"]?["targetSets"]?.array?.first?["pattern"]
        #expect(pattern?["DaysOfWeek"]?.array?.compactMap(\.integer) == [2])
        #expect(pattern?["Interval"]?["Count"]?.integer == 2 && pattern?["Interval"]?["Unit"]?.integer == 2)
        #expect(pattern?["Interval"]?["Start"]?.string == "2026-11-16")
        #expect(said.contains("priority left out"))
        #expect(tasks["Some day"] == nil)
        #expect(said.contains(#""Some day": neither DTSTART nor DUE"#))
    }

    @Test func `Nextcloud Tasks`() async throws {
        let (tasks, said) = try await imported("nextcloud-tasks")
        #expect(tasks["Read a chapter"]?["tags"] == .array([.string("books"), .string("evening")]))
        #expect(days(tasks["Read a chapter"]) == ["2026-11-19 -"])
        #expect(said.contains("progress of 40 % left out"))
        #expect(days(tasks["Call the bank"]) == ["2026-11-18 1"])
    }

    @Test func `Thunderbird`() async throws {
        let (tasks, _) = try await imported("thunderbird")
        let stretch = tasks["Stretch"]
        #expect(stretch?["endDate"]?.string == "2026-12-31")
        #expect(stretch?["openEnd"]?.bool == false)
        #expect(stretch?["remindAt"]?.integer == 480)
        #expect(days(stretch) == ["2026-11-09 1", "2026-11-11 1 note: only the back"])
    }

    @Test func `Google Calendar`() async throws {
        let (tasks, said) = try await imported("google-calendar")
        #expect(tasks.keys.sorted() == ["Antibiotic", "Bins", "Birthday of Zoe", "Volleyball"])
        let volleyball = tasks["Volleyball"]
        #expect(volleyball?["endDate"]?.string == "2026-12-22")
        #expect(volleyball?["remindAt"]?.integer == 1080)
        #expect(
            days(volleyball) == [
                "2026-10-13 0 skipped: left out in the calendar", "2026-10-20 0 skipped: moved to 2026-10-21",
                "2026-10-30 0 skipped: left out in the calendar",
            ])
        #expect(said.contains("2 days (2026-10-13, …) excluded in the calendar: skipped"))
        #expect(said.contains("1 day (2026-10-20) moved to another day: skipped"))
        #expect(tasks["Bins"]?["targetSets"]?.array?.count == 2)
        #expect(tasks["Birthday of Zoe"]?["startDate"]?.string == "2020-03-14")
        #expect(tasks["Antibiotic"]?["endDate"]?.string == "2026-11-14")
    }

    @Test func `one bad item never stops the rest`() async throws {
        let (tasks, said) = try await imported("broken")
        #expect(tasks.keys.sorted() == ["Good", "Two thousand million times", "Until the end of time"])
        for words in [
            #""No rule": "FREQ=FORTNIGHTLY" is not a valid recurrence rule"#, #""No date": invalid date "20261131""#,
            "no SUMMARY", #""Every second": every second: unsupported recurrence rule"#,
            #""Never": only in some months: no dates until 2027-11-20"#, "end after 2147483647 times left out",
            "invalid property line left out",
        ] {
            #expect(said.contains(words), "\(words)")
        }
        #expect(tasks["Two thousand million times"]?["openEnd"]?.bool == true)
    }

    @Test(arguments: [
        "garbage", "BEGIN:VCALENDAR", "BEGIN:VCALENDAR\nBEGIN:VTODO\nEND:VCALENDAR\n",
        "BEGIN:VCALENDAR\nX\u{0}\nEND:VCALENDAR",
        String(repeating: "BEGIN:VTODO\n", count: 100_000),
        "BEGIN:VCALENDAR\nBEGIN:VTODO\nSUMMARY:" + String(repeating: "x", count: 9 << 20)
            + "\nEND:VTODO\nEND:VCALENDAR",
    ])
    func `a file that is no calendar is refused`(text: String) async throws {
        let hub = try TestHub(MinteePlugin.self)
        let file = hub.home + "/bad.ics"
        try Data(text.utf8).write(to: URL(filePath: file))
        let run = await hub.run("mintee import --as ics \(file)")
        #expect(run.exit == 65 || run.exit == 2, "\(run.all)")
        #expect(run.messages.contains("error:") || run.all.contains("skipped"))
    }

    @Test func `a horizon ends what has no end`() async throws {
        let hub = try TestHub(MinteePlugin.self)
        let run = await hub.run("mintee import --horizon 2026-12-31 \(path("tasks-org"))")
        #expect(try await tasks(hub)["Clean the filter"]?["endDate"]?.string == "2026-12-31")
        #expect(run.exit == 2)
        let rent = try await tasks(hub)["Pay the rent"]
        #expect(rent?["endDate"]?.string == "2026-12-31")
        #expect(rent?["openEnd"]?.bool == false)
    }

    @Test(arguments: [false, true])
    func `what hub exports comes back whole`(asEvents: Bool) async throws {
        let hub = try TestHub(MinteePlugin.self)
        await hub.run(
            #"mintee new Water --on "Last Mon: 3 <= x < 5" --on "1,last: x = 2" --on "daily: x <= 0.5" --tag health --remind 09:30"#
        )
        await hub.run(#"mintee new Rare --on "31: x >= 2" --on Mon --from 2026-11-01 --to 2026-11-30"#)
        await hub.run("mintee new Pay --dates 2026-11-20,2026-12-20,2027-01-20 --tag money --tag health")
        await hub.run("mintee new Read --from 2026-11-01")
        for line in [
            "set water 0.25", "note water \"a, b; c\\\\d\"", "skip rare --why ill --date 2026-11-02", "done pay",
            "set read -3 --date 2026-11-19", "note read only --date 2026-11-18", "skip read --date 2026-11-17",
        ] {
            #expect(await hub.run("mintee \(line)").exit == 0)
        }
        let file = hub.home + "/tasks.ics"
        #expect(await hub.run("mintee export --as ics -o \(file)\(asEvents ? " --events" : "")").exit == 0)
        let other = try TestHub(MinteePlugin.self)
        #expect(await other.run("mintee import \(file)").exit == 0)
        #expect(await other.run("mintee export").output == hub.run("mintee export").output)
        // Into the store that it came from it says nothing new.
        #expect(await hub.run("mintee import \(file)").all.contains(": 0 new, 0 updated, 4 unchanged"))
    }

    @Test func `the to-do of a week in a synced calendar is no task of its own`() async throws {
        let fixture = MinteeFixture()
        func calendar(_ todos: String...) -> String {
            "BEGIN:VCALENDAR\n" + todos.map { "BEGIN:VTODO\n\($0)\nEND:VTODO\n" }.joined() + "END:VCALENDAR\n"
        }
        let week = "UID:task/7kt/period/2026-11-16\nSUMMARY:Gym (1 of 3)\nDUE;VALUE=DATE:20261122"
        let day = "UID:task/7kt/day/2026-11-17\nSUMMARY:Gym\nDTSTART;VALUE=DATE:20261117\nSTATUS:COMPLETED"
        let alone = try await fixture.importing(("a.ics", calendar(week)), isDryRun: true)
        #expect(alone.items.isEmpty && alone.skippedCount == 1)
        let both = try await fixture.importing(("a.ics", calendar(week, day)))
        #expect(both.items.map(\.name) == ["Gym"] && both.skippedCount == 0)
        #expect(try await fixture.days("Gym") == ["11-17 1"])
    }
}
