import CivilDate
import HubKit
import HubKitTesting
import MinteeDomain
import Storage
import Sync
import TestSupport
import Testing

@testable import Mintee

/// Any mix of values entered here, ticks and removals there, undo, edits of tasks, syncs and broken connections ends with
/// both sides saying the same of every day; and a day that one side alone has touched since the last sync keeps that.
/// Texts of other programs that are no to-dos stay, and no day is shown twice.
struct CalendarModelTests {
    @Test(.seeded, arguments: [(false, false), (true, false), (false, true), (true, true)])
    func `whatever happens, both sides end equal`(withUndo: Bool, dropsUnknown: Bool) async throws {
        var random = SeededGenerator(seed: 20_261_122)
        let side = try CalendarFixture(back: 5, ahead: 3)
        side.server.behave {
            $0.hasTokens = Bool.random(using: &random)
            $0.hasState = Bool.random(using: &random)
            $0.dropsUnknown = dropsUnknown
        }
        var tasks = [
            try await side.hub.make("Read", "daily: x >= 20"), try await side.hub.make("Coffee", "daily: x <= 3"),
            try await side.hub.make("Run", "Mon,Wed,Fri"),
        ]
        try await side.connect()
        try await side.settle()
        // What a single side said of a day since the last whole sync, when the other did not touch it.
        var touched: [TaskDay: Touch] = [:]
        // The last to-dos of places that hold none now.
        var broken: [String: (day: TaskDay, text: String)] = [:]
        for step in 0..<120 {
            side.hub.clock.advance(by: .seconds(Int64.random(in: 1...5, using: &random)))
            guard let task = tasks.randomElement(using: &random) else { return }
            let date = side.hub.today.adding(days: Int.random(in: -5...3, using: &random))
            let day = TaskDay(task.id, date)
            switch Int.random(in: 0..<14, using: &random) {
            case 0, 1, 2:
                let value = Double(Int.random(in: 0...30, using: &random))
                guard (try? await side.hub.enter(task, date.description, .value(value))) != nil else { continue }
                touched[day] =
                    touched[day] == nil || touched[day]?.isHere == true ? Touch(isHere: true, value: value) : .both
            case 3, 4, 5:
                guard let before = side.todo(task, date.description) else { continue }
                let isDone = before.progress.status == .completed
                if isDone { side.untick(task, date.description) } else { side.tick(task, date.description) }
                let isFirst = touched[day] == nil || touched[day]?.isHere == false
                touched[day] = isFirst ? Touch(isHere: false, isDone: !isDone) : .both
            case 6:
                let place = side.place(task, date.description)
                guard touched[day] == nil else { continue }
                side.server.edit { $0.take(place) }
                broken[place] = nil
            case 10 where !withUndo:
                // Another program saves something that is no to-do.
                let place = side.place(task, date.description)
                guard broken[place] == nil, let item = side.server.items()[place] else { continue }
                broken[place] = (day, item.text)
                side.server.edit { $0.put(place, "no to-do \(step)") }
            case 11:
                // It saves what was there.
                guard let place = broken.keys.sorted().randomElement(using: &random),
                    let (day, text) = broken.removeValue(forKey: place)
                else { continue }
                side.server.edit { $0.put(place, text) }
                touched[day] = .both
            case 7 where withUndo:
                side.hub.clock.advance(by: .seconds(1))
                _ = try? await side.hub.database.history.undo(as: side.hub.operation("undo"))
                touched = [:]
            case 8 where step.isMultiple(of: 3):
                _ = try? await side.hub.mintee.updateTask(
                    task.id, operation: side.hub.operation("mintee edit")
                ) { $0.name = "Task \(step)" }
            case 9 where step.isMultiple(of: 7):
                tasks.append(try await side.hub.make("New \(step)"))
            default:
                let calls = Bool.random(using: &random) ? Int.random(in: 1...15, using: &random) : nil
                side.server.behave { $0.callsLeft = calls }
                let report = try await side.syncing()
                side.server.behave { $0.callsLeft = nil }
                for (place, (day, _)) in broken {
                    #expect(side.server.items()[place]?.text.hasPrefix("no to-do") == true)
                    touched[day] = .both
                }
                let uids = side.server.items().values.compactMap { item in
                    item.text.split(separator: "\r\n").first { $0.hasPrefix("UID:") }
                }
                #expect(uids.count == Set(uids).count)
                guard report.failure == nil else { continue }
                if !withUndo { try await check(touched, side) }
                touched = [:]
            }
        }
        for (place, (_, text)) in broken { side.server.edit { $0.put(place, text) } }
        try await side.settle()
        try await expectEqual(side, dropsUnknown)
        #expect(try await side.hub.mintee.ruleViolations().isEmpty)
    }

    /// The changes of a day since the last sync.
    private struct Touch {
        var isHere: Bool?
        var value: Double?
        var isDone: Bool?

        /// Both sides changed it; other tests cover which one wins.
        static let both = Touch()
    }

    private func check(_ touched: [TaskDay: Touch], _ side: CalendarFixture) async throws {
        for (day, touch) in touched {
            let found = try await side.hub.store.read { transaction in
                (try transaction.entry(day.taskID, on: day.date), try transaction.task(day.taskID))
            }
            guard let record = found.1, record.draft.isDue(on: day.date) else { continue }
            if let value = touch.value { #expect(found.0?.completion == value) }
            if let isDone = touch.isDone {
                let target = record.draft.target(on: day.date)
                // A tick does not replace a value over the target.
                if isDone, Entry.category(of: found.0?.completion ?? 0, target) == .over { continue }
                let status = TodoProgress(found.0, target).status
                #expect((status == .completed) == isDone)
            }
        }
    }

    private func expectEqual(_ side: CalendarFixture, _ dropsUnknown: Bool) async throws {
        let window = side.manager.window
        let (days, orphans) = try await side.hub.store.read { try $0.syncDays(window, account: "home") }
        #expect(orphans.isEmpty && days.count == side.server.items().count)
        for case .day(let day) in days {
            let record = TaskRecord(
                id: day.todo.taskID, draft: TaskDraft(name: "", schedule: .dates([])), revision: 1,
                createdAt: Instant(milliseconds: 0), changedAt: Instant(milliseconds: 0))
            let theirs = side.todo(record, day.todo.date.description)
            #expect(theirs?.progress.status == day.todo.progress.status)
            #expect(theirs?.name == day.todo.name)
            if !dropsUnknown {
                #expect(theirs?.written == day.todo.entry.map { Entry(completion: $0.completion) })
            }
        }
    }
}
