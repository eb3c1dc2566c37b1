import CivilDate
import HubKit
import HubKitTesting
import MinteeDomain
import SQLite
import Storage
import Sync
import Testing

@testable import Mintee

/// The tasks as devices see them, and what programs on devices do to them.
struct ServedTasksTests {
    private let fixture = MinteeFixture()
    private let phone: TestPhone

    init() { phone = TestPhone(ServedTasks(mintee: fixture.mintee)) }

    private func entry(_ task: TaskRecord, on date: String = "2026-11-20") async throws -> Entry? {
        let day = try #require(CivilDate(date))
        return try await fixture.store.read { try $0.entry(task.id, on: day) }
    }

    private func named(_ name: String) async throws -> TaskRecord? {
        try await fixture.store.read { transaction in
            try transaction.taskID(named: name).flatMap { try transaction.task($0) }
        }
    }

    @Test func `days have names and numbers that follow the task, whoever changes it`() async throws {
        let water = try await fixture.make("Water", "daily: x >= 6", tags: ["health"])
        let first = try await phone.served.state()
        #expect(first.number == 16 && first.epoch.count == 16)
        #expect(try await phone.served.count() == 16, "one day back, today, and fourteen ahead")
        let today = "\(water.id)-2026-11-20.ics"
        let text = try await phone.text(today)
        #expect(text.contains("UID:task/\(water.id)/day/2026-11-20\r\n"))
        #expect(text.contains("DUE;VALUE=DATE:20261120\r\n"))
        #expect(text.contains("SUMMARY:Water\r\n") && text.contains("CATEGORIES:health\r\n"))
        #expect(try await phone.changes(after: 16).isEmpty)
        #expect(try await fixture.database.history.operations(limit: 10).count == 1, "serving is no operation")

        try await fixture.enter(water, "2026-11-20", .value(4))
        #expect(try await phone.changes(after: 16) == ["+\(today)"])
        let filled = try await phone.text(today)
        #expect(filled.contains("STATUS:IN-PROCESS\r\n") && filled.contains("PERCENT-COMPLETE:67\r\n"))
        var last = try await phone.served.state().number
        _ = try await fixture.database.history.undo(as: fixture.operation("undo"))
        #expect(try await phone.changes(after: last) == ["+\(today)"], "undo is a change too")
        last = try await phone.served.state().number
        _ = try await fixture.mintee.updateTask(water.id, operation: fixture.operation()) { $0.name = "Tea" }
        #expect(try await phone.changes(after: last).count == 16)
        last = try await phone.served.state().number
        _ = try await fixture.mintee.tasks.setTags(of: [water.id], adding: ["x"], operation: fixture.operation())
        #expect(try await phone.changes(after: last).count == 16)
        last = try await phone.served.state().number
        _ = try await fixture.mintee.tasks.delete([water.id], operation: fixture.operation())
        #expect(try await phone.changes(after: last).allSatisfy { $0.hasPrefix("-") })
        #expect(try await phone.served.count() == 0)
        _ = try await fixture.mintee.tasks.restore([water.id], operation: fixture.operation())
        #expect(try await phone.served.count() == 16)
        last = try await phone.served.state().number
        try await fixture.mintee.rebuildYears()
        #expect(try await phone.served.state().number == last, "rebuilt years are no change")
    }

