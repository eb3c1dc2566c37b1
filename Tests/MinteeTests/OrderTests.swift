import CivilDate
import FoundationEssentials
import HubKitTesting
import HubRuntimeTesting
import MinteeDomain
import Storage
import System
import TestSupport
import Testing

@testable import Commands
@testable import HubKit
@testable import Mintee

/// The order of a day: sections, the manual order, open tasks first, and days about which nothing is known.
struct OrderTests {
    @Test(arguments: [
        (["a", "b/Evening", "c/Morning", "d", "e/Gym", "f/gym", "g/Noon"], "a d c g b e f"),
        (["a:2", "b:0", "c", "d:1"], "b d a c"), (["a/Gym:2", "b/Home:1", "c/Gym:0"], "c a b"),
        (["a/évening", "b/Evening", "c/evening"], "a b c"),
    ])
    func `tasks come by section, number and creation`(tasks: [String], order: String) {
        let parts = tasks.map { text -> (name: String, section: String?, position: Int?) in
            let (rest, number) = (text.prefix { $0 != ":" }, text.split(separator: ":").dropFirst().first)
            let words = rest.split(separator: "/").map(String.init)
            return (words[0], words.count > 1 ? words[1] : nil, number.flatMap { Int($0) })
        }
        let sorted = TaskOrder.sorted(parts, section: \.section, position: \.position)
        #expect(sorted.map(\.name).joined(separator: " ") == order)
    }

    @Test func `tasks take the places of each other`() {
        #expect(TaskOrder.reordered(["a", "b", "c", "d"], placing: ["d", "b"]) == ["a", "d", "c", "b"])
        #expect(TaskOrder.reordered(["a", "b"], placing: []) == ["a", "b"])
        #expect(TaskOrder.section("  evening   walk ") == "Evening walk" && TaskOrder.section("") == "")
    }

    @Test func `the order is one operation, and new tasks follow it`() async throws {
        let fixture = MinteeFixture()
        var ids: [String] = []
        for name in ["A", "B", "C"] { ids.append(try await fixture.make(name).id) }
        let before = try await fixture.snapshot()
        func names() async throws -> [String] {
            try await fixture.mintee.dueTasks(on: fixture.today).map(\.task.draft.name)
        }
        try await fixture.mintee.orderTasks([ids[2], ids[0]], operation: fixture.operation())
        #expect(try await names() == ["C", "B", "A"])
        try await fixture.make("D")
        #expect(try await names() == ["C", "B", "A", "D"])
        try await fixture.mintee.orderTasks([], operation: fixture.operation("mintee order"))
        #expect(try await names() == ["A", "B", "C", "D"])
        let history = fixture.database.history
        for _ in 0..<3 { _ = try await history.undo(as: fixture.operation("undo")) }
        #expect(try await fixture.snapshot() == before)
        await #expect(throws: HubError.self) {
            try await fixture.mintee.orderTasks(["nothing"], operation: fixture.operation())
        }
        try await fixture.mintee.orderTasks(ids.reversed(), operation: fixture.operation())
        try await fixture.mintee.tasks.delete([ids[0]], operation: fixture.operation())
        fixture.clock.advance(by: .seconds(60))
        _ = try await fixture.mintee.tasks.emptyTrash(before: fixture.clock.now, operation: fixture.operation())
        #expect(try await fixture.store.read { try $0.places().keys.sorted() } == [ids[1], ids[2]].sorted())
    }

    @Test func `open tasks come first if the settings say so`() async throws {
        var config = Config()
        config[MinteeKeys.openFirst] = true
        let fixture = MinteeFixture(config: config)
        for (name, section) in [("A", nil), ("B", "Evening"), ("C", nil), ("D", "Evening")] {
            var draft = TaskDraft.daily(name, today: fixture.today)
            draft.section = section
            let record = try await fixture.mintee.createTask(draft, operation: fixture.operation())
            if ["A", "B"].contains(name) { try await fixture.enter(record, "2026-11-20", .done) }
        }
        let items = try await fixture.mintee.dueTasks(on: fixture.today)
        #expect(items.map(\.task.draft.name) == ["C", "A", "D", "B"])
    }

    @Test func `a limit that was not touched may be unknown`() async throws {
        var config = Config()
        config[MinteeKeys.untouchedLimits] = .unknown
        let (plain, asking) = (MinteeFixture(), MinteeFixture(config: config))
        for fixture in [plain, asking] {
            let limit = try await fixture.make("Coffee", "daily: x <= 3", from: "2026-11-11")
            for (day, value) in [("11", 2), ("12", 5), ("13", 1), ("16", 0)] as [(String, Double)] {
                try await fixture.enter(limit, "2026-11-\(day)", .value(value))
            }
        }
        func facts(_ fixture: MinteeFixture) async throws -> [String] {
            let item = try #require(try await fixture.mintee.dueTasks(on: fixture.today).first)
            let details = try await fixture.mintee.details(of: item.task.id)
            let chart = try await fixture.mintee.chart(task: item.task.id, range: .last(days: 10)).chart
            let (streak, total) = (details.statistics.streak, chart.total)
            return [
                item.state.name, item.week.map(\.name).joined(separator: " "), "\(item.streak) \(streak.current)",
                "\(details.statistics.reached) of \(details.statistics.due)",
                "\(total.reached) \(total.under) \(total.over)", "\(item.isWanted)",
            ]
        }
        let rest = "reached reached reached reached reached reached"
        #expect(try await facts(plain) == ["reached", "reached \(rest)", "8 8", "9 of 10", "9 0 1", "false"])
        let week = "unknown unknown reached unknown unknown unknown unknown"
        #expect(try await facts(asking) == ["unknown", week, "2 2", "3 of 4", "3 0 1", "true"])
        #expect(try await asking.mintee.tasksWithStaleYears() == [])
    }

    @Test func `commands of the order`() async throws {
        let hub = try TestHub(MinteePlugin.self)
        for line in [
            "mintee new Read --section evening", "mintee new Gym", "mintee new Water --section Morning",
            "mintee new 'Vitamin D' --section MORNING", "mintee new Coffee --on 'daily: x <= 3'", "mintee done gym",
        ] {
            await hub.run(line)
        }
        var shown = ""
        for line in [
            "mintee", "mintee today --open", "mintee order vitamin gym", "mintee --json=name,section",
            "mintee edit water --section none", "mintee edit read --section 'After work'", "mintee",
            "mintee order --dry-run", "mintee order", "mintee", "mintee show read", "mintee diff read --since 1h",
            "config set plugins.mintee.untouched_limits unknown", "mintee", "mintee history water --json=changes",
            "mintee export --as json",
        ] {
            shown += "$ hub \(line)\n" + (await hub.shown(line))
        }
        Golden.expect(shown, is: "order.txt")
        // What was exported comes back in the same order.
        let file = "\(hub.home)/tasks.json"
        #expect(await hub.run("mintee order coffee read").exit == 0)
        let names = await hub.run("mintee --plain=name,section").output
        try Data(await hub.run("mintee export --as json").output.utf8).write(to: URL(filePath: file))
        let other = try TestHub(MinteePlugin.self)
        #expect(await other.run("mintee import \(file)").exit == 0)
        #expect(await other.run("mintee --plain=name,section").output == names)
    }
}
