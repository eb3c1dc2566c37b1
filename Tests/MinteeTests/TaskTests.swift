import CivilDate
import HubKit
import HubKitTesting
import MinteeDomain
import Storage
import Testing

@testable import Mintee

/// Making, changing and removing tasks: what is kept and what goes.
struct TaskTests {
    private func day(_ text: String) throws -> CivilDate { try #require(CivilDate(text)) }

    @Test func `a task is kept as it was entered`() async throws {
        let fixture = MinteeFixture()
        let draft = TaskDraft(
            name: "  Drink  water ", tags: ["Health", "daily life"],
            schedule: .recurring(
                from: try day("2026-11-01"), to: try day("2027-01-31"),
                [
                    try TargetSet("Last Mon: 3 <= x < 5"), try TargetSet("1,last: x = 2"),
                    try TargetSet("Mon-Sat: x <= 0.5"),
                ]),
            remindAt: 8 * 60 + 30, notes: "a\nnote")
        let record = try await fixture.mintee.createTask(draft, operation: fixture.operation())
        var expected = draft
        expected.name = "Drink water"
        expected.tags = ["daily life", "Health"]
        #expect(record.draft == expected && record.revision == 1)
        #expect(try await fixture.store.read { try $0.task(record.id) } == record)
        let dates = try await fixture.make("Pay", dates: ["2026-12-01", "2026-01-01", "2026-12-01"])
        #expect(dates.draft.schedule == .specific([try day("2026-01-01"), try day("2026-12-01")]))
    }

    @Test func `an edit that drops filled days lists them and waits for a yes`() async throws {
        let fixture = MinteeFixture()
        let task = try await fixture.make("Run", "Mon,Wed,Fri")
        for date in ["2026-11-02", "2026-11-04", "2026-11-06"] { try await fixture.enter(task, date, .done) }
        let mintee = fixture.mintee
        let change: @Sendable (inout TaskDraft) throws -> Void = { draft in
            draft.schedule = .recurring(
                from: try day("2026-11-03"), to: try day("2027-11-01"), [try TargetSet("Mon,Fri: x >= 5")])
        }
        let plan = try await mintee.planUpdate(task.id, change: change)
        #expect(plan.losses.map(\.description) == ["2026-11-02", "2026-11-04"])
        let refused = await #expect(throws: HubError.self) {
            try await mintee.updateTask(task.id, operation: fixture.operation(), change: change)
        }
        #expect(refused?.kind == .conflict)
        _ = try await mintee.updateTask(
            task.id, losing: plan.losses, operation: fixture.operation("mintee edit"), change: change)
        let entries = try await fixture.store.read { try $0.entries(of: task.id) }
        #expect(entries.map(\.day.description) == ["2026-11-06"])
        // The kept day is measured by the new target.
        let state = try await fixture.store.read {
            try $0.timeline(of: $0.task(task.id) ?? task, through: fixture.today)
        }
        #expect(state[try day("2026-11-06")].category == .under)
    }

    @Test func `a change of target or priority alone loses nothing`() async throws {
        let fixture = MinteeFixture()
        let task = try await fixture.make("Run", "Mon", "daily")
        try await fixture.enter(task, "2026-11-02", .done)
        let plan = try await fixture.mintee.planUpdate(task.id) { draft in
            guard case .recurring(let start, let end, let sets) = draft.schedule else { return }
            draft.schedule = .recurring(from: start, to: end, sets.reversed())
        }
        #expect(plan.losses.isEmpty)
    }

    @Test func `between recurring and specific what may be kept is kept`() async throws {
        let fixture = MinteeFixture()
        let task = try await fixture.make("Run")
        try await fixture.enter(task, "2026-11-02", .value(7))
        try await fixture.enter(task, "2026-11-03", .value(8))
        let mintee = fixture.mintee
        let dates = Schedule.dates([try day("2026-11-03"), try day("2026-11-30")])
        _ = try await mintee.updateTask(
            task.id, losing: [try day("2026-11-02")], operation: fixture.operation()
        ) { draft in
            draft.schedule = dates
            draft.hasOpenEnd = false
        }
        var stored = try #require(try await fixture.store.read { try $0.task(task.id) })
        #expect(stored.draft.schedule == dates)
        #expect(try await fixture.store.read { try $0.entry(task.id, on: day("2026-11-03")) }?.completion == 8)
        #expect(try await fixture.mintee.ruleViolations() == [])
        _ = try await mintee.updateTask(task.id, operation: fixture.operation()) { draft in
            draft.schedule = .recurring(from: try day("2026-11-01"), to: try day("2026-12-31"), [TargetSet(.daily)])
        }
        stored = try #require(try await fixture.store.read { try $0.task(task.id) })
        #expect(stored.draft.schedule.kind == .recurring)
        #expect(try await fixture.store.read { try $0.instanceDays(of: task.id) } == [try day("2026-11-03")])
        #expect(try await fixture.mintee.ruleViolations() == [])
    }

    @Test func `an end that nobody typed moves on by itself`() async throws {
        let fixture = MinteeFixture()
        let open = try await fixture.make("Read")
        let closed = try await fixture.make("Course", to: "2026-12-31")
        fixture.clock.advance(by: .seconds(800 * 86_400))
        let items = try await fixture.mintee.dueTasks(on: fixture.today)
        #expect(items.map(\.task.id) == [open.id])
        #expect(!closed.draft.isDue(on: fixture.today))
        try await fixture.enter(open, fixture.today.description, .done)
    }

