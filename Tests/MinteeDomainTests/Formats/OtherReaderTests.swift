import CivilDate
import MinteeDomain
import TestSupport
import Testing

/// taskwarrior, Habitica and HabitBull, by samples laid out by hand.
struct OtherReaderTests {
    @Test func `taskwarrior`() throws {
        let found = try Importing.read(("tasks.json", PackageResources.taskwarrior_json))
        #expect(
            found.tasks.map(\.draft.name) == [
                "Water plants", "Change filter", "Call the bank", "Pay rent", "Stretch", "Last day",
            ])
        let water = try found.task("Water plants")
        #expect(
            water.due == "Thu 2026-10-01..open" && water.days == ["10-01 1", "10-08 skip \"deleted in taskwarrior\""])
        #expect(water.draft.tags == ["home", "flat.balcony"] && water.draft.notes == "also the fern")
        #expect(water.source == "taskwarrior:11111111-0000-4000-8000-000000000001" && water.losses == [])
        let filter = try found.task("Change filter")
        #expect(
            filter.due == "every 2 weeks on Fri from 2026-10-02 2026-10-02..2026-12-30"
                && filter.days == ["10-02 1 the last one; buy more"])
        #expect(filter.losses == [])
        let bank = try found.task("Call the bank")
        #expect(bank.due == "2026-10-03" && bank.days == [])
        #expect(bank.losses == ["1 task without a due date, imported on the end or entry date"])
        let rent = try found.task("Pay rent")
        #expect(
            rent.due == "2026-10-01 2026-11-01" && rent.days == ["10-01 1"] && rent.source == "taskwarrior:Pay rent")
        #expect(try found.task("Stretch").due == "weekdays 2026-10-05..open")
        #expect(try found.task("Last day").due == "last 2026-10-31..open")
        #expect(
            found.told == [
                "13 this task cannot be read: status is missing", "14 this task cannot be read: invalid JSON",
            ])
        #expect(found.notes == ["1 deleted task left out"])
    }

    @Test func `taskwarrior one object a line`() throws {
        let lines = String(decoding: PackageResources.taskwarrior_json, as: UTF8.self).split(separator: "\n")
            .dropFirst()
            .dropLast().map { $0.hasSuffix(",") ? $0.dropLast() : $0 }
        let found = try Importing.read(("tasks.json", Array(lines.joined(separator: "\n").utf8)))
        #expect(found.tasks.map(\.draft.name).count == 6 && found.problems.count == 2)
        let dressed = PackageResources.taskwarrior_json.dressed(lineEnd: "\r\n", mark: true)
        #expect(try Importing.read(("tasks.json", dressed)).tasks.count == 6)
    }

    @Test func `the history of Habitica`() throws {
        let found = try Importing.read(("history.csv", PackageResources.habitica_history_csv))
        #expect(found.tasks.map(\.draft.name) == ["Read", "Floss, both", "Read 2"])
        let read = try found.task("Read")
        #expect(read.days == ["10-01 1", "10-02 1", "10-04 1"] && read.due == "daily 2026-10-01..open")
        #expect(read.losses == ["history.csv has no due days; imported as due every day (userdata.json has them)"])
        let floss = try found.task("Floss, both")
        #expect(floss.days == ["10-01 2"] && floss.due == "daily: x >= 0 2026-10-01..open")
        #expect(floss.losses == ["1 minus score left out"])
        #expect(try found.task("Read 2").days == [])
        #expect(found.told == ["10 Read: invalid date and time \"yesterday\"", "11 Read: invalid value \"much\""])
    }

    @Test func `all data of Habitica`() throws {
        let found = try Importing.read(("userdata.json", PackageResources.habitica_userdata_json))
        let standup = try found.task("Standup")
        #expect(standup.due == "weekdays 2026-09-28..open" && standup.days == ["10-01 1"])
        #expect(standup.draft.tags == ["work"] && standup.draft.notes == "- yesterday\n- today")
        #expect(standup.source == "habitica:d1")
        #expect(try found.task("Pay day").due == "15,31 2026-09-15..open")
        #expect(try found.task("Board").due == "1st,4th Mon 2026-09-01..open")
        let fifth = try found.task("Fifth Monday")
        #expect(fifth.due == "2026-11-30 2027-03-29 2027-05-31 2027-08-30")
        #expect(
            fifth.losses == [
                "every month on the 5th Mon cannot be represented; imported as 4 dates until 2027-11-20"
            ])
        let third = try found.task("Every third day")
        #expect(third.due == "every 3 days from 2026-11-01 2026-11-01..open" && third.losses == [])
        #expect(try found.task("Yearly").due == "every year on 28 from 2026-02-28 2026-02-28..open")
        #expect(
            try found.task("Fortnight").due == "every 2 weeks on Mon,Fri from 2026-11-02 2026-11-02..open")
        let water = try found.task("Drink water")
        #expect(water.days == ["10-02 3", "10-03 1"] && water.losses == ["2 minus scores left out"])
        #expect(water.draft.tags == ["health"] && water.draft.notes == "a glass")
        #expect(try found.task("Tax").due == "2026-12-01")
        #expect(try found.task("Letter").days == ["10-07 1"])
        #expect(
            found.told == [
                "25 this task cannot be read: text has the wrong type",
                "32 Someday: to-do without a date",
                "14 Standup: 1 day (2026-10-04) left out: the task is not due then",
            ])
        #expect(found.notes == ["1 reward left out"])
    }

    /// The tasks of a file of Habitica that was written from these tasks.
    private func rewritten(_ tasks: [ImportedTask]) throws -> (tasks: ImportedTasks, text: [UInt8]) {
        var file = HabiticaFile { Int64($0.daysSinceEpoch) * 86_400_000 + 36_000_000 }
        for task in tasks {
            let id = task.source.hasPrefix("habitica:") ? String(task.source.dropFirst(9)) : task.draft.name
            file.add(
                task.draft, id: id, entries: task.entries.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        }
        return (try Importing.read(("userdata.json", file.bytes)), file.bytes)
    }

    @Test func `what is imported from Habitica is exported as it was`() throws {
        let source = try Importing.read(("userdata.json", PackageResources.habitica_userdata_json)).tasks
        let (found, text) = try rewritten(source)
        #expect(found.problems.isEmpty && found.notes.isEmpty)
        #expect(found.tasks.count == source.count)
        for task in source {
            let copy = try found.task(task.draft.name)
            #expect(copy.due == task.due && copy.days == task.days && copy.source == task.source)
            #expect(copy.draft == task.draft)
            #expect(
                HabiticaFile.holds(task.draft, entries: task.entries.map { ($0.key, $0.value) }),
                "\(task.draft.name)")
        }
        #expect(try rewritten(found.tasks).text == text)
        for part in [
            "\"frequency\":\"yearly\",\"everyX\":1,\"startDate\":\"2026-02-28T10:00:00.000Z\"",
            "\"scoredUp\":3,\"scoredDown\":0", "\"daysOfMonth\":[15,31]", "\"weeksOfMonth\":[0,3]",
            "\"checklist\":[{\"id\":\"d1/1\",\"text\":\"yesterday\",\"completed\":false}",
        ] {
            #expect(String(decoding: text, as: UTF8.self).contains(part), "\(part)")
        }
    }

    @Test(.seeded) func `what Habitica can represent comes back from its file`() throws {
        var random = SeededGenerator(seed: 33)
        func chance() -> Bool { Bool.random(using: &random) }
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        var drafts: [ImportedTask] = []
        for index in 0..<120 {
            let start = Importing.today.adding(days: -number(0...400))
            let weekdays = WeekdaySet(rawValue: UInt8(number(1...127)))
            let days = MonthDaySet((0..<number(1...3)).map { _ in chance() ? .day(number(1...31)) : .last })
            let weeks = MonthWeekSet((0..<number(1...2)).compactMap { _ in MonthWeek(rawValue: number(1...5)) })
            var pattern = [
                DayPattern(weekdays: weekdays), .daily, DayPattern(weekdays: weekdays, weeks: weeks),
                DayPattern(monthDays: days),
            ][number(0...3)]
            if chance() {
                let unit: DayInterval.Unit = pattern.kind == .daysOfWeek ? (chance() ? .day : .week) : .month
                pattern = pattern.every(
                    DayInterval(every: [2, 3, 12, 24][number(0...3)], unit, from: start.adding(days: number(-40...40))))
            }
            let target: Target = chance() ? .done : chance() ? .atLeast(0) : .atLeast(5)
            let schedule: Schedule =
                number(0...9) == 0
                ? .dates((0..<number(1...4)).map { start.adding(days: $0 * 9) })
                : .recurring(from: start, to: Importing.today.adding(days: 365), [TargetSet(pattern, target)])
            let draft = TaskDraft(
                name: "Task \(index)", tags: chance() ? ["a", "B"] : [], schedule: schedule,
                hasOpenEnd: schedule.kind == .recurring,
                notes: ["", "one\ntwo", "- step\n- more", "one\n- step", "one\n\n- step", "- a\nlast"][number(0...5)])
            let due = (0...60).map { Importing.today.adding(days: -$0) }.filter { draft.isDue(on: $0) }
            var entries: [CivilDate: Entry] = [:]
            for day in due where number(0...3) == 0 {
                entries[day] = Entry(completion: Double(number(1...(target == .atLeast(0) ? 9 : 1))))
            }
            drafts.append(ImportedTask(source: "", draft: draft, entries: entries))
        }
        var held = 0
        let found = try rewritten(drafts).tasks
        for task in drafts {
            let copy = try found.task(task.draft.name)
            #expect(copy.draft.notes == task.draft.notes && copy.draft.tags == task.draft.tags)
            guard HabiticaFile.holds(task.draft, entries: task.entries.map { ($0.key, $0.value) }) else { continue }
            held += 1
            #expect(copy.entries == task.entries, "\(task.due)")
            let ahead = (0...250).map { Importing.today.adding(days: $0) }
            #expect(
                ahead.filter { copy.draft.isDue(on: $0) } == ahead.filter { task.draft.isDue(on: $0) },
                "\(task.due) became \(copy.due)")
        }
        #expect(held > 30)
    }

    @Test
    func
        `a missed day at the beginning of a history that was cut off is not done, and to-dos of one name are one task`()
        throws
    {
        let text = """
            {"tasks": {"habits": [], "rewards": [],
            "dailys": [{"id": "d", "text": "Floss", "frequency": "daily", "everyX": 1, "startDate": "2026-10-01",
            "history": [{"date": 1790892000000, "value": 9, "isDue": true, "completed": false},
            {"date": 1790978400000, "value": 9.8, "isDue": true, "completed": true}]}],
            "todos": [{"id": "a", "text": "Pay rent", "date": "2026-10-01", "completed": true, "dateCompleted": "2026-10-01"},
            {"id": "b", "text": "Pay rent", "date": "2026-11-01", "notes": "by card", "completed": false}]}}
            """
        let found = try Importing.read(("userdata.json", Array(text.utf8)))
        #expect(try found.task("Floss").days == ["10-03 1"])
        let rent = try found.task("Pay rent")
        #expect(rent.due == "2026-10-01 2026-11-01" && rent.days == ["10-01 1"] && rent.draft.notes == "by card")
        #expect(rent.source == "habitica:a" && found.tasks.count == 2)
    }

    @Test func `Streaks`() throws {
        let text = """
            task_id,title,icon,entry_type,entry_date,entry_timestamp,entry_timezone,quantity,page,notes
            A1,"Walk, 2x",ic_dog,completed_manually,20261001,2026-10-01T08:00:00Z,Europe/Berlin,0.0,0,in the rain
            A1,"Walk, 2x",ic_dog,missed_auto,20261002,2026-10-03T00:00:00Z,Europe/Berlin,0.0,0,
            A1,"Walk, 2x",ic_dog,skipped_manually,20261003,2026-10-03T09:00:00Z,Europe/Berlin,0.0,0,
            A1,"Walk, 2x",ic_dog,missed_auto,20261003,2026-10-04T00:00:00Z,Europe/Berlin,0.0,0,
            A1,"Walk, 2x",ic_dog,timer_manually,20261004,2026-10-04T09:00:00Z,Europe/Berlin,300,0,
            B2,Read,ic_book,completed_auto,20261001,2026-10-01T08:00:00Z,Europe/Berlin,12,1,
            B2,Read,ic_book,missed_auto,20261001,2026-10-01T07:00:00Z,Europe/Berlin,0,1,
            B2,Read,ic_book,completed_auto,20261301,2026-10-01T08:00:00Z,Europe/Berlin,1,1,
            B2,,ic_book,completed_auto,20261001,2026-10-01T08:00:00Z,Europe/Berlin,1,1,

            """
        let found = try Importing.read(("streaks.csv", Array(text.utf8)))
        let due = "Streaks exports neither due days nor targets; imported as due every day"
        let walk = try found.task("Walk, 2x")
        #expect(walk.days == ["10-01 1 in the rain", "10-02 0", "10-03 skip"] && walk.source == "streaks:A1")
        #expect(walk.due == "daily 2026-10-01..open")
        #expect(walk.losses == [due, "1 entry of the type \"timer_manually\" left out"])
        let read = try found.task("Read")
        #expect(read.days == ["10-01 1"])
        #expect(read.losses == [due, "1 quantity left out; a completed day is 1"])
        #expect(found.told == ["9 Read: invalid date \"20261301\"", "10 no title"])
    }

    @Test func `HabitBull`() throws {
        let found = try Importing.read(("HabitBull.csv", PackageResources.habitbull_csv))
        let pushups = try found.task("Push-ups")
        #expect(pushups.days == ["10-01 20", "10-03 0 ill", "10-04 1 done, at last"])
        #expect(pushups.due == "daily 2026-10-01..open" && pushups.draft.tags == ["Health"])
        #expect(
            pushups.losses == [
                "HabitBull exports neither due days nor targets; imported as due every day with a target of 1",
                "2 values below 0 left out",
            ])
        #expect(try found.task("No sugar").days == ["10-01 1", "10-02 0", "10-05 1"])
        #expect(
            found.told == [
                "12 a quote is not closed", "6 Push-ups: 2026-10-04 is given twice; the first line counts",
                "9 No sugar: invalid date \"2026-13-02\"", "10 No sugar: invalid number \"one\"",
                "11 no habit name",
            ])
        let dressed = PackageResources.habitbull_csv.dressed(lineEnd: "\r\n", mark: true)
        #expect(try Importing.read(("x.csv", dressed)).tasks.map(\.entries) == found.tasks.map(\.entries))
    }

    @Test(arguments: ["", "hello", "{}", "[]", "a,b\n1,2\n", "{\"tasks\":1}", "\u{0}\u{1}"])
    func `what is of no known format is told so`(text: String) {
        #expect(TaskImportFormat(sniffing: Importing.bundle([("x", Array(text.utf8))])) == nil)
    }
}

