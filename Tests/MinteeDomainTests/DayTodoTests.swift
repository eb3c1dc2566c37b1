import CivilDate
import ICalendar
import MinteeDomain
import TestSupport
import Testing

struct DayTodoTests {
    private func todo(_ target: Target?, _ entry: Entry?) throws -> DayTodo {
        DayTodo(
            taskID: "2gdabcdefghijklmnopq", date: try day("2026-11-20"), name: "Water; cold",
            tags: ["health", "at, home"],
            target: target, entry: entry, changedAt: 1_795_167_005_000)
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private func edited(_ todo: DayTodo, _ changes: [(String, String?)]) throws -> IncomingTodo {
        var component = todo.component
        for (name, value) in changes {
            if let value { component.set(ICalProperty(name, value: value)) } else { component.remove(name) }
        }
        return IncomingTodo(component)
    }

    @Test func `a day is written whole`() throws {
        let written = try todo(Target("6 <= x <= 10"), Entry(completion: 7.5, note: "two\nlines")).text
        #expect(
            text(written) == """
                BEGIN:VCALENDAR\r
                VERSION:2.0\r
                PRODID:-//hub//Mintee//EN\r
                BEGIN:VTODO\r
                UID:task/2gdabcdefghijklmnopq/day/2026-11-20\r
                SUMMARY:Water\\; cold\r
                CATEGORIES:health,at\\, home\r
                DTSTART;VALUE=DATE:20261120\r
                DUE;VALUE=DATE:20261120\r
                STATUS:COMPLETED\r
                PERCENT-COMPLETE:100\r
                COMPLETED:20261120T093005Z\r
                DESCRIPTION:two\\nlines\r
                X-MINTEE-COMPLETION:7.5\r
                X-MINTEE-TARGET:6 <= x <= 10\r
                DTSTAMP:20261120T093005Z\r
                LAST-MODIFIED:20261120T093005Z\r
                END:VTODO\r
                END:VCALENDAR\r

                """)
    }

    @Test func `a reminder rings on the phone, until the person moves it there`() throws {
        func alarms(_ bytes: [UInt8]) throws -> [String] {
            try ICalReader.read(bytes)[0].components[0].components.map { $0["TRIGGER"]?.value ?? "" }
        }
        var day = try todo(Target("x >= 20"), nil)
        let silent = day.text
        day.remindAt = 1110
        #expect(try alarms(day.text) == ["PT1110M"])
        let ringing = try day.applied(to: silent)
        #expect(try alarms(ringing) == ["PT1110M"] && (try day.applied(to: ringing)) == ringing)
        // Moved or removed there, it stays so until the task has another reminder.
        let moved = Array(text(ringing).replacing("TRIGGER:PT1110M", with: "TRIGGER:PT1080M").utf8)
        #expect(try day.applied(to: moved) == moved)
        let removed = Array(text(ringing).replacing(/BEGIN:VALARM[\s\S]*END:VALARM\r\n/, with: "").utf8)
        #expect(try alarms(removed) == [] && (try day.applied(to: removed)) == removed)
        day.remindAt = 1200
        #expect(try alarms(day.applied(to: ringing)) == ["PT1200M"])
        // Servers write the same length in another way.
        let rewritten = Array(text(ringing).replacing("TRIGGER:PT1110M", with: "TRIGGER:PT18H30M").utf8)
        #expect(try alarms(day.applied(to: rewritten)) == ["PT1200M"])
        #expect(try alarms(day.applied(to: moved)) == ["PT1080M"])
        #expect(try alarms(day.applied(to: removed)) == ["PT1200M"])
        day.remindAt = nil
        #expect(try alarms(day.applied(to: ringing)) == [] && (try alarms(day.applied(to: moved))) == ["PT1080M"])
        // A program that drops the properties of hub decides about the alarm.
        day.remindAt = 1110
        let dropped = Array(text(removed).replacing(/X-MINTEE[^\r]*\r\n/, with: "").utf8)
        #expect(try alarms(day.applied(to: dropped)) == [])
    }

