import CivilDate
import HubKit
import HubKitTesting
import MinteeDomain
import Storage
import Testing

@testable import Mintee

/// Earlier versions of tasks.
struct VersionTests {
    @Test func `a task comes back as it was, entries and tags included, as a new change`() async throws {
        let fixture = MinteeFixture()
        let task = try await fixture.make("Read", "Mon: x >= 2", "daily", tags: ["Café", "mind"])
        try await fixture.enter(task, "2026-11-02", .value(3))
        try await fixture.enter(task, "2026-11-03", .skip("ill"))
        try await fixture.enter(task, "2026-11-03", .note("in bed"))
        let then = try await fixture.exported(.json)
        let moment = fixture.clock.now
        fixture.clock.advance(by: .seconds(3600))
        try await fixture.enter(task, "2026-11-02", .clear)
        try await fixture.enter(task, "2026-11-10", .done)
        let day = try #require(CivilDate("2026-11-10"))
        let lost = try #require(CivilDate("2026-11-03"))
        _ = try await fixture.mintee.updateTask(task.id, losing: [lost], operation: fixture.operation()) {
            $0.name = "Reading"
            $0.tags = ["other"]
            $0.schedule = .dates([day])
            $0.hasOpenEnd = false
        }
        try await fixture.mintee.tasks.delete([task.id], operation: fixture.operation())
        let before = try await fixture.snapshot()
        let restored = try await fixture.mintee.tasks.restore(
            task.id, at: moment, operation: fixture.operation("mintee restore"))
        #expect(restored.draft == task.draft && restored.revision > task.revision)
        #expect(try await fixture.exported(.json) == then)
        #expect(try await fixture.isSound())
        #expect(try await fixture.database.history.undo(as: fixture.operation("undo")).isPossible)
        #expect(try await fixture.snapshot() == before)
        #expect(try await fixture.isSound())
    }

    @Test func `what was not there, and a name that is taken, are refused`() async throws {
        let fixture = MinteeFixture()
        let early = fixture.clock.now
        fixture.clock.advance(by: .seconds(60))
        let task = try await fixture.make("Read")
        let moment = fixture.clock.now
        fixture.clock.advance(by: .seconds(60))
        _ = try await fixture.mintee.updateTask(task.id, operation: fixture.operation()) { $0.name = "Reading" }
        try await fixture.make("Read")
        let mintee = fixture.mintee
        let before = try await fixture.snapshot()
        var error = await #expect(throws: HubError.self) {
            try await mintee.tasks.restore(task.id, at: early, operation: fixture.operation())
        }
        #expect(error?.code == "not-there-then")
        error = await #expect(throws: HubError.self) {
            try await mintee.tasks.restore(task.id, at: moment, operation: fixture.operation())
        }
        #expect(error?.code == "task-5")
        #expect(try await fixture.snapshot() == before)
    }

    @Test func `what differs between two moments`() async throws {
        let fixture = MinteeFixture()
        let before = fixture.clock.now
        fixture.clock.advance(by: .seconds(60))
        let task = try await fixture.make("Read", "Mon: x >= 2", tags: ["mind"], to: "2026-12-31")
        try await fixture.enter(task, "2026-11-02", .value(3))
        try await fixture.enter(task, "2026-11-09", .value(1))
        let then = fixture.clock.now
        fixture.clock.advance(by: .seconds(60))
        try await fixture.enter(task, "2026-11-02", .skip("ill"))
        try await fixture.enter(task, "2026-11-09", .clear)
        try await fixture.enter(task, "2026-11-16", .note("late"))
        let sets = [try TargetSet("Mon: x >= 4")]
        _ = try await fixture.mintee.updateTask(task.id, operation: fixture.operation()) { draft in
            draft.name = "Reading"
            draft.tags = ["mind", "Café"]
            draft.remindAt = 65
            guard case .recurring(let start, let end, _) = draft.schedule else { return }
            draft.schedule = .recurring(from: start, to: end, sets)
        }
        let mintee = fixture.mintee
        func told(_ since: Instant, _ until: Instant) async throws -> [String] {
            try await mintee.tasks.differences(of: task.id, since: since, until: until).map {
                "\($0.field): \($0.before) → \($0.after)"
            }
        }
        let now = fixture.clock.now
        #expect(
            try await told(then, now) == [
                "name: Read → Reading", "days: Mon: x >= 2 → Mon: x >= 4", "tags: mind → Café, mind",
                "reminder:  → 01:05",
                "2026-11-02: 3 → skipped: ill", "2026-11-09: 1 → ", "2026-11-16:  → 0, note: late",
            ])
        #expect(try await told(now, now) == [])
        #expect(
            try await told(before, then) == [
                "name:  → Read", "days:  → Mon: x >= 2", "from:  → 2026-10-01", "to:  → 2026-12-31", "tags:  → mind",
                "2026-11-02:  → 3", "2026-11-09:  → 1",
            ])
    }
}
