import CivilDate
import MinteeDomain
import TestSupport
import Testing

/// No file of tasks costs more than its length.
struct ScalingTests {
    private static func read(_ bytes: [UInt8], _ name: String, as format: TaskImportFormat) {
        _ = Importing.read(Importing.bundle([(name, bytes)]), as: format)
    }

    private static let calendar = "BEGIN:VCALENDAR\n"
    private static let todo = "BEGIN:VTODO\nUID:1\nSUMMARY:A\nDTSTART;VALUE=DATE:20260101\n"
    private static let end = "END:VTODO\nEND:VCALENDAR\n"

    private static func date(_ number: Int) -> String {
        CivilDate(daysSinceEpoch: number % 40_000).description.replacing("-", with: "")
    }

    @Test(
        arguments: ["RDATE", "EXDATE", "RDATE;VALUE=DATE"], ["", "RRULE:FREQ=DAILY\n", "RRULE:FREQ=DAILY;COUNT=2000\n"])
    func `an item of many dates`(name: String, rule: String) {
        Scaling.expectLinear("\(name), \(rule)", size: 133) { count in
            numbered(count, after: Self.calendar + Self.todo + rule) { "\(name):\(Self.date($0))\n" }
                + numbered(count, before: Self.end) { "EXDATE:\(Self.date($0 + 3))\nRDATE:\(Self.date($0 + 9))\n" }
        } _: {
            Self.read($0, "a.ics", as: .ics)
        }
    }

    @Test(arguments: [
        "CATEGORIES:a,#\n", "X-FIELD:#\n", "DESCRIPTION:#\n", "no property\n", "BEGIN:VALARM\nEND:VALARM\n",
        "RRULE:FREQ=DAILY\n", "DTSTART:#\n",
    ])
    func `an item of many properties`(line: String) {
        Scaling.expectLinear(line, size: 33) { count in
            numbered(count, after: Self.calendar + Self.todo, before: Self.end) {
                line.replacing("#", with: String($0))
            }
        } _: {
            Self.read($0, "a.ics", as: .ics)
        }
    }

    @Test(arguments: [
        "UID:u#\nSUMMARY:A\nDTSTART:20260101\n", "UID:u#\nSUMMARY:A\nDTSTART:@\nCATEGORIES:t#\n",
        "UID:u#\nSUMMARY:S#\nDTSTART:@\n", "UID:1\nSUMMARY:A\nDTSTART:@\nRECURRENCE-ID:@\n",
        "UID:1\nSUMMARY:A\nDTSTART:20260102\nRECURRENCE-ID:@\n", "SUMMARY:A\nDTSTART:@\n",
        "UID:task/t/day/2026-01-01\n",
        "UID:task/t/set/#\nSUMMARY:A\nX-HUB-FROM:20260101\nRRULE:FREQ=DAILY\n",
    ])
    func `many items`(item: String) {
        for rule in ["", "RRULE:FREQ=DAILY\n", "RDATE:20260203\n"] {
            Scaling.expectLinear("\(item), \(rule)", size: 33) { count in
                numbered(count, after: Self.calendar + Self.todo + rule + "END:VTODO\n", before: "END:VCALENDAR\n") {
                    let item = item.replacing("#", with: String($0)).replacing("@", with: Self.date($0))
                    return "BEGIN:VTODO\n\(item)END:VTODO\n"
                }
            } _: {
                Self.read($0, "a.ics", as: .ics)
            }
        }
    }

    @Test(arguments: ["H#: 1\n", "H: 1\n", "! heading #\n", "# comment\n", "rubbish\n", "a: b: c: d: 3/7\n"])
    func `the habits of harsh`(line: String) {
        Scaling.expectLinear(line, size: 100) { count in
            numbered(count) { line.replacing("#", with: String($0)) }
        } _: {
            Self.read($0, "habits", as: .harsh)
        }
    }

    @Test(arguments: [
        "2026-01-01 : H# : y : c : 1\n", "@ : H : n\n", "2026-01-01 : H : y\n", "rubbish\n", "2026-01-01 : H : z\n",
        ": ",
    ])
    func `the log of harsh`(line: String) {
        Scaling.expectLinear(line, size: 66) { count in
            numbered(count, after: "2026-01-01 : H : y\n") {
                line.replacing("#", with: String($0)).replacing("@", with: "\(CivilDate(daysSinceEpoch: $0))")
            }
        } _: {
            Self.read($0, "log", as: .harsh)
        }
    }

    @Test(arguments: ["2026-01-01\tH#\ty\n", "2026-01-01\tH\tz\n", "rubbish\n", "\t"])
    func `the log of habitctl`(line: String) {
        Scaling.expectLinear(line, size: 66) { count in
            numbered(count, after: "2026-01-01\tH\ty\n") { line.replacing("#", with: String($0)) }
        } _: {
            Self.read($0, "log", as: .habitctl)
        }
    }

