import CellarDomain
import HubKit
import Storage

extension Bottle: EntityRecord, EntitySummary {
    static let kind: EntityKind<Bottle> = EntityKind(
        one: "bottle", many: "bottles", command: "hub cellar", table: "cellar_bottle", topics: topics,
        selectors: .names(words: words) { inTrash, transaction in try transaction.bottles(inTrash: inTrash) },
        rules: EntityKind<Bottle>.Rules(
            willRestore: { bottle, transaction in try transaction.requireFreeName(bottle) },
            destroy: { id, transaction in try transaction.destroyBottle(id) }),
        tags: tagging, versions: versions, find: { id, transaction in try transaction.bottle(id) })

    static let topics = EntityTopics(plugin: "cellar", one: "bottle", many: "bottles")

    private static let tagging: EntityTags<Bottle> = EntityTags(
        \.tags, folded: { $0.lowercased() }, all: { try $1.bottles(matching: Bottle.words($0)) },
        find: { try kind.live($0, in: $1) }, save: change)

    private static let versions: EntityVersions<Bottle> = EntityVersions(
        columns: ["name", "day", "tags"], of: "cellar_bottle", find: { try kind.item($0, in: $1) }, save: change)

    @Sendable private static func change(_ bottle: Bottle, _ transaction: Transaction) throws -> Bottle {
        try transaction.store(bottle, topics.changed)
    }
}

extension Transaction {
    /// Stores a new or changed item, publishes it, and returns it. Throws `name-taken`.
    func store(_ bottle: Bottle, _ topic: Topic) throws -> Bottle {
        try requireFreeName(bottle)
        try save(bottle)
        let stored = try Bottle.kind.item(bottle.id, in: self)
        try emit(topic, stored)
        return stored
    }

    /// Throws `name-taken` if another live item has the name.
    func requireFreeName(_ bottle: Bottle) throws {
        let others = try bottles(inTrash: false).filter { $0.id != bottle.id }
        guard others.contains(where: { $0.name == bottle.name }) else { return }
        throw HubError(
            .conflict, code: "name-taken", "the name \(bottle.name) is already used", hint: "choose another name")
    }
}

extension CellarSchema {
    static let schema = PluginSchema(
        owner: "cellar", migrations: [tables], recorded: [RecordedTable("cellar_bottle", subject: "id")],
        reindex: { ids, transaction in try transaction.reindexBottles(ids) },
        announce: { ids, transaction in try Bottle.kind.announce(ids, in: transaction) })
}
