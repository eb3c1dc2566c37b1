import CellarDomain
import CivilDate
import Commands
import HubKit
import Storage

extension CellarPlugin {
    /// Adds an item. Throws `name-taken`.
    func add(_ name: String, day: CivilDate?, operation: Operation) async throws -> Bottle {
        try await store.write(operation) { transaction in
            try transaction.store(Bottle(id: Identifier.make(), name: name, day: day), Bottle.topics.added)
        }
    }

    /// Changes the item `id`. Throws `not-found`, `edit-conflict` if it is no longer at `revision`, and `name-taken`.
    func change(
        _ id: String, expecting revision: Int? = nil, operation: Operation,
        _ change: @escaping @Sendable (inout Bottle) -> Void
    ) async throws -> Bottle {
        try await store.write(operation) { transaction in
            var bottle = try Bottle.kind.live(id, expecting: revision, in: transaction)
            change(&bottle)
            return try transaction.store(bottle, Bottle.topics.changed)
        }
    }

    /// Returns the live items that match all words, in the order of their names.
    func search(_ words: [String]) async throws -> [Bottle] {
        let sought = words.flatMap(Bottle.words)
        return try await store.read { try $0.bottles(matching: sought) }.sorted { $0.name < $1.name }
    }

    /// Publishes `app.cellar/bottle-due` for each item whose day has come, once for each day.
    func remindOfDays() async throws {
        let (today, ahead) = (context.clock.today, context.config[CellarKeys.daysAhead])
        try await store.write(Operation("cellar remind", who: .service("cellar"), kind: .cache)) { transaction in
            for bottle in try transaction.bottles(inTrash: false) where bottle.isDue(on: today, ahead: ahead) {
                guard let day = bottle.day else { continue }
                try transaction.remind(
                    CellarEvents.due, of: bottle, once: day, EventNotification(bottle.name, "\(day)"))
            }
        }
    }

    /// Returns the ids of the items that a search would not find by their present words.
    func staleTexts() async throws -> [String] { try await store.read { try $0.bottlesWithStaleText() } }

    /// Derives the texts of those items again.
    func rebuildTexts() async throws {
        try await store.write(Operation("cellar reindex", kind: .cache)) { transaction in
            try transaction.reindexBottles(try transaction.bottlesWithStaleText())
        }
    }
}

/// The events that the plugin publishes; each has a page in docs/events.
enum CellarEvents {
    static let due: Topic = "app.cellar/bottle-due"

    static let declarations =
        Bottle.topics.declarations(one: "bottle", many: "bottles")
        + [.reminder(due, "The day of an item has come. Published once for each day.", of: "bottle")]
}