/// TickTick and Todoist, by rows in the forms that they export.
struct ListReaderTests {
    private static let ticktick = """
        "Date: 2026-11-20+0000"
        "Version: 7.1"
        "Status: \n0 Normal\n1 Completed\n2 Archived"
        "Folder Name","List Name","Title","Kind","Tags","Content","Is Check list","Start Date","Due Date","Reminder","Repeat","Priority","Status","Created Time","Completed Time","Order","Timezone","Is All Day","Is Floating","Column Name","Column Order","View Mode","taskId","parentId"
        "","Inbox","Water plants","TEXT","home, green","twice","N","","2026-11-22T22:00:00+0000","","RRULE:FREQ=WEEKLY;INTERVAL=1;BYDAY=MO,TH","0","0","2026-09-01T10:00:00+0000","","0","Europe/Berlin","true","false","","","list","1",""
        "","Garden","Plant bulbs","TEXT","","","N","2026-11-18T00:00:00+0200","2026-11-18T00:00:00+0200","","","5","2","2026-09-01T10:00:00+0000","2026-11-18T10:00:00+0000","0","Europe/Berlin","true","false","","","list","2",""
        "","Garden","Some day","TEXT","","","N","","","","","0","0","2026-09-01T10:00:00+0000","","0","Europe/Berlin","true","false","","","list","3",""
        "","Garden","A note","NOTE","","","N","","","","","0","0","2026-09-01T10:00:00+0000","","0","Europe/Berlin","true","false","","","list","4",""

        """

