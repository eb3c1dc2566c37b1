import HubKitTesting
import TeaDomain
import Testing

@testable import Commands
@testable import HubKit
@testable import Storage
@testable import Tea

/// The use cases that all entities share, on a toy entity.
struct EntityTests {
    private let operation = Operation("tea test")

    @Test func `a selector is an id, its beginning, an exact name, words, or last`() async throws {
        let shop = try TeaShop()
        let ids = try await shop.add("Green Jasmine", "Green", "Black Assam")
        for (selector, found) in [
            (ids[0], ["Green Jasmine"]), ("1a", ["Green Jasmine"]), ("Green", ["Green"]),
            ("  jas   green ", ["Green Jasmine"]), ("gre", ["Green Jasmine", "Green"]), ("last", ["Black Assam"]),
        ] {
            #expect(try await shop.teas.resolve(selector).map(\.name) == found, "\(selector)")
        }
        let error = await #expect(throws: HubError.self) { try await shop.teas.resolve("Grene") }
        #expect(error?.code == "tea-not-found" && error?.hint == "did you mean Green (1b0)?")
        let empty = await #expect(throws: HubError.self) { try await shop.teas.resolve(" ") }
        #expect(empty?.code == "selector-empty")
    }

    @Test func `several matches are candidates, and without a terminal an error`() async throws {
        let shop = try TeaShop()
        _ = try await shop.add("Green Jasmine", "Green Sencha")
        let input = { (console: ScriptedConsole) in
            Input(values: ParameterValues(), operation: "tea rm", commandLine: "tea rm", console: console)
        }
        #expect(
            try await shop.teas.select("green", asking: input(ScriptedConsole(answers: ["2"]))).name == "Green Sencha")
        let error = await #expect(throws: HubError.self) {
            try await shop.teas.select("green", asking: input(ScriptedConsole()))
        }
        #expect(error?.code == "ambiguous")
        let lines = ScriptedConsole(input: Array("sencha\n\njasmine\nsencha\n".utf8))
        #expect(
            try await shop.teas.select(["-"], asking: input(lines)).map(\.name) == ["Green Sencha", "Green Jasmine"])
    }

    @Test(arguments: [1, 40, 2000]) func `short ids are unique, for few and for many`(_ count: Int) async throws {
        let shop = try TeaShop()
        let ids = (0..<count).map { _ in Identifier.make() }
        try await shop.add(ids: ids)
        let wanted = Array(ids.prefix(40))
        let few = try await shop.teas.shortIDs(of: wanted)
        let all = try await shop.teas.shortIDs(of: ids)
        for id in wanted {
            let short = try #require(few[id])
            #expect(short == all[id] && short.count >= 3)
            #expect(ids.count { $0.hasPrefix(short) } == 1)
        }
        let planned = Identifier.make()
        #expect(try await shop.teas.shortID(of: planned).count >= 3)
    }

    @Test func `deleted items are in the trash, come back, and are destroyed with their history`() async throws {
        let shop = try TeaShop()
        let ids = try await shop.add("Green", "Black", "White")
        try await shop.teas.delete([ids[0]], operation: operation)
        shop.clock.advance(by: .seconds(1))
        try await shop.teas.delete([ids[1]], operation: operation)
        #expect(try await shop.teas.trash().map(\.name) == ["Black", "Green"])
        #expect(try await shop.teas.resolve("last", inTrash: true).map(\.name) == ["Black"])
        #expect(try await shop.teas.names(of: ids) == [ids[2]: "White"])
        // All or none.
        let error = await #expect(throws: HubError.self) {
            try await shop.teas.delete([ids[2], ids[0]], operation: operation)
        }
        #expect(error?.code == "tea-not-found")
        #expect(try await shop.teas.get(ids[2]).deletedAt == nil)
        #expect(try await shop.teas.restore([ids[1]], operation: operation).map(\.name) == ["Black"])
        let absent = await #expect(throws: HubError.self) {
            try await shop.teas.restore([ids[1]], operation: operation)
        }
        #expect(absent?.code == "tea-not-in-trash")
        shop.clock.advance(by: .seconds(1))
        #expect(try await shop.teas.emptyTrash(before: shop.clock.now, operation: operation) == 1)
        #expect(try await shop.teas.trash() == [])
        #expect(try await shop.teas.history(of: ids[0]).isEmpty)
    }

    @Test func `a rule refuses to restore, and nothing is restored`() async throws {
        let shop = try TeaShop()
        let ids = try await shop.add("Green", "Black")
        try await shop.teas.delete(ids, operation: operation)
        _ = try await shop.plugin.add("Black", grams: 1, operation: operation)
        let error = await #expect(throws: HubError.self) { try await shop.teas.restore(ids, operation: operation) }
        #expect(error?.code == "name-taken")
        #expect(try await shop.teas.trash().count == 2)
    }

    @Test func `an edit of an older revision is a conflict with the current item`() async throws {
        let shop = try TeaShop()
        let id = try await shop.add("Green")[0]
        _ = try await shop.plugin.change(id, operation: operation) { $0.name = "Sencha" }
        let error = await #expect(throws: HubError.self) {
            try await shop.teas.delete([id], expecting: 1, operation: operation)
        }
        #expect(error?.code == "edit-conflict" && error?.kind == .conflict)
        #expect((error?.cause as? EditConflict<Tea>)?.current.name == "Sencha")
        try await shop.teas.delete([id], expecting: 2, operation: operation)
    }

    @Test func `history has a verb and words, versions are compared and restored`() async throws {
        let shop = try TeaShop()
        let id = try await shop.add("Green")[0]
        let then = shop.clock.now
        shop.clock.advance(by: .seconds(60))
        _ = try await shop.plugin.change(id, operation: Operation("tea edit")) { $0.name = "Sencha" }
        shop.clock.advance(by: .seconds(60))
        try await shop.teas.delete([id], operation: Operation("tea rm"))
        let history = try await shop.teas.history(of: id)
        #expect(history.map(\.verb) == ["removed", "changed", "created"])
        #expect(history.map(\.changes) == [[], ["name Sencha"], ["name Green", "grams 1", "tags "]])
        #expect(
            try await shop.teas.differences(of: id, since: then, until: shop.clock.now)
                == [VersionDifference("name", before: "Green", after: "Sencha")])
        let restored = try await shop.teas.restore(id, at: then, operation: operation)
        #expect(restored.name == "Green" && restored.deletedAt == nil)
        let error = await #expect(throws: HubError.self) {
            try await shop.teas.restore(id, at: then - .seconds(1), operation: operation)
        }
        #expect(error?.code == "not-there-then")
    }

    @Test func `tags are added and removed in their folded form`() async throws {
        let shop = try TeaShop()
        let ids = try await shop.add("Green", "Black")
        let changed = try await shop.teas.setTags(of: ids, adding: ["Hot", "hot", " "], operation: operation)
        #expect(changed.map(\.tags) == [["Hot"], ["Hot"]])
        #expect(try await shop.teas.setTags(of: ids, adding: ["HOT"], operation: operation).isEmpty)
        #expect(
            try await shop.teas.setTags(of: [ids[0]], removing: ["hot"], operation: operation).map(\.tags) == [[]])
        #expect(try await shop.teas.tags() == [TagUsage("Hot", count: 1)])
    }

    @Test(arguments: [(3, "domain.tea/tea-removed"), (101, "domain.tea/teas-changed")])
    func `many changes at once are one event`(_ count: Int, _ topic: String) async throws {
        let shop = try TeaShop()
        let ids = (0..<count).map { _ in Identifier.make() }
        try await shop.add(ids: ids)
        try await shop.teas.delete(ids, operation: operation)
        let events = try await shop.teas.store.read { transaction in
            try transaction.asCore { try transaction.recentEvents(matching: [.everything], since: nil, limit: 200) }
        }
        #expect(Set(events.map(\.topic.text)) == [topic] && events.count == (count > 100 ? 1 : count))
    }
}