    @Test func `the state says how far the day is`() throws {
        let atLeast = Target.atLeast(20)
        #expect(TodoProgress(nil, atLeast) == TodoProgress(.needsAction, percent: 0))
        #expect(TodoProgress(Entry(completion: 0), atLeast) == TodoProgress(.needsAction, percent: 0))
        #expect(TodoProgress(Entry(completion: 5), atLeast) == TodoProgress(.inProcess, percent: 25))
        #expect(TodoProgress(Entry(completion: 19.99), atLeast) == TodoProgress(.inProcess, percent: 99))
        #expect(TodoProgress(Entry(completion: 20), atLeast) == TodoProgress(.completed, percent: 100))
        #expect(TodoProgress(Entry(completion: 5, skipReason: ""), atLeast) == TodoProgress(.cancelled, percent: 25))
        // A maximum of three: no entry is not done yet; an entry of 0 is; too many is not, whatever the meter shows.
        #expect(TodoProgress(nil, .atMost(3)) == TodoProgress(.needsAction, percent: 0))
        #expect(TodoProgress(Entry(completion: 0), .atMost(3)) == TodoProgress(.completed, percent: 100))
        #expect(TodoProgress(Entry(completion: 4), .atMost(3)) == TodoProgress(.inProcess, percent: 99))
        // The meter of a range begins at its lower bound, which reaches it.
        #expect(
            TodoProgress(Entry(completion: 6), try Target("6 <= x <= 10")) == TodoProgress(.completed, percent: 100))
        #expect(TodoProgress(Entry(completion: 1), nil) == TodoProgress(.completed, percent: 100))
        #expect(TodoProgress(Entry(completion: -1), nil) == TodoProgress(.inProcess, percent: 0))
    }

    @Test func `what was written is read back, and written again alike`() throws {
        var generator = SeededGenerator(seed: 3)
        for index in 0..<2000 {
            let target: Target? = index.isMultiple(of: 5) ? nil : .random(using: &generator)
            var entry: Entry?
            if !index.isMultiple(of: 3) {
                entry = Entry(
                    completion: Double(Int.random(in: -2000...2000, using: &generator)) / 100,
                    skipReason: [nil, nil, "", "ill, in bed"][index % 4], note: [nil, "a;b\\n"][index % 2])
            }
            let todo = try todo(target, entry)
            let read = try #require(try IncomingTodo.read(todo.text))
            #expect(read.entry(for: target) == entry)
            #expect(read.own?.taskID == todo.taskID)
            #expect(read.own?.date == todo.date)
            #expect(read.date == todo.date)
            #expect(read.name == todo.name)
            #expect(read.tags == todo.tags)
            #expect(read.target == target)
            #expect(read.progress == todo.progress)
            #expect(read.changedAt == todo.changedAt)
            #expect(try todo.applied(to: todo.text) == todo.text)
        }
    }

    @Test func `what another program did is understood`() throws {
        let atLeast = Target.atLeast(20)
        let open = try todo(atLeast, nil)
        let done = [("STATUS", "COMPLETED"), ("PERCENT-COMPLETE", "100"), ("COMPLETED", "20261120T180000Z")]
        #expect(try edited(open, done).entry(for: atLeast) == Entry(completion: 20))
        #expect(try edited(open, done).completedAt == 1_795_197_600_000)
        #expect(try edited(open, [("PERCENT-COMPLETE", "100"), ("STATUS", nil)]).entry(for: atLeast)?.completion == 20)
        #expect(
            try edited(open, [("COMPLETED", "20261120T180000Z"), ("STATUS", nil)]).entry(for: nil)?.completion == 1)
        let half = [("STATUS", "IN-PROCESS"), ("PERCENT-COMPLETE", "50")]
        #expect(try edited(open, half).entry(for: atLeast) == Entry(completion: 10))
        #expect(try edited(open, half).entry(for: .atMost(3)) == Entry(completion: 0))
        #expect(try edited(open, [("STATUS", "CANCELLED")]).entry(for: atLeast) == Entry(skipReason: ""))
        #expect(try edited(open, [("DESCRIPTION", "later")]).entry(for: atLeast) == Entry(note: "later"))

        let some = try todo(atLeast, Entry(completion: 25, note: "far"))
        let undone = [("STATUS", "NEEDS-ACTION"), ("PERCENT-COMPLETE", nil), ("COMPLETED", nil)]
        #expect(try edited(some, undone).entry(for: atLeast) == Entry(note: "far"))
        #expect(try edited(some, undone + [("DESCRIPTION", nil)]).entry(for: atLeast) == nil)
        #expect(try edited(some, [("SUMMARY", "Other")]).entry(for: atLeast) == Entry(completion: 25, note: "far"))

        // More than enough stays when the day is skipped and taken up again.
        let skipped = try todo(atLeast, Entry(completion: 25, skipReason: "ill"))
        #expect(try edited(skipped, done).entry(for: atLeast) == Entry(completion: 25))
        // A target that changed here meanwhile does not make a value that was written for the old one another.
        #expect(try edited(some, []).entry(for: .atLeast(30)) == Entry(completion: 25, note: "far"))
    }

    @Test func `what other programs keep in a to-do stays`() throws {
        let theirs = """
            BEGIN:VCALENDAR\r
            PRODID:-//Other//EN\r
            VERSION:2.0\r
            BEGIN:VTIMEZONE\r
            TZID:Europe/Berlin\r
            END:VTIMEZONE\r
            BEGIN:VTODO\r
            X-APPLE-SORT-ORDER:690123456\r
            UID:task/2gdabcdefghijklmnopq/day/2026-11-20\r
            SUMMARY;LANGUAGE=en:Water\\; cold\r
            CATEGORIES:at\\, home\r
            CATEGORIES:health\r
            DTSTART;TZID=Europe/Berlin:20261120T080000\r
            DUE;TZID=Europe/Berlin:20261120T090000\r
            X-EMPTY:\r
            PRIORITY:5\r
            STATUS:NEEDS-ACTION\r
            X-MINTEE-TARGET:x >= 20\r
            DTSTAMP:20261119T000000Z\r
            RELATED-TO;RELTYPE=PARENT:abc\r
            BEGIN:VALARM\r
            ACTION:DISPLAY\r
            TRIGGER:-PT15M\r
            END:VALARM\r
            END:VTODO\r
            END:VCALENDAR\r

            """
        let untouched = try todo(.atLeast(20), nil)
        #expect(text(try untouched.applied(to: Array(theirs.utf8))) == theirs)
        let done = try todo(.atLeast(20), Entry(completion: 20))
        let changed = text(try done.applied(to: Array(theirs.utf8)))
        let expected = theirs.replacing("STATUS:NEEDS-ACTION", with: "STATUS:COMPLETED")
            .replacing("DTSTAMP:20261119T000000Z", with: "DTSTAMP:20261120T093005Z")
            .replacing(
                "RELATED-TO;RELTYPE=PARENT:abc\r\n",
                with: "RELATED-TO;RELTYPE=PARENT:abc\r\nPERCENT-COMPLETE:100\r\nCOMPLETED:20261120T093005Z\r\n"
                    + "X-MINTEE-COMPLETION:20\r\nLAST-MODIFIED:20261120T093005Z\r\n")
        #expect(changed == expected)
    }

    @Test func `an object without a to-do takes no day`() throws {
        let event = Array("BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VEVENT\nEND:VCALENDAR\n".utf8)
        let todo = try todo(nil, nil)
        #expect(throws: ICalError.empty) { try todo.applied(to: event) }
        #expect(try IncomingTodo.read(event) == nil)
        #expect(throws: ICalError.self) { try todo.applied(to: Array("garbage".utf8)) }
    }

    @Test func `only ids of hub name a task and a day`() {
        for uid in [
            "", "task/x", "task//day/2026-11-20", "task/x/day/2026-13-01", "a/x/day/2026-11-20", "task/x/set/0",
        ] {
            #expect(DayTodo.parts(ofUID: uid) == nil)
        }
    }
}
