import CivilDate
import MinteeDomain
import Sync
import Testing

/// The decisions of a sync for all states of both sides, row by row.
@Suite struct TodoEngineTests {
    private static let today = CivilDate(daysSinceEpoch: 20_777)

    private func day(_ number: Int, _ tag: String? = nil, isWaiting: Bool = false) -> SyncDay {
        let todo = DayTodo(
            taskID: "2gd", date: Self.today.adding(days: number), name: "Run", target: .done, entry: nil, changedAt: 1)
        var day = SyncDay(todo: todo)
        day.link = tag.map {
            TodoLink(day.day, href: "/\(number)", tag: $0, sent: isWaiting ? 0 : todo.fingerprint)
        }
        return day
    }

    private func engine(
        _ days: [SyncDay], orphans: [SyncDay] = [], held: [RemoteEntry] = [], all: [String]? = nil,
        changed: [String] = [], removed: [String] = []
    ) -> TodoEngine {
        func entry(_ text: String) -> RemoteEntry {
            let parts = text.split(separator: "=")
            return RemoteEntry(href: String(parts[0]), tag: String(parts[1]))
        }
        return TodoEngine(
            days: days, orphans: orphans.compactMap(\.link), held: held,
            changes: RemoteChanges(
                isComplete: all != nil, entries: (all ?? changed).map(entry), removed: removed, token: "t"))
    }

    @Test func `nothing changed is nothing to do`() {
        #expect(engine([day(0, "a"), day(1, "b")]).isIdle)
        #expect(engine([day(0, "a"), day(1, "b")], all: ["/0=a", "/1=b"]).isIdle)
    }

    @Test func `a day without a to-do gets one`() {
        let engine = engine([day(1), day(0), day(2, "a")])
        #expect(engine.creations == [day(0).day, day(1).day] && engine.fetches.isEmpty && !engine.isIdle)
    }

    @Test func `what changed there or waits here is looked at`() {
        #expect(engine([day(0, "a"), day(1, "b", isWaiting: true)], changed: ["/0=c"]).fetches == ["/0", "/1"])
        #expect(engine([day(0, "a")], changed: ["/0=a"]).isIdle, "the same tag is no change")
    }

    @Test func `what was removed there is made again, and nothing changes here`() {
        let one = engine([day(0, "a"), day(1, "b")], removed: ["/0"])
        #expect(one.creations == [day(0).day] && one.removals.isEmpty && one.forgotten.isEmpty)
        let emptied = engine([day(0, "a"), day(1, "b")], all: [])
        #expect(emptied.creations == [day(0).day, day(1).day])
    }

    @Test func `a to-do without a day is removed, once it was looked at when it changed`() {
        let plain = engine([], orphans: [day(0, "a")])
        #expect(plain.removals.map(\.entry) == [RemoteEntry(href: "/0", tag: "a")] && plain.fetches.isEmpty)
        var ticked = engine([], orphans: [day(0, "a")], changed: ["/0=b"])
        #expect(ticked.fetches == ["/0"] && ticked.removals.isEmpty)
        ticked.settle(RemoteEntry(href: "/0", tag: "b"), .stray(day(0).day))
        #expect(ticked.removals.map(\.entry.tag) == ["b"])
        #expect(engine([], orphans: [day(0, "a")], removed: ["/0"]).forgotten == ["/0"])
    }

    @Test func `what was on its way is looked for before it is made again`() {
        var engine = engine([day(0, "")], all: ["/9=x"])
        #expect(engine.fetches == ["/0", "/9"] && engine.creations.isEmpty)
        engine.lose("/0")
        #expect(engine.creations == [day(0).day])
        var stray = self.engine([], orphans: [day(0, "")])
        #expect(stray.fetches == ["/0"])
        stray.lose("/0")
        #expect(stray.forgotten == ["/0"] && stray.creations.isEmpty)
    }

    @Test func `what is foreign is looked at once and left alone`() {
        var engine = engine([], all: ["/x=1", "/y=1"])
        #expect(engine.fetches == ["/x", "/y"])
        engine.settle(RemoteEntry(href: "/x", tag: "1"), .foreign)
        #expect(engine.removals.isEmpty && engine.forgotten.isEmpty)
        let held = [RemoteEntry(href: "/x", tag: "1"), RemoteEntry(href: "/y", tag: "1")]
        let again = self.engine([], held: held, all: ["/x=1", "/y=2"])
        #expect(again.fetches == ["/y"])
        #expect(self.engine([], held: held, removed: ["/x"]).forgotten == ["/x"])
    }

    @Test func `a to-do found elsewhere is the one of its day`() {
        var engine = engine([day(0, "a"), day(1)], changed: ["/m=1"], removed: ["/0"])
        #expect(engine.creations == [day(0).day, day(1).day])
        engine.settle(RemoteEntry(href: "/m", tag: "1"), .stands(day(0).day))
        #expect(engine.creations == [day(1).day])
    }

    @Test func `a window shows due days around today, and filled ones further back`() throws {
        let window = SyncWindow(today: Self.today, back: 30, ahead: 14, filledBack: 90)
        func shows(_ offset: Int, _ isFilled: Bool) -> Bool {
            window.shows(Self.today.adding(days: offset), isFilled: isFilled)
        }
        #expect(shows(-30, false) && !shows(-31, false) && shows(14, false) && !shows(15, false))
        #expect(shows(-90, true) && !shows(-91, true) && shows(60, true))
        #expect(
            SyncWindow(today: Self.today, back: 30, filledBack: 0).shows(Self.today.adding(days: -30), isFilled: true))
        let schedule = Schedule.recurring(
            from: Self.today.adding(days: -1000), to: Self.today.adding(days: 1000),
            [try TargetSet("Mon")])
        #expect(schedule.days(in: window.due).count == (schedule.days.filter { window.due.contains($0) }).count)
        #expect(Schedule.specific([Self.today, Self.today.adding(days: 40)]).days(in: window.due) == [Self.today])
    }
}