    @Test func `the backup of TickTick`() throws {
        let found = try Importing.read(("TickTick.csv", Array(Self.ticktick.utf8)))
        #expect(found.tasks.map(\.draft.name) == ["Water plants", "Plant bulbs"])
        let water = try found.task("Water plants")
        #expect(water.due == "Mon,Thu 2026-11-23..open" && water.draft.tags == ["home", "green"])
        #expect(water.draft.notes == "twice" && water.losses == [])
        let bulbs = try found.task("Plant bulbs")
        #expect(bulbs.days == ["11-18 1"] && bulbs.draft.tags == ["Garden"])
        #expect(found.told == ["10 Some day: to-do without a date"])
    }

    private static let todoist = """
        TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE
        section,Home,,,,,,,,
        task,Water the plants @home,All of them,4,1,Ada (1),,every Monday,en,Europe/Berlin
        note,not the cactus,,,,Ada (1),,,,
        task,"Call Grace, again",,1,1,Ada (1),,2026-11-26,en,Europe/Berlin
        task,Stretch,,4,1,Ada (1),,every! day at 7:30,en,Europe/Berlin
        task,Some day,,4,1,Ada (1),,,en,Europe/Berlin
        task,Odd,,4,1,Ada (1),,every blue moon,en,Europe/Berlin
        note,left out,,,,Ada (1),,,,

        """

    @Test func `a project of Todoist`() throws {
        let found = try Importing.read(("Home.csv", Array(Self.todoist.utf8)))
        #expect(found.tasks.map(\.draft.name) == ["Water the plants", "Call Grace, again", "Stretch"])
        let water = try found.task("Water the plants")
        #expect(water.due == "Mon 2026-11-20..open" && water.draft.tags == ["home"])
        #expect(water.draft.notes == "All of them\nnot the cactus")
        #expect(try found.task("Call Grace, again").draft.schedule == .dates([try day("2026-11-26")]))
        let stretch = try found.task("Stretch")
        #expect(stretch.due == "daily 2026-11-20..open")
        #expect(
            stretch.losses == [
                "\"every!\", from the day of completion, is imported as fixed days", "time of day left out",
            ])
        #expect(
            found.told == [
                "7 Some day: to-do without a date", "8 Odd: the date \"every blue moon\" cannot be read",
            ])
    }
}
