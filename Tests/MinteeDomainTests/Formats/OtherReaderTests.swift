import CivilDate
import MinteeDomain
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
