import ICalendar
import MinteeDomain
import Testing

/// To-dos of other programs: when they are due, their alarms, and what is said of the rest.
struct TodoImportTests {
    private func read(_ lines: String..., alarm: String? = nil) throws -> (task: ImportedTask?, problems: [String]) {
        let alarms = alarm.map { "BEGIN:VALARM\nACTION:DISPLAY\n\($0)\nEND:VALARM\n" } ?? ""
        let text =
            "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:1\nSUMMARY:A\n\(lines.joined(separator: "\n"))\n\(alarms)END:VTODO\nEND:VCALENDAR\n"
        let found = try Importing.read(("a.ics", Array(text.utf8)))
        return (found.tasks.first, found.told)
    }

    @Test(arguments: [
        (["DTSTART;VALUE=DATE:20261101", "DUE;VALUE=DATE:20261127"], "2026-11-27", ""),
        (["DTSTART;VALUE=DATE:20261101", "DURATION:P2D"], "2026-11-02", ""),
        (["DUE;VALUE=DATE:20261127"], "2026-11-27", ""), (["DTSTART;VALUE=DATE:20261101"], "2026-11-01", ""),
        (["DTSTART;VALUE=DATE:20261128", "DUE;VALUE=DATE:20261127"], "2026-11-28", ""),
        (
            ["DTSTART;VALUE=DATE:20261102", "DUE;VALUE=DATE:20261104", "RRULE:FREQ=WEEKLY;BYDAY=MO,SU"],
            "Tue,Wed 2026-11-04..open", ""
        ),
        (
            ["DTSTART;VALUE=DATE:20261102", "DUE;VALUE=DATE:20261104", "RRULE:FREQ=WEEKLY;COUNT=3"],
            "Wed 2026-11-04..2026-11-18", ""
        ),
        (
            ["DTSTART;VALUE=DATE:20261102", "DUE;VALUE=DATE:20261104", "RRULE:FREQ=MONTHLY"], "2 2026-11-02..open",
            "due 2 days after its start: imported on its start"
        ),
    ])
    func `a to-do is due on its due day`(lines: [String], due: String, loss: String) throws {
        let task = try #require(try read(lines.joined(separator: "\n")).task)
        #expect(task.due == due && task.losses.joined() == loss)
    }

    @Test func `days of a series move with its due day`() throws {
        let task = try #require(
            try read(
                "DTSTART;VALUE=DATE:20261102", "DUE;VALUE=DATE:20261103", "RRULE:FREQ=WEEKLY",
                "EXDATE;VALUE=DATE:20261109",
                "STATUS:COMPLETED"
            ).task)
        #expect(task.due == "Tue 2026-11-03..open")
        #expect(task.days == ["11-03 1", "11-10 skip \"left out in the calendar\""])
    }

    @Test(arguments: [
        (["DUE:20261127T183000"], "TRIGGER;RELATED=END:PT0S", 1110), (["DUE:20261127T183000"], "TRIGGER:-PT30M", 1080),
        (["DTSTART:20261127T080000", "DUE:20261127T183000"], "TRIGGER:-PT30M", 450),
        (["DTSTART:20261120T080000", "DUE:20261127T183000"], "TRIGGER;RELATED=END:-PT1H", 1050),
        (["DTSTART:20261120T080000", "DUE:20261127T183000"], "TRIGGER:PT0S", nil),
        (["DUE;VALUE=DATE:20261127"], "TRIGGER:PT18H30M", 1110),
    ])
    func `an alarm on the due day is its reminder`(lines: [String], trigger: String, minutes: Int?) throws {
        let task = try #require(try read(lines.joined(separator: "\n"), alarm: trigger).task)
        #expect(task.draft.remindAt == minutes)
        #expect(task.losses.contains("alarm left out") == (minutes == nil))
    }

    @Test func `what a task does not keep is said`() throws {
        let task = try #require(
            try read(
                "DUE;VALUE=DATE:20261127", "RELATED-TO:2", "PRIORITY:1", "LOCATION:Home", "URL:https://example.org",
                "GEO:1;2", "COMMENT:x", "CONTACT:y", "ATTACH:https://example.org/a", "X-APPLE-SORT-ORDER:5"
            ).task)
        #expect(
            task.losses == [
                "attachment, comment, contact, position, location, priority, relation to another to-do, URL left out"
            ])
        #expect(try read("DUE;VALUE=DATE:20261127", "PRIORITY:0").task?.losses == [])
    }

    @Test func `a completed to-do without a date was due when it was done`() throws {
        let done = try read("STATUS:COMPLETED", "COMPLETED:20261103T230000Z")
        #expect(done.task?.due == "2026-11-04" && done.task?.days == ["11-04 1"], "two hours east of Greenwich")
        #expect(try read("STATUS:NEEDS-ACTION").problems == ["2 A: neither DTSTART nor DUE; a task needs a date"])
    }

    @Test(arguments: [
        ("FREQ=WEEKLY;X-FOO=1;BYDAY=MO", "X-FOO=1 of its rule left out"),
        ("FREQ=WEEKLY;FROM=COMPLETION", "FROM=COMPLETION of its rule left out"),
    ])
    func `an odd part of a rule does not lose the series`(rule: String, loss: String) throws {
        let task = try #require(try read("DTSTART;VALUE=DATE:20261102", "RRULE:\(rule)").task)
        #expect(task.due == "Mon 2026-11-02..open" && task.losses == [loss])
        #expect(try read("DTSTART;VALUE=DATE:20261102", "RRULE:X-FOO=1").task == nil)
    }
}
