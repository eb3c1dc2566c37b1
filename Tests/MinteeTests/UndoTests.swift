import CivilDate
import HubKit
import MinteeDomain
import Storage
import Testing

@testable import Mintee

/// Undo restores the store byte for byte, entries and derived years included.
struct UndoTests {
    /// The effect of each command; the store must be the same after its undo, and after redo and undo.
    static let commands: [(name: String, act: @Sendable (MinteeFixture, TaskRecord) async throws -> Void)] = [
        ("new", { fixture, _ in try await fixture.make("Another", "Mon", "1,last: x = 2", tags: ["new", "health"]) }),
        ("set", { fixture, task in try await fixture.enter(task, "2026-11-18", .value(3)) }),
        ("over a value", { fixture, task in try await fixture.enter(task, "2026-11-02", .value(0)) }),
        ("skip", { fixture, task in try await fixture.enter(task, "2026-11-03", .skip("ill")) }),
        ("clear", { fixture, task in try await fixture.enter(task, "2026-11-02", .clear) }),
        ("rm", { fixture, task in try await fixture.mintee.tasks.delete([task.id], operation: fixture.operation()) }),
        (
            "tag",
            { fixture, task in
                _ = try await fixture.mintee.tasks.setTags(
                    of: [task.id], adding: ["sport"], removing: ["health"], operation: fixture.operation())
            }
        ),
        (
            "edit to dates",
            { fixture, task in
                let day = try #require(CivilDate("2026-11-03"))
                let lost = try #require(CivilDate("2026-11-02"))
                _ = try await fixture.mintee.updateTask(task.id, losing: [lost], operation: fixture.operation()) {
                    $0.schedule = .dates([day])
                    $0.hasOpenEnd = false
                }
            }
        ),
        (
            "edit of sets",
            { fixture, task in
                let sets = [try TargetSet("Mon: x >= 9"), try TargetSet("daily: x >= 2")]
                _ = try await fixture.mintee.updateTask(task.id, operation: fixture.operation()) { draft in
                    guard case .recurring(let start, let end, _) = draft.schedule else { return }
                    draft.schedule = .recurring(from: start, to: end, sets)
                }
            }
        ),
        (
            "analysis",
            { fixture, _ in
                _ = try await fixture.mintee.createAnalysis(
                    Analysis(name: "Health", tags: ["health"]), operation: fixture.operation())
            }
        ),
        ("theme", { fixture, _ in _ = try await fixture.mintee.setTheme("ocean", operation: fixture.operation()) }),
    ]

    @Test(arguments: commands.indices)
    func `undo takes back every command`(index: Int) async throws {
        let fixture = MinteeFixture()
        let task = try await fixture.make("Read", tags: ["Health"])
        try await fixture.enter(task, "2026-11-02", .done)
        try await fixture.enter(task, "2026-11-03", .value(4))
        let before = try await fixture.snapshot()
        let history = fixture.database.history
        try await Self.commands[index].act(fixture, task)
        let after = try await fixture.snapshot()
        #expect(after != before, "\(Self.commands[index].name)")
        let undone = try #require(try await history.operations(limit: 1).first)
        _ = try await history.undo(undone.id, as: fixture.operation("undo"))
        #expect(try await fixture.snapshot() == before, "\(Self.commands[index].name)")
        #expect(try await fixture.mintee.ruleViolations() == [])
        #expect(try await fixture.mintee.tasksWithStaleYears() == [])
    }

    @Test func `history tells what was done, by whom and to which day`() async throws {
        let fixture = MinteeFixture()
        let task = try await fixture.make("Read")
        try await fixture.enter(task, "2026-11-02", .value(2))
        try await fixture.enter(task, "2026-11-02", .value(3))
        try await fixture.mintee.tasks.delete([task.id], operation: fixture.operation("mintee rm"))
        let versions = try await fixture.mintee.tasks.history(of: task.id)
        #expect(versions.map(\.verb) == ["removed", "changed", "changed", "created"])
        #expect(versions.map(\.changes) == [[], ["2026-11-02: 2 → 3"], ["2026-11-02: 2"], []])
        #expect(versions.allSatisfy { $0.operation.who == .person })
    }
}