    @Test(arguments: [
        "{\"uuid\":\"#\",\"description\":\"A\",\"status\":\"pending\",\"due\":\"20260101T000000Z\",\"tags\":[\"t#\"]},\n",
        "{\"uuid\":\"#\",\"description\":\"A#\",\"status\":\"completed\",\"end\":\"20260101T000000Z\"},\n",
        "{\"uuid\":\"#\",\"parent\":\"0\",\"description\":\"A\",\"status\":\"deleted\",\"due\":\"20260101T000000Z\"},\n",
        "{\"uuid\":\"#\"},\n", "{\"uuid\":\n", "{\"a\":[", "[", "\"", "1,",
    ])
    func `tasks of taskwarrior`(item: String) {
        Scaling.expectLinear(item, size: 500) { count in
            numbered(count, after: "[", before: "]") { item.replacing("#", with: String($0)) }
        } _: {
            Self.read($0, "tasks.json", as: .taskwarrior)
        }
    }

    @Test(arguments: [
        "{\"id\":\"#\",\"text\":\"A\",\"type\":\"habit\",\"tags\":[\"t\"]},\n", "{\"id\":\n", "{\"x#\":1},\n", "[",
        "{\"a\":",
    ])
    func `userdata of Habitica`(item: String) {
        Scaling.expectLinear(item, size: 500) { count in
            numbered(count, after: "{\"tasks\":{\"habits\":[", before: "]}}") {
                item.replacing("#", with: String($0))
            }
        } _: {
            Self.read($0, "userdata.json", as: .habitica)
        }
    }

    @Test(arguments: [
        "H#,id#,habit,2026-01-01 10:00:00,1\n", "H,id,daily,@ 10:00:00,#\n", "H,id\n", "\"H\n", "rubbish\n",
    ])
    func `the history of Habitica`(row: String) {
        Scaling.expectLinear(row, size: 66) { count in
            numbered(count, after: "Task Name,Task ID,Task Type,Date,Value\n") {
                row.replacing("#", with: String($0)).replacing("@", with: "\(CivilDate(daysSinceEpoch: $0))")
            }
        } _: {
            Self.read($0, "history.csv", as: .habitica)
        }
    }

    @Test(arguments: ["H#,,,2026-01-01,1,\n", "H,d,c,@,-1,note\n", "H,,,2026-01-01,#,\n", "\"\"\"\"", "H\n", "\"H\n"])
    func `a table of HabitBull`(row: String) {
        Scaling.expectLinear(row, size: 66) { count in
            numbered(count, after: "HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText\n") {
                row.replacing("#", with: String($0)).replacing("@", with: "\(CivilDate(daysSinceEpoch: $0))")
            }
        } _: {
            Self.read($0, "habitbull.csv", as: .habitbull)
        }
    }

    @Test func `the one table of Loop`() {
        Scaling.expectLinear("many habits and short rows", size: 66) { count in
            numbered(count, after: "Date,", before: "\n") { "H\($0)," }
                + numbered(count) { "\(CivilDate(daysSinceEpoch: $0)),2,\n" }
        } _: {
            Self.read($0, "Checkmarks.csv", as: .loop)
        }
        Scaling.expectLinear("a list of habits beside it", size: 66) { count in
            [
                ("Habits.csv", numbered(count, after: "Position,Name\n") { "\($0),H\($0)\n" }),
                (
                    "Checkmarks.csv",
                    numbered(count, after: "Date,", before: "\n") { "H\($0)," }
                        + numbered(count) { "\(CivilDate(daysSinceEpoch: $0)),2,\n" }
                ),
            ]
        } _: {
            _ = Importing.read(Importing.bundle($0), as: .loop)
        }
    }

    @Test func `many habits of Loop with one folder`() {
        Scaling.expectLinear("the same position", size: 20) { count in
            [
                ("Habits.csv", numbered(count, after: "Position,Name\n") { "001,H\($0)\n" }),
                ("001 H/Checkmarks.csv", numbered(count) { "\(CivilDate(daysSinceEpoch: $0)),2\n" }),
            ]
        } _: {
            _ = Importing.read(Importing.bundle($0), as: .loop)
        }
        Scaling.expectLinear("a folder for each", size: 13) { count in
            [("Habits.csv", numbered(count, after: "Position,Name\n") { "\($0 + 1),H\($0)\n" })]
                + (0..<count).map { number in
                    let digits = String(number + 1)
                    let position = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
                    return ("\(position) H\(number)/Checkmarks.csv", Array("2026-01-01,2\n".utf8))
                }
        } _: {
            _ = Importing.read(Importing.bundle($0), as: .loop)
        }
    }

    @Test(arguments: ["{\"name\":\"A\"},\n", "{\n", "[", "\"\\", "1,", "{\"a\":{"])
    func `hub's own JSON`(part: String) {
        Scaling.expectLinear(part, size: 333) {
            repeated(part, $0, after: "{\"tasks\":[", before: "]}")
        } _: {
            _ = OwnExport.parts(Importing.bundle([("a.json", $0)]))
        }
    }
}