    @Test func `a new day is a change of what is shown`() async throws {
        let water = try await fixture.make("Water", "daily")
        try await fixture.enter(water, "2026-11-19", .done)
        let before = try await phone.served.state().number
        fixture.clock.advance(by: .seconds(86_400))
        let changes = try await phone.changes(after: before)
        #expect(changes == ["+\(water.id)-2026-12-05.ics"], "the filled day stays: \(changes)")
        fixture.clock.advance(by: .seconds(86_400))
        #expect(
            try await phone.changes(after: before) == [
                "+\(water.id)-2026-12-05.ics", "+\(water.id)-2026-12-06.ics", "-\(water.id)-2026-11-20.ics",
            ])
    }

    /// What programs do to the lines that they do not know.
    enum Program: String, CaseIterable { case keeps, drops, dropsAll }

    @Test(arguments: Program.allCases)
    func `an exact value survives every program, and a tick becomes the day's value`(program: Program) async throws {
        let water = try await fixture.make("Water", "daily: x >= 6")
        try await fixture.enter(water, "2026-11-20", .value(4))
        let name = "\(water.id)-2026-11-20.ics"
        func edited(_ lines: [String: String?]) async throws -> String {
            let text = try await phone.text(name)
            return switch program {
            case .keeps: text.with(lines)
            case .drops: text.without("X-").with(lines)
            // Not even a percentage.
            case .dropsAll: text.without("X-", "PERCENT", "CATEGORIES", "DTSTART").with(lines)
            }
        }
        // Another property alone: the value stays.
        _ = try await phone.put(name, try await edited(["PRIORITY": "1"]))
        #expect(try await entry(water)?.completion == 4)
        _ = try await phone.put(name, try await edited(["DESCRIPTION": "by the river"]))
        #expect(try await entry(water) == Entry(completion: 4, note: "by the river"))
        // Ticked: the smallest value that reaches the target; ticked off: none.
        let ticked = try await phone.put(
            name, try await edited(["STATUS": "COMPLETED", "PERCENT-COMPLETE": "100", "COMPLETED": "20261120T120000Z"]))
        #expect(try await entry(water) == Entry(completion: 6, note: "by the river"))
        #expect(String(decoding: ticked.content, as: UTF8.self).contains("X-MINTEE-COMPLETION:6\r\n"))
        #expect(String(decoding: ticked.content, as: UTF8.self).contains("PRIORITY:1\r\n"))
        _ = try await phone.put(
            name,
            try await edited(["STATUS": "NEEDS-ACTION", "PERCENT-COMPLETE": nil, "COMPLETED": nil, "DESCRIPTION": nil]))
        #expect(try await entry(water) == nil)
        let history = try await fixture.database.history.operations(limit: 10)
        #expect(history[0].commandLine == "phone (Test): change tasks")
        _ = try await phone.put(name, try await edited(["STATUS": "CANCELLED"]))
        #expect(try await entry(water)?.skipReason == "")
        #expect(try await fixture.database.history.operations(limit: 10).count == 3, "one burst is one operation")
        _ = try await fixture.database.history.undo("op1", as: fixture.operation("undo"))
        #expect(try await phone.text(name).contains("PERCENT-COMPLETE:67\r\n"))
    }

    @Test func `a tick over the target keeps the value, and the phone gets the open to-do back`() async throws {
        let coffee = try await fixture.make("Coffee", "daily: x <= 2")
        try await fixture.enter(coffee, "2026-11-20", .value(3))
        let name = "\(coffee.id)-2026-11-20.ics"
        let before = try await phone.item(name)
        let number = try await phone.served.state().number
        let report = try await phone.put(
            name, try await phone.text(name).with(["STATUS": "COMPLETED", "PERCENT-COMPLETE": "100"]))
        #expect(try await entry(coffee)?.completion == 3)
        #expect(report.entry.etag != before.entry.etag)
        #expect(try await phone.changes(after: number) == ["+\(name)"])
        #expect(try await !phone.text(name).contains("STATUS:COMPLETED"))
    }

    @Test func `changes on both sides are merged, and one of the same value is told`() async throws {
        let water = try await fixture.make("Water", "daily: x >= 6")
        let name = "\(water.id)-2026-11-20.ics"
        let seen = try await phone.text(name)
        try await fixture.enter(water, "2026-11-20", .value(2))
        let merged = try await phone.put(name, seen.with(["DESCRIPTION": "cold"]))
        #expect(try await entry(water) == Entry(completion: 2, note: "cold"))
        #expect(merged.conflicts.isEmpty)

        // It names an old version: what does not conflict is taken, the value here stays.
        let old = try await phone.text(name)
        try await fixture.enter(water, "2026-11-20", .value(3))
        let there = try await phone.item(name).entry
        let refused = try await phone.send(name, old.with(["STATUS": "COMPLETED"])) { $0.condition = .matches(["old"]) }
        #expect(refused == .refused(there))
        let kept = try await phone.put(name, old.with(["STATUS": "COMPLETED", "DESCRIPTION": "warm"])) {
            $0.keepsStored = true
        }
        #expect(try await entry(water) == Entry(completion: 3, note: "warm"))
        #expect(kept.conflicts == ["value 6 from the calendar was replaced by 3 here"])
        // Without a condition the device wins.
        let won = try await phone.put(name, old.with(["STATUS": "COMPLETED", "DESCRIPTION": "warm"]), from: old)
        #expect(try await entry(water)?.completion == 6)
        #expect(won.conflicts == ["value 3 here was replaced by 6 from the calendar"])
    }

    @Test func `what is as sent is told so, and what a program adds stays until it takes it away`() async throws {
        let water = try await fixture.make("Water", "daily")
        let name = "\(water.id)-2026-11-20.ics"
        let seen = try await phone.text(name)
        let number = try await phone.served.state().number
        let same = try await phone.put(name, seen)
        #expect(!same.isChanged && same.content == Array(seen.utf8))
        #expect(try await phone.served.state().number == number)
        let alarm = "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\nEND:VALARM\r\n"
        let sorted = seen.replacing("END:VTODO", with: "X-APPLE-SORT-ORDER:5\r\n\(alarm)END:VTODO")
        #expect(try await phone.put(name, sorted).content == Array(sorted.utf8))
        // A program that knows neither leaves both out.
        #expect(try await phone.put(name, seen).content == Array(sorted.utf8))
        // The one that wrote them takes one away.
        _ = try await phone.put(
            name, sorted.replacing("X-APPLE-SORT-ORDER:5\r\n", with: ""), from: sorted,
            known: ["X-APPLE-SORT-ORDER", "VALARM"])
        let left = try await phone.text(name)
        #expect(!left.contains("SORT-ORDER") && left.contains("TRIGGER:-PT15M"))
        // Another value of hub changes its own lines alone.
        try await fixture.enter(water, "2026-11-20", .done)
        #expect(try await phone.text(name).contains("TRIGGER:-PT15M"))
    }

    @Test func `name, day and tags of a task are its own`() async throws {
        let water = try await fixture.make("Water", "daily", tags: ["a"])
        let name = "\(water.id)-2026-11-20.ics"
        let report = try await phone.put(
            name, try await phone.text(name).with(["SUMMARY": "Wine", "DUE;VALUE=DATE": "20261121"]))
        #expect(
            report.ignored == ["the name of Water, which its task has", "the day of Water, which its task has"])
        let text = try await phone.text(name)
        #expect(text.contains("SUMMARY:Water") && text.contains("DUE;VALUE=DATE:20261120"))
        #expect(try await phone.put(name, text.without("CATEGORIES").with(["PRIORITY": "5"])).ignored.count == 1)
    }

    @Test func `a removed day comes back on the next one, or when its value changes`() async throws {
        let water = try await fixture.make("Water", "daily")
        let days = ["2026-11-20", "2026-11-21"].map { "\(water.id)-\($0).ics" }
        let before = try await phone.served.state().number
        for name in days {
            #expect(try await phone.served.remove(name, if: .always, by: TestPhone.author("op")) == .removed)
        }
        #expect(try await phone.changes(after: before) == days.map { "-\($0)" })
        #expect(try await phone.served.remove(days[0], if: .always, by: TestPhone.author("op")) == .missing)
        try await fixture.enter(water, "2026-11-20", .done)
        #expect(try await phone.text(days[0]).contains("STATUS:COMPLETED"))
        #expect(try await phone.served.items(named: [days[1]]).isEmpty)
        fixture.clock.advance(by: .seconds(86_400))
        #expect(try await phone.served.items(named: [days[1]]).count == 1)
    }

    @Test func `completing a period enters the day`() async throws {
        let gym = try await fixture.makePeriod("Gym", "3 times a week")
        let name = try #require(
            try await phone.served.entries(after: nil, limit: 10).map(\.name).first { $0.contains("period-2026-11-16") }
        )
        _ = try await phone.put(
            name,
            try await phone.text(name).with(["STATUS": "COMPLETED", "COMPLETED": "20261120T100000Z"]))
        #expect(try await entry(gym)?.completion == 1)
        #expect(try await phone.text(name).contains("SUMMARY:Gym (1 of 3)"))
        #expect(try await !phone.text(name).contains("STATUS:COMPLETED"))
    }

    // MARK: To-dos that a device made

    private static func todo(_ uid: String, _ lines: String...) -> String {
        (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//phone//EN", "BEGIN:VTODO", "UID:\(uid)"] + lines
            + ["END:VTODO", "END:VCALENDAR", ""]).joined(separator: "\r\n")
    }

    @Test func `a to-do with a day becomes a task, and keeps its form`() async throws {
        let sent = Self.todo(
            "m1", "SUMMARY:Buy milk", "CATEGORIES:shop,Shop", "DUE;TZID=Europe/Berlin:20261121T180000",
            "X-APPLE-SORT-ORDER:1", "PRIORITY:5")
        let made = try await phone.put("m1.ics", sent) { $0.condition = .isNew }
        #expect(made.isNew && made.content == Array(sent.utf8))
        let milk = try #require(try await named("Buy milk"))
        #expect(milk.draft.schedule == .dates([CivilDate("2026-11-21")!]) && milk.draft.tags == ["shop"])
        #expect(try await phone.served.count() == 1, "it is not shown twice")

        // Done and renamed here; only these lines change.
        try await fixture.enter(milk, "2026-11-21", .done)
        _ = try await fixture.mintee.updateTask(milk.id, operation: fixture.operation()) { $0.name = "Buy oat milk" }
        let here = try await phone.text("m1.ics")
        #expect(here.contains("STATUS:COMPLETED") && here.contains("SUMMARY:Buy oat milk"))
        #expect(here.contains("DUE;TZID=Europe/Berlin:20261121T180000") && here.contains("CATEGORIES:shop,Shop"))
        #expect(here.contains("X-APPLE-SORT-ORDER:1") && !here.contains("X-MINTEE"))

        // Changed there: another name, day and tag, and ticked off.
        _ = try await phone.put(
            "m1.ics",
            Self.todo("m1", "SUMMARY:Buy cheese", "DUE;VALUE=DATE:20261122", "STATUS:NEEDS-ACTION", "CATEGORIES:food"))
        let cheese = try #require(try await named("Buy cheese"))
        #expect(cheese.id == milk.id && cheese.draft.onlyDate == CivilDate("2026-11-22"))
        #expect(cheese.draft.tags == ["food"])
        #expect(try await entry(cheese, on: "2026-11-22")?.completion ?? 0 == 0)
        #expect(try await phone.text("m1.ics").contains("X-APPLE-SORT-ORDER:1"))

        // Removed there: in the trash, and back with undo.
        #expect(try await phone.served.remove("m1.ics", if: .always, by: TestPhone.author("op9")) == .removed)
        #expect(try await fixture.mintee.tasks.trash().map(\.name) == ["Buy cheese"])
        _ = try await fixture.database.history.undo("op9", as: fixture.operation("undo"))
        #expect(try await phone.text("m1.ics").contains("Buy cheese"))
        // It is changed there after it was removed here, and its name is taken.
        _ = try await fixture.mintee.tasks.delete([milk.id], operation: fixture.operation())
        _ = try await fixture.make("Buy cheese", dates: ["2026-11-30"])
        let back = try await phone.put(
            "m1.ics", Self.todo("m1", "SUMMARY:Buy cheese", "DUE;VALUE=DATE:20261122", "PRIORITY:1"))
        #expect(back.isNew && String(decoding: back.content, as: UTF8.self).contains("SUMMARY:Buy cheese\r\n"))
        let other = try #require(try await named("Buy cheese 2026-11-22"))
        let ids = [other.id, try #require(try await named("Buy cheese")).id]
        _ = try await fixture.mintee.tasks.delete(ids, operation: fixture.operation())
        _ = try await fixture.mintee.tasks.emptyTrash(
            before: fixture.clock.now + .seconds(1), operation: fixture.operation())
        #expect(try await phone.served.count() == 0)
        let contents = try await fixture.store.read {
            try $0.rows("SELECT content FROM mintee_served") { $0.optionalBlob(0) }
        }
        #expect(contents.allSatisfy { $0 == nil }, "what was deleted for good is nowhere")
    }

    @Test func `a to-do without a day, and one that recurs, are kept as they are`() async throws {
        let sent = Self.todo("u1", "SUMMARY:Call Bob", "X-A:1")
        let series = Self.todo("u2", "SUMMARY:Plants", "DTSTART;VALUE=DATE:20261120", "RRULE:FREQ=WEEKLY")
        #expect(try await phone.put("u1.ics", sent).content == Array(sent.utf8))
        #expect(try await phone.put("u2.ics", series).content == Array(series.utf8))
        #expect(try await fixture.mintee.listTasks().isEmpty)
        #expect(try await fixture.mintee.undatedTodos().sorted() == ["Call Bob", "Plants"])
        // Another program completes it, and drops what it does not know.
        let done = try await phone.put("u1.ics", Self.todo("u1", "SUMMARY:Call Bob", "STATUS:COMPLETED"))
        #expect(String(decoding: done.content, as: UTF8.self).contains("X-A:1"))
        #expect(try await fixture.mintee.undatedTodos() == ["Plants"])
        _ = try await phone.served.remove("u1.ics", if: .always, by: TestPhone.author("op7"))
        #expect(try await phone.served.count() == 1)
        _ = try await fixture.database.history.undo("op7", as: fixture.operation("undo"))
        #expect(try await phone.text("u1.ics").contains("STATUS:COMPLETED"))

        // It gets a day, and loses it again.
        _ = try await phone.put("u1.ics", Self.todo("u1", "SUMMARY:Call Bob", "DUE;VALUE=DATE:20261125"))
        #expect(try await named("Call Bob")?.draft.onlyDate == CivilDate("2026-11-25"))
        #expect(try await fixture.mintee.undatedTodos() == ["Plants"])
        _ = try await phone.put("u1.ics", Self.todo("u1", "SUMMARY:Call Bob"))
        #expect(try await named("Call Bob") == nil)
        #expect(try await fixture.mintee.undatedTodos().sorted() == ["Call Bob", "Plants"])
        #expect(try await phone.served.count() == 2)
    }

    @Test func `names that are taken, and contents that are no to-dos`() async throws {
        try await fixture.make("Read", "daily")
        let made = try await phone.put("r.ics", Self.todo("r", "SUMMARY:Read", "DUE;VALUE=DATE:20261125"))
        #expect(try await named("Read 2026-11-25") != nil)
        #expect(String(decoding: made.content, as: UTF8.self).contains("SUMMARY:Read\r\n"), "the phone keeps its name")
        _ = try await phone.put("n.ics", Self.todo("n", "DUE;VALUE=DATE:20261125"))
        #expect(try await named("To-do") != nil)
        for (name, content, wanted) in [
            ("r2.ics", Self.todo("r", "SUMMARY:x"), ServedPutResult.sameUID("r.ics")),
            ("r.ics", Self.todo("other", "SUMMARY:x"), .otherUID),
            ("x.ics", "BEGIN:VCARD\r\nEND:VCARD\r\n", .wrongType), ("x.ics", "", .wrongType),
            ("x.ics", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n", .wrongComponent),
            (
                "x.ics", Self.todo("1").replacing("VERSION:2.0", with: "METHOD:REQUEST"),
                .invalid("it has a METHOD")
            ),
        ] {
            #expect(try await phone.send(name, content) == wanted, "\(name)")
        }
        let anonymous = try await phone.put("a.ics", Self.todo("", "SUMMARY:Anonymous"))
        #expect(String(decoding: anonymous.content, as: UTF8.self).contains("UID:"))
        #expect(!anonymous.entry.etag.isEmpty)
    }

    @Test func `a day of a task that is in the trash, or not due, is not entered, and told`() async throws {
        let water = try await fixture.make("Water", "mon..fri")
        let name = "\(water.id)-2026-11-20.ics"
        let text = try await phone.text(name)
        _ = try await fixture.mintee.tasks.delete([water.id], operation: fixture.operation())
        let report = try await phone.put(name, text.with(["STATUS": "COMPLETED"]))
        #expect(report.ignored == ["Water is in the trash"])
        #expect(try await phone.served.count() == 0)
        _ = try await fixture.mintee.tasks.restore([water.id], operation: fixture.operation())
        let sunday = text.replacing("2026-11-20", with: "2026-11-22").replacing("20261120", with: "20261122")
        #expect(try await phone.put("s.ics", sunday).ignored == ["Water is not due on 2026-11-22"])
        // A phone that was away enters a day that is no longer shown.
        let late = text.replacing("2026-11-20", with: "2026-11-02").replacing("20261120", with: "20261102")
        _ = try await phone.put("late.ics", late.with(["STATUS": "COMPLETED"]))
        #expect(try await entry(water, on: "2026-11-02")?.completion == 1)
        #expect(try await phone.text("late.ics").contains("STATUS:COMPLETED"))
    }
}

/// A program on a device, with what the server knows of it: the versions that it was last given.
final class TestPhone {
    let served: ServedTasks
    private var given: [String: String] = [:]

    init(_ served: ServedTasks) { self.served = served }

    static func author(_ operation: String) -> ServedAuthor {
        ServedAuthor(device: "phone", program: "Test", operation: operation)
    }

    func item(_ name: String) async throws -> ServedItem {
        try #require(try await served.items(named: [name]).first, "\(name) is not there")
    }

    /// Fetches a to-do.
    func text(_ name: String) async throws -> String {
        let text = String(decoding: try await item(name).content, as: UTF8.self)
        given[name] = text
        return text
    }

    func changes(after number: Int) async throws -> [String] {
        _ = try await served.state()
        return try await served.changes(after: number, upTo: .max, limit: 100).map { ($0.isGone ? "-" : "+") + $0.name }
    }

    func send(
        _ name: String, _ text: String, from base: String? = nil, known: Set<String> = [],
        _ change: (inout ServedPut) -> Void = { _ in }
    ) async throws -> ServedPutResult {
        var put = ServedPut(name: name, content: Array(text.utf8), author: Self.author("op1"))
        (put.base, put.known) = ((base ?? given[name]).map { Array($0.utf8) }, known)
        change(&put)
        return try await served.put(put)
    }

    /// Sends a to-do, which must be stored; what is stored is fetched then.
    func put(
        _ name: String, _ text: String, from base: String? = nil, known: Set<String> = [],
        _ change: (inout ServedPut) -> Void = { _ in }
    ) async throws -> ServedPutReport {
        let result = try await send(name, text, from: base, known: known, change)
        guard case .stored(let report) = result else { throw Unexpected(result: result) }
        given[name] = text
        return report
    }

    struct Unexpected: Error { let result: ServedPutResult }
}

extension String {
    /// The to-do with other values of properties; nil removes one.
    fileprivate func with(_ values: [String: String?]) -> String {
        var text = without(
            values.keys.flatMap { name in
                let name = String(name.split(separator: ";")[0])
                return [name + ":", name + ";"]
            })
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            if let value { text = text.replacing("END:VTODO", with: "\(name):\(value)\r\nEND:VTODO") }
        }
        return text
    }

    /// The to-do without the lines that begin so.
    fileprivate func without(_ starts: String...) -> String { without(starts) }

    private func without(_ starts: [String]) -> String {
        replacing("\r\n", with: "\n").split(separator: "\n")
            .filter { line in !starts.contains { line.hasPrefix($0) } }
            .map { $0 + "\r\n" }.joined()
    }
}
