import CivilDate
import HubKit
import HubKitTesting
import MinteeDomain
import Storage
import TestSupport
import Testing

@testable import Mintee

/// Whatever was done, in whatever order: undo gives back every byte of every table, redo the other way.
struct RandomUndoTests {
    /// One random command. What the rules refuse changes nothing, which is looked at, too.
    private func act(_ fixture: MinteeFixture, _ generator: inout SeededGenerator) async throws {
        let tasks = try await fixture.mintee.listTasks()
        let names = ["Read", "Run", "Água"]
        let name = names[Int.random(in: 0..<3, using: &generator)]
        let day = fixture.today.adding(days: Int.random(in: -20...3, using: &generator))
        let number = Double(Int.random(in: -4...40, using: &generator)) / 4
        let sets = [["daily"], ["Mon,Thu: x >= 2", "daily"], ["1,15,last: x <= 3"], ["1st,Last Fri: 1 < x < 5"]]
        let chosen = try sets[Int.random(in: 0..<4, using: &generator)].map { try TargetSet($0) }
        let step = Int.random(in: 0..<14, using: &generator)
        guard step > 2, let task = tasks.randomElement(using: &generator) else {
            let log = (0..<6).map {
                "\(day.adding(days: -$0)) : \(name) : \($0 % 2 == 0 ? "y" : "s") : c\($0) : \(number)"
            }
            if step == 0 { return try await void(fixture.importing(("log", log.joined(separator: "\n")))) }
            return try await void(fixture.make(name, "daily", tags: [name, "all"], from: "2026-11-01"))
        }
        let operation = fixture.operation("mintee step \(step)")
        let mintee = fixture.mintee
        switch step {
        case 3: try await void(fixture.enter(task, day.description, .value(number)))
        case 4: try await void(fixture.enter(task, day.description, .skip("why")))
        case 5: try await void(fixture.enter(task, day.description, .note("note \(number)")))
        case 6: try await void(fixture.enter(task, day.description, .clear))
        case 7: try await fixture.mintee.tasks.delete([task.id], operation: operation)
        case 8:
            _ = try await fixture.mintee.tasks.setTags(
                of: [task.id], adding: ["x \(step)"], removing: [name], operation: operation)
        case 9:
            let change: @Sendable (inout TaskDraft) -> Void = { draft in
                draft.schedule = .recurring(from: day, to: day.adding(days: 90), chosen)
                draft.hasOpenEnd = false
            }
            let plan = try await mintee.planUpdate(task.id, change: change)
            _ = try await mintee.updateTask(task.id, losing: plan.losses, operation: operation, change: change)
        case 10:
            let change: @Sendable (inout TaskDraft) -> Void = { draft in
                draft.schedule = .dates([day, day.adding(days: 2), day.adding(days: 7)])
                draft.hasOpenEnd = false
            }
            let plan = try await mintee.planUpdate(task.id, change: change)
            _ = try await mintee.updateTask(task.id, losing: plan.losses, operation: operation, change: change)
        case 11:
            let moment = fixture.clock.now - .seconds(Int.random(in: 0...600, using: &generator))
            _ = try await fixture.mintee.tasks.restore(task.id, at: moment, operation: operation)
        case 12:
            let trash = try await fixture.store.read { try $0.tasks(.trashed) }
            try await fixture.mintee.tasks.restore(trash.prefix(1).map(\.id), operation: operation)
        default:
            let summary = TaskSummary(kind: .line, range: .last(days: 3 + step))
            try await fixture.setSummary(summary, of: task.id, operation)
        }
    }

    private func void<Value>(_ value: Value) {}

    @Test(arguments: 1...8)
    func `undo and redo give back every byte, step by step and all the way`(seed: Int) async throws {
        let fixture = MinteeFixture()
        let history = fixture.database.history
        var generator = SeededGenerator(seed: UInt64(seed))
        var states = [try await fixture.snapshot()]
        for _ in 0..<40 {
            fixture.clock.advance(by: .seconds(60))
            let last = try await history.operations(limit: 1).first?.id
            do { try await act(fixture, &generator) } catch is HubError {}
            let after = try await fixture.snapshot()
            guard try await history.operations(limit: 1).first?.id != last else {
                #expect(after == states.last, "seed \(seed): a refused command changed something")
                continue
            }
            #expect(try await fixture.isSound(), "seed \(seed)")
            #expect(try await history.undo(as: fixture.operation("undo")).isPossible)
            #expect(try await fixture.snapshot() == states.last, "seed \(seed)")
            #expect(try await history.redo(as: fixture.operation("redo")).isPossible)
            #expect(try await fixture.snapshot() == after, "seed \(seed)")
            states.append(after)
        }
        #expect(states.count > 10)
        for before in states.dropLast().reversed() {
            #expect(try await history.undo(as: fixture.operation("undo")).isPossible)
            #expect(try await fixture.snapshot() == before, "seed \(seed)")
            #expect(try await fixture.isSound(), "seed \(seed)")
        }
    }
}
