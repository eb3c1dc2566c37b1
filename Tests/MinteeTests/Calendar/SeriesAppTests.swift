import CivilDate
import FoundationEssentials
import HubKitTesting
import MinteeDomain
import Storage
import TestSupport
import Testing

@testable import Mintee

/// Apps that keep a series in different ways give the same days: those that complete the master and move it on, those that
/// leave a completed copy with another UID, and those that write single days and drop unknown properties.
struct SeriesAppTests {
    enum App: CaseIterable {
        case completesMaster, leavesCopies, dropsProperties
    }

    private enum Act: Character { case done = "d", skip = "s", move = "m", nothing = "-" }

    /// What the person does on twenty days, from Friday, 20 November 2026 on.
    private static let script = "ddsd-mdd--dsdmdd-dsd"
    private static let acts = script.compactMap(Act.init)

    private static func day(_ offset: Int) -> CivilDate { CivilDate(daysSinceEpoch: 20_777 + offset) }

    private static func stamp(_ offset: Int) -> String { "\(day(offset).description.filter { $0 != "-" })" }

    private static func offsets(_ act: Act) -> [CivilDate] {
        acts.indices.filter { acts[$0] == act }.map { day($0) }
    }

    private func expect(_ entries: [(day: CivilDate, entry: Entry)]) {
        #expect(entries.filter { $0.entry.completion > 0 }.map(\.day) == Self.offsets(.done))
        #expect(entries.filter { $0.entry.skipReason == "" }.map(\.day) == Self.offsets(.skip))
    }

    @Test(arguments: App.allCases)
    func `the days that hub shows in a calendar`(app: App) async throws {
        #expect(Self.day(0).description == "2026-11-20" && Self.acts.count == 20)
        let side = try CalendarFixture()
        let task = try await side.hub.make("Water", "daily: x >= 5", tags: ["home"])
        try await side.connect()
        try await side.settle()
        for (offset, act) in Self.acts.enumerated() {
            if offset > 0 { side.hub.clock.advance(by: .seconds(86_000)) }
            try await side.settle()
            let place = side.place(task, Self.day(offset).description)
            let (now, next) = (side.hub.clock.now, Self.stamp(offset + 1))
            let tick: [String: String?] = [
                "STATUS": "COMPLETED", "PERCENT-COMPLETE": "100", "COMPLETED": Phone.stamp(now),
            ]
            let moved: [String: String?] = ["DTSTART;VALUE=DATE": next, "DUE;VALUE=DATE": next]
            side.server.edit { content in
                guard var text = content.items[place]?.text else { return }
                func put(_ changes: [String: String?]) { content.put(place, Phone.changed(text, changes, at: now)) }
                switch app {
                case .dropsProperties:
                    text = text.split(separator: "\r\n").filter { !$0.hasPrefix("X-") }.map { $0 + "\r\n" }.joined()
                case .completesMaster, .leavesCopies:
                    // The person made it repeat in the app.
                    text = Phone.changed(text, ["RRULE": "FREQ=DAILY"], at: now)
                }
                switch act {
                case .done where app == .leavesCopies:
                    let copy = Phone.changed(text, tick.merging(["RRULE": nil]) { $1 }, at: now)
                    content.put("\(PlayedServer.place)\(offset).ics", copy.replacing("UID:task", with: "UID:copy"))
                    put(moved)
                case .done: put(tick)
                case .skip: put(["STATUS": "CANCELLED"])
                case .move: put(moved)
                case .nothing: break
                }
            }
        }
        try await side.settle()
        let entries = try await side.hub.store.read { try $0.entries(of: task.id) }
        expect(entries)
        #expect(entries.allSatisfy { $0.entry.completion == 0 || $0.entry.completion == 5 })
        for (offset, act) in Self.acts.enumerated() {
            let todo = side.todo(task, Self.day(offset).description)
            #expect(todo?.date == Self.day(offset) && (todo?.progress.status == .completed) == (act == .done))
        }
        if app == .leavesCopies {
            #expect(
                side.server.items().values.filter { $0.text.contains("UID:copy/") }.count == Self.offsets(.done).count)
        }
    }

    private func todo(_ uid: String, _ lines: String...) -> String {
        (["BEGIN:VTODO", "UID:\(uid)", "SUMMARY:Water"] + lines + ["END:VTODO"]).map { $0 + "\r\n" }.joined()
    }

    /// The calendar of the app after the person's act of a day.
    private func calendar(_ app: App, _ offset: Int) -> String {
        let status: [Act: String] = [.done: "COMPLETED", .skip: "CANCELLED"]
        func date(_ name: String, _ offset: Int) -> String { "\(name);VALUE=DATE:\(Self.stamp(offset))" }
        func state(_ offset: Int) -> String { "STATUS:\(status[Self.acts[offset]] ?? "NEEDS-ACTION")" }
        let isMoved = Self.acts[offset] == .move
        let begin = isMoved ? offset + 1 : offset
        let past = (0...offset).filter { status[Self.acts[$0]] != nil }
        let todos: [String] =
            switch app {
            case .completesMaster:
                [todo("s", date("DTSTART", begin), date("DUE", begin), "RRULE:FREQ=DAILY", state(offset))]
            case .leavesCopies:
                [todo("s", date("DTSTART", offset + 1), date("DUE", offset + 1), "RRULE:FREQ=DAILY")]
                    + past.map { todo("c\($0)", date("DTSTART", $0), date("DUE", $0), state($0)) }
            case .dropsProperties:
                [todo("s", date("DTSTART", 0), date("DUE", 0), "RRULE:FREQ=DAILY")]
                    + past.map { todo("s", date("RECURRENCE-ID", $0), date("DTSTART", $0), state($0)) }
                    + (isMoved
                        ? [todo("s", date("RECURRENCE-ID", offset), date("DTSTART", begin), "STATUS:NEEDS-ACTION")]
                        : [])
            }
        return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(todos.joined())END:VCALENDAR\r\n"
    }

    @Test(arguments: App.allCases)
    func `a series of another program`(app: App) async throws {
        let folder = try TemporaryFolder()
        let fixture = MinteeFixture()
        for offset in Self.acts.indices {
            let path = try folder.write(calendar(app, offset), to: "\(offset).ics")
            let source = try await TaskImportSource(path: path)
            _ = try await fixture.mintee.importTasks(
                [TaskImportFile(path) { source }], operation: fixture.operation("mintee import"))
        }
        let tasks = try await fixture.mintee.listTasks()
        #expect(tasks.map(\.draft.name) == ["Water"])
        let task = try #require(tasks.first)
        expect(try await fixture.store.read { try $0.entries(of: task.id) })
        #expect(task.draft.firstDay == Self.day(0) && task.draft.hasOpenEnd)
    }
}