    @Test func `tags are kept as long as a task has them`() async throws {
        let fixture = MinteeFixture()
        let first = try await fixture.make("A", tags: ["Tag1", "Tag2"])
        try await fixture.make("B", tags: ["tag2", "Tag3"])
        let mintee = fixture.mintee
        #expect(try await fixture.mintee.tasks.tags().map(\.tag) == ["Tag1", "Tag2", "Tag3"])
        _ = try await mintee.tasks.setTags(
            of: [first.id], adding: ["TÁG3"], removing: ["tag1", "tag2"], operation: fixture.operation())
        #expect(try await fixture.mintee.tasks.tags() == [.init("Tag2", count: 1), .init("Tag3", count: 2)])
    }

    @Test func `the trash keeps all, and emptying it destroys all`() async throws {
        let fixture = MinteeFixture()
        let task = try await fixture.make("Read", "Sun-Fri", tags: ["a", "b"])
        try await fixture.enter(task, "2026-11-02", .done)
        let before = try await fixture.snapshot()
        try await fixture.mintee.tasks.delete([task.id], operation: fixture.operation("mintee rm"))
        #expect(try await fixture.mintee.listTasks().isEmpty)
        #expect(try await fixture.mintee.tasks.tags().isEmpty)
        let another = try await fixture.make("Read")
        let taken = await #expect(throws: HubError.self) {
            try await fixture.mintee.tasks.restore([task.id], operation: fixture.operation())
        }
        #expect(taken?.code == "task-5")
        try await fixture.mintee.tasks.delete([another.id], operation: fixture.operation())
        try await fixture.mintee.tasks.restore([task.id], operation: fixture.operation())
        let instances = { (rows: [String]) in rows.filter { $0.hasPrefix("instance") || $0.hasPrefix("year") } }
        #expect(instances(try await fixture.snapshot()) == instances(before))
        try await fixture.mintee.tasks.delete([task.id], operation: fixture.operation())
        fixture.clock.advance(by: .seconds(1))
        let count = try await fixture.mintee.tasks.emptyTrash(before: fixture.clock.now, operation: fixture.operation())
        #expect(count == 2)
        #expect(try await fixture.snapshot() == [])
    }

    /// What lies far away is a slip of the finger, and an import would not bring it back.
    @Test func `days before 1900 and after 2199 are refused wherever they are typed`() async throws {
        let fixture = MinteeFixture()
        let words = "days of tasks lie in the years 1900 to 2199"
        for (from, to) in [("1850-01-01", nil), ("1850-01-01", "2026-12-31"), ("2026-01-01", "2500-01-01")] {
            let refused = await #expect(throws: HubError.self) { try await fixture.make("Old", from: from, to: to) }
            #expect(refused?.code == "task-2" && refused?.message.contains(words) == true)
            #expect(refused?.problems.map(\.field) == [from == "1850-01-01" ? "start" : "end"])
        }
        let dates = await #expect(throws: HubError.self) {
            try await fixture.make("Far", dates: ["2026-01-01", "2500-01-01"])
        }
        #expect(dates?.code == "task-4" && dates?.message.contains(words) == true)
        let read = try await fixture.make("Read")
        let entered = await #expect(throws: HubError.self) { try await fixture.enter(read, "2500-01-01", .value(1)) }
        #expect(entered?.message.contains(words) == true)
        let edited = await #expect(throws: HubError.self) {
            try await fixture.mintee.updateTask(read.id, operation: fixture.operation()) {
                $0.schedule = .recurring(
                    from: try #require(CivilDate("1899-12-31")), to: try #require(CivilDate("2026-12-31")),
                    $0.schedule.sets)
            }
        }
        #expect(edited?.message.contains(words) == true)
        let range = AnalysisRange.dates(
            from: try #require(CivilDate("1850-01-01")), to: try #require(CivilDate("1860-01-01")))
        #expect(Analysis(name: "Old", range: range, tags: ["a"]).violations.map(\.rule) == ["ANL-8"])
        for (from, to) in [("1900-01-01", "2199-12-31"), ("2199-12-30", "2199-12-31")] {
            try await fixture.make("Near \(from)", from: from, to: to)
        }
    }

    /// A task that an older program has made there can still be edited.
    @Test func `a task that lies far away already keeps its days`() async throws {
        let fixture = MinteeFixture()
        let read = try await fixture.make("Read", from: "1950-01-01", to: "2026-12-31")
        try await fixture.store.write(fixture.operation()) {
            try $0.run("UPDATE mintee_task SET start_day = '1850-01-01'")
        }
        let plan = try await fixture.mintee.updateTask(read.id, operation: fixture.operation()) { $0.notes = "old" }
        #expect(plan.after.notes == "old")
    }

    @Test func `names are found by id, words and last`() async throws {
        let fixture = MinteeFixture()
        let read = try await fixture.make("Read a book", tags: ["evening"])
        let run = try await fixture.make("Run")
        let mintee = fixture.mintee
        for (selector, task) in [("run", run), ("last", run), ("bo re", read), (String(read.id.prefix(8)), read)] {
            #expect(try await mintee.tasks.resolve(selector).map(\.id) == [task.id], "\(selector)")
        }
        let wrong = await #expect(throws: HubError.self) { try await mintee.tasks.resolve("Rnu") }
        #expect(wrong?.kind == .notFound && wrong?.hint?.hasPrefix("did you mean Run (") == true)
        try await fixture.enter(run, "2026-11-02", .note("in the rain"))
        #expect(try await mintee.searchTasks("rain").map(\.id) == [run.id])
        #expect(try await mintee.searchTasks("even").map(\.id) == [read.id])
        #expect(try await mintee.searchTasks("nothing").isEmpty)
    }
}
