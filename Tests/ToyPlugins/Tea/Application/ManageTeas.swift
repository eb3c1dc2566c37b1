import Commands
import HubKit
import Storage
import TeaDomain

extension TeaPlugin {
    /// Adds a tea. Throws `name-taken`.
    func add(_ name: String, grams: Int, operation: Operation) async throws -> Tea {
        try await store.write(operation) { transaction in
            try transaction.store(Tea(id: Identifier.make(), name: name, grams: grams), Tea.topics.added)
        }
    }

    /// Changes the tea `id`. Throws `not-found`, `edit-conflict` if it is no longer at `revision`, and `name-taken`.
    func change(
        _ id: String, expecting revision: Int? = nil, operation: Operation,
        _ change: @escaping @Sendable (inout Tea) throws -> Void
    ) async throws -> Tea {
        try await store.write(operation) { transaction in
            var tea = try Tea.kind.live(id, expecting: revision, in: transaction)
            try change(&tea)
            return try transaction.store(tea, Tea.topics.changed)
        }
    }

    /// Brews a pot of the tea `id`. Throws `not-found`, and `invalid` if there are too few leaves.
    func brew(_ id: String, operation: Operation) async throws -> Tea {
        try await change(id, operation: operation) { tea in
            guard !tea.brew() else { return }
            throw HubError(
                .invalid, code: "too-few-leaves", "\(tea.name) has \(tea.grams) g left, a pot needs \(Tea.pot) g",
                hint: "hub tea sync adds what was ordered")
        }
    }

    /// Returns the live teas that match all words, those with the most leaves first.
    func search(_ words: [String]) async throws -> [Tea] {
        try await store.read { try $0.teas(matching: words.flatMap(Tea.words)) }.sorted { $0.grams > $1.grams }
    }

    /// Publishes `app.tea/leaves-low` for each tea that is running out, once a day.
    func remindOfLowTeas() async throws {
        let (limit, day) = (context.config[TeaKeys.lowGrams], context.clock.today)
        try await store.write(Operation("tea remind", who: .service("tea"), kind: .cache)) { transaction in
            for tea in try transaction.teas(inTrash: false) where tea.grams < limit {
                try transaction.remind(
                    TeaEvents.low, of: tea, once: day,
                    EventNotification("\(tea.name) is running out", "\(tea.grams) g left"))
            }
        }
    }
}

enum TeaEvents {
    static let low: Topic = "app.tea/leaves-low"

    static let declarations =
        Tea.topics.declarations(one: "tea", many: "teas")
        + [.reminder(low, "A tea is running out. Published once a day.", of: "tea")]
}
