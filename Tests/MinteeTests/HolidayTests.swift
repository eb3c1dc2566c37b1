import CivilDate
import Commands
import HubKit
import HubKitTesting
import HubRuntimeTesting
import MinteeDomain
import NetworkTestSupport
import Storage
import Synchronization
import System
import TestSupport
import Testing

@testable import Mintee

/// Calendars of holidays in the store: tasks leave them out, and a changed calendar drops nothing.
struct HolidayTests {
    /// A calendar of all-day events: `2026-12-25 Christmas`.
    static func calendar(_ days: [String]) -> String {
        let events = days.map { day in
            "BEGIN:VEVENT\r\nSUMMARY:\(day.dropFirst(11))\r\nDTSTART;VALUE=DATE:\(day.prefix(10).filter { $0 != "-" })\r\n"
                + "END:VEVENT\r\n"
        }
        return "BEGIN:VCALENDAR\r\n\(events.joined())END:VCALENDAR\r\n"
    }

    private func day(_ text: String) throws -> CivilDate { try #require(CivilDate(text)) }

    private func isSound(_ fixture: MinteeFixture) async throws -> Bool {
        let violations = try await fixture.mintee.ruleViolations()
        let stale = try await fixture.mintee.tasksWithStaleYears()
        return violations.isEmpty && stale.isEmpty
    }

    /// A task on weekdays that leaves out the calendar `holidays` of a file with these days.
    private func work(
        _ fixture: MinteeFixture, _ folder: TemporaryFolder, _ days: String...
    ) async throws -> TaskRecord {
        let path = try folder.write(Self.calendar(days), to: "holidays.ics")
        _ = try await fixture.mintee.addHolidays(
            "holidays", from: path, operation: fixture.operation("mintee holidays add"))
        return try await fixture.make("Work", "weekdays except holidays", from: "2026-11-12")
    }

    private func current(_ fixture: MinteeFixture, _ record: TaskRecord) async throws -> TaskDraft {
        try await fixture.mintee.tasks.get(record.id).draft
    }

    @Test func `a changed calendar changes due days, keeps filled ones, and is undone as one`() async throws {
        let (fixture, folder) = (MinteeFixture(), try TemporaryFolder())
        let work = try await work(fixture, folder, "2026-11-16 Old", "2026-11-24 Moves", "2026-12-25 Christmas")
        #expect(work.draft.daysText == "weekdays except holidays")
        #expect(try !work.draft.isDue(on: day("2026-11-24")) && !work.draft.isDue(on: day("2026-11-16")))
        await #expect(throws: HubError.self) { try await fixture.enter(work, "2026-11-16", .done) }
        for date in ["2026-11-12", "2026-11-13", "2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20"] {
            try await fixture.enter(work, date, .done)
        }
        try await fixture.enter(work, "2026-11-25", .value(2))
        // The holiday between them does not break the streak.
        #expect(try await fixture.mintee.details(of: work.id).statistics.streak.current == 6)
        let before = try await fixture.snapshot()
        fixture.clock.advance(by: .seconds(60))
        try folder.write(
            Self.calendar(["2026-11-25 Moves", "2026-11-26 New", "2026-12-25 Christmas Day"]), to: "holidays.ics")
        let changed = try await fixture.mintee.refreshHolidays(
            "Holidays", operation: fixture.operation("mintee holidays refresh"))
        #expect(changed.changes.moved.map(\.holiday.day.description) == ["2026-11-25"])
        #expect(changed.changes.added.map(\.day.description) == ["2026-11-26"])
        #expect(changed.worked == [HolidayUpdate.Worked(task: "Work", days: [try day("2026-11-25")])])
        // The past holiday stays, the filled day stays due, the new one is left out.
        let now = try await fixture.mintee.tasks.get(work.id)
        #expect(try !now.draft.isDue(on: day("2026-11-16")) && now.draft.isDue(on: day("2026-11-24")))
        #expect(try now.draft.isDue(on: day("2026-11-25")) && !now.draft.isDue(on: day("2026-11-26")))
        #expect(try await isSound(fixture))
        let after = try await fixture.snapshot()
        // Cleared, it is a holiday as all others, and undo brings it back.
        try await fixture.enter(now, "2026-11-25", .clear)
        #expect(try await !current(fixture, work).isDue(on: try day("2026-11-25")))
        let history = fixture.database.history
        #expect(try await history.undo(as: fixture.operation("undo")).isPossible)
        #expect(try await fixture.snapshot() == after)
        #expect(try await history.undo(as: fixture.operation("undo")).isPossible)
        #expect(try await fixture.snapshot() == before)
        #expect(try await isSound(fixture))
        #expect(try await history.redo(as: fixture.operation("redo")).isPossible)
        #expect(try await fixture.snapshot() == after)
    }

    @Test func `a day that was filled while it was no holiday stays due when undo makes it one again`() async throws {
        let (fixture, folder) = (MinteeFixture(), try TemporaryFolder())
        let work = try await work(fixture, folder, "2026-11-23 Once", "2026-12-25 Christmas")
        try folder.write(Self.calendar(["2026-12-25 Christmas"]), to: "holidays.ics")
        _ = try await fixture.mintee.refreshHolidays("holidays", operation: fixture.operation("refresh"))
        let refresh = try #require(try await fixture.database.history.operations(limit: 1).first)
        try await fixture.enter(try await fixture.mintee.tasks.get(work.id), "2026-11-23", .done)
        #expect(try await fixture.database.history.undo(refresh.id, as: fixture.operation("undo")).isPossible)
        #expect(try await current(fixture, work).isDue(on: try day("2026-11-23")))
        #expect(try await isSound(fixture))
    }

    @Test func `an edit to a pattern without holidays drops no day that is filled on one`() async throws {
        let (fixture, folder) = (MinteeFixture(), try TemporaryFolder())
        _ = try await work(fixture, folder, "2026-11-18 Feast", "2026-11-19 Feast")
        let read = try await fixture.make("Read", from: "2026-11-10")
        for date in ["2026-11-14", "2026-11-18"] { try await fixture.enter(read, date, .done) }
        let plan = try await fixture.mintee.planUpdate(read.id) { draft in
            guard case .recurring(let start, let end, _) = draft.schedule else { return }
            draft.schedule = .recurring(from: start, to: end, [try TargetSet("weekdays except holidays")])
        }
        #expect(plan.losses.map(\.description) == ["2026-11-14"])
        #expect(try plan.after.isDue(on: day("2026-11-18")) && !plan.after.isDue(on: day("2026-11-19")))
        let after = plan.after
        _ = try await fixture.mintee.updateTask(
            read.id, losing: plan.losses, operation: fixture.operation("mintee edit")
        ) { $0 = after }
        #expect(try await current(fixture, read) == after)
        #expect(try await isSound(fixture))
    }

    @Test func `holidays are refused by name, and are the only calendar under any name`() async throws {
        let (fixture, folder) = (MinteeFixture(), try TemporaryFolder())
        await #expect { try await fixture.make("Early", "weekdays except holidays") } throws: {
            ($0 as? HubError)?.code == "dp-7"
        }
        let path = try folder.write(Self.calendar(["2026-11-24 Feast"]), to: "berlin.ics")
        let add = { (name: String) in
            _ = try await fixture.mintee.addHolidays(
                name, from: path, operation: fixture.operation())
        }
        try await add("Berlin")
        await #expect { try await add("berlin") } throws: { ($0 as? HubError)?.code == "calendar-exists" }
        let task = try await fixture.make("Task", "daily except holidays")
        #expect(task.draft.daysText == "daily except Berlin")
        await #expect { try await fixture.make("Other", "daily except bremen") } throws: {
            ($0 as? HubError)?.code == "dp-7"
        }
        await #expect {
            _ = try await fixture.mintee.removeHolidays("berlin", operation: fixture.operation())
        } throws: {
            ($0 as? HubError)?.code == "calendar-in-use"
        }
        try await fixture.mintee.tasks.delete([task.id], operation: fixture.operation())
        fixture.clock.advance(by: .seconds(60))
        _ = try await fixture.mintee.tasks.emptyTrash(before: fixture.clock.now, operation: fixture.operation())
        _ = try await fixture.mintee.removeHolidays("berlin", operation: fixture.operation())
        #expect(try await fixture.mintee.holidays().isEmpty)
    }

    @Test func `an address is asked with its entity tag, and its answer is bounded`() async throws {
        let folder = try TemporaryFolder()
        let tags = Mutex<[String?]>([])
        let server = try ScriptedServer { connection in
            while let request = connection.request() {
                let asked = request.headers["if-none-match"]
                tags.withLock { $0.append(asked) }
                if request.target == "/big" {
                    connection.answer(200, [], String(repeating: " ", count: HolidayReader.maximumLength + 1))
                } else if asked == "\"a\"" {
                    connection.answer(304, ["ETag: \"a\""])
                } else {
                    connection.answer(200, ["ETag: \"a\""], Self.calendar(["2026-11-24 Feast"]))
                }
            }
        }
        let address = "http://127.0.0.1:\(server.port)"
        let fixture = MinteeFixture()
        _ = try await fixture.mintee.addHolidays(
            "holidays", from: address + "/a.ics", operation: fixture.operation())
        let before = try await fixture.snapshot()
        let update = try await fixture.mintee.refreshHolidays("holidays", operation: fixture.operation())
        try await fixture.mintee.refreshSubscribedHolidays()
        #expect(update.changes.isEmpty)
        #expect(try await fixture.snapshot() == before)
        #expect(tags.withLock { $0 } == [nil, "\"a\"", "\"a\""])
        await #expect {
            _ = try await fixture.mintee.addHolidays(
                "big", from: address + "/big", operation: fixture.operation())
        } throws: {
            ($0 as? HubError)?.code == "holidays-unavailable"
        }
        server.stop()
        // What cannot be reached stays as it is.
        try await fixture.mintee.refreshSubscribedHolidays()
        #expect(try await fixture.snapshot() == before)
        _ = folder
    }

    @Test(arguments: [TaskExportFormat.json, .ics])
    func `an export keeps exceptions, and the days that are filled on holidays`(format: TaskExportFormat) async throws {
        let (fixture, folder) = (MinteeFixture(), try TemporaryFolder())
        let work = try await work(fixture, folder, "2026-11-18 Feast", "2026-11-24 Moves")
        try await fixture.enter(work, "2026-11-17", .done)
        try await fixture.enter(work, "2026-11-25", .done)
        try folder.write(Self.calendar(["2026-11-25 Moves"]), to: "holidays.ics")
        _ = try await fixture.mintee.refreshHolidays("holidays", operation: fixture.operation())
        let bytes = try await fixture.exported(format)
        let other = MinteeFixture()
        if format == .ics {
            _ = try await other.mintee.addHolidays(
                "holidays", from: folder.path + "/holidays.ics", operation: other.operation())
        }
        let source = TaskImportSource(ImportBundle("tasks", [ImportBundle.File("tasks", bytes)]))
        let report = try await other.mintee.importTasks(source, operation: other.operation("mintee import"))
        #expect(report.counts == [.new: 1] && report.skippedCount == 0)
        let made = try #require(try await other.mintee.listTasks().first)
        #expect(made.draft.daysText == "weekdays except holidays")
        #expect(try await other.mintee.entries(of: made.id).map(\.day.description) == ["2026-11-17", "2026-11-25"])
        #expect(try made.draft.isDue(on: day("2026-11-25")) && made.draft.isDue(on: day("2026-11-24")))
        #expect(try await isSound(other))
        if format == .json { #expect(try await other.exported(.json) == bytes) }
        // Without the calendar, its days are due.
        if format == .ics {
            let third = MinteeFixture()
            _ = try await third.mintee.importTasks(source, operation: third.operation("mintee import"))
            #expect(try await third.mintee.listTasks().first?.draft.daysText == "weekdays")
        }
    }

    @Test func `the commands of calendars`() async throws {
        let hub = try TestHub(MinteePlugin.self)
        let path = hub.home + "/berlin.ics"
        Golden.write(Self.calendar(["2026-11-24 Feast", "2026-12-25 Christmas"]), to: path)
        var shown = ""
        func run(_ line: String) async {
            shown +=
                "$ hub \(line)\n"
                + (await hub.shown(line.replacing("FOLDER", with: hub.home))).replacing(hub.home, with: "FOLDER")
        }
        for line in [
            "mintee holidays", "mintee new Mail --on 'weekdays except holidays'",
            "mintee holidays add -n holidays FOLDER/berlin.ics",
            "mintee holidays add Mon FOLDER/berlin.ics", "mintee holidays add holidays FOLDER/none.ics",
            "mintee holidays add holidays FOLDER/berlin.ics", "mintee new Mail --on 'weekdays except holidays: x >= 2'",
            "mintee edit mail --on 'weekdays except holidays: x >= 2'", "mintee holidays",
            "mintee holidays show holidays", "mintee set mail 3 --date 2026-11-24", "mintee set mail 3 --date tomorrow",
            "mintee holidays refresh",
        ] { await run(line) }
        Golden.write(Self.calendar(["2026-11-25 Feast", "2026-12-25 Christmas", "2026-12-26 Boxing Day"]), to: path)
        await hub.run("mintee set mail 2 --date 2026-11-25")
        for line in [
            "mintee holidays refresh -n", "mintee holidays refresh holidays", "mintee today 2026-11-24",
            "mintee holidays rm holidays", "mintee holidays refresh bremen", "undo", "mintee check",
        ] { await run(line) }
        Golden.expect(shown, is: "holidays.txt")
    }
}
