import HubKit
import Storage
import TeaDomain

extension Tea: EntityRecord, EntitySummary {
    static let kind: EntityKind<Tea> = EntityKind(
        one: "tea", many: "teas", command: "hub tea", table: "tea_tea", topics: topics,
        selectors: .names(words: words) { inTrash, transaction in try transaction.teas(inTrash: inTrash) },
        rules: EntityKind<Tea>.Rules(
            willRestore: { tea, transaction in try transaction.requireFreeName(tea) },
            destroy: { id, transaction in try transaction.destroyTea(id) }),
        tags: tagging, versions: versions, find: { id, transaction in try transaction.tea(id) })

    static let topics = EntityTopics(plugin: "tea", one: "tea", many: "teas")

    private static let tagging: EntityTags<Tea> = EntityTags(
        \.tags, folded: { $0.lowercased() }, all: { try $1.teas(matching: Tea.words($0)) },
        find: { try kind.live($0, in: $1) }, save: change)

    private static let versions: EntityVersions<Tea> = EntityVersions(
        columns: ["name", "grams", "tags"], of: "tea_tea", find: { try kind.item($0, in: $1) }, save: change)

    @Sendable private static func change(_ tea: Tea, _ transaction: Transaction) throws -> Tea {
        try transaction.store(tea, topics.changed)
    }
}

extension Transaction {
    /// Stores a new or changed tea, publishes it, and returns it. Throws `name-taken`.
    func store(_ tea: Tea, _ topic: Topic) throws -> Tea {
        try requireFreeName(tea)
        try save(tea)
        let stored = try Tea.kind.item(tea.id, in: self)
        try emit(topic, stored)
        return stored
    }

    /// Throws `name-taken` if another live tea has the name.
    func requireFreeName(_ tea: Tea) throws {
        guard try teas(inTrash: false).contains(where: { $0.name == tea.name && $0.id != tea.id }) else { return }
        throw HubError(
            .conflict, code: "name-taken", "a tea named \(tea.name) already exists", hint: "choose another name")
    }
}

extension TeaSchema {
    static let schema = PluginSchema(
        owner: "tea", migrations: [tables, .syncLog("0002-sync-log", of: "tea")],
        recorded: [RecordedTable("tea_tea", subject: "id"), RecordedTable("tea_order", subject: "tea")],
        reindex: { ids, transaction in try transaction.reindexTeas(ids) },
        announce: { ids, transaction in try Tea.kind.announce(ids, in: transaction) })
}
