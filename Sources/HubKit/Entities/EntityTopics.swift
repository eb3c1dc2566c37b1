package import Storage

/// The topics of an entity's events, whose body has the field `name`.
package struct EntityTopics: Sendable {
    /// The topic for an item that was created or restored from the trash.
    package let added: Topic
    /// The topic for an item that was changed.
    package let changed: Topic
    /// The topic for an item that was moved to the trash.
    package let removed: Topic
    /// The topic for many items that were changed at once, with the field `count`; nil if each has an event.
    package let bulk: Topic?

    /// The maximum number of changed items with an event each, if there is a topic for many.
    package static let bulkLimit = 100

    package init(added: Topic, changed: Topic, removed: Topic, bulk: Topic? = nil) {
        self.added = added
        self.changed = changed
        self.removed = removed
        self.bulk = bulk
    }

    /// Creates the topics of a noun by convention: `domain.tea/pot-added`, `pot-changed`, `pot-removed` and `pots-changed`.
    package init(plugin: String, one: String, many: String) {
        func topic(_ entity: String) -> Topic { Topic(stringLiteral: "domain.\(plugin)/\(entity)") }
        self.init(
            added: topic("\(one)-added"), changed: topic("\(one)-changed"), removed: topic("\(one)-removed"),
            bulk: topic("\(many)-changed"))
    }

    /// Returns the declarations of the topics, for the descriptor.
    package func declarations(one: String, many: String) -> [TopicDeclaration] {
        let name = TopicDeclaration.Field("name", .string, "The name of the \(one).")
        let events = [
            (added, "A \(one) was created or restored from the trash."), (changed, "A \(one) was changed."),
            (removed, "A \(one) was moved to the trash."),
        ]
        return events.map { TopicDeclaration($0, $1, subject: "\(one) id", fields: [name]) }
            + [bulk].compactMap { topic in
                topic.map {
                    TopicDeclaration(
                        $0, "Many \(many) were changed at once.", subject: "none",
                        fields: [.init("count", .integer, "The number of \(many).")])
                }
            }
    }

    /// Returns the bulk topic if `count` items are too many for an event each.
    func bulk(for count: Int) -> Topic? { count > EntityTopics.bulkLimit ? bulk : nil }
}

extension Transaction {
    /// Publishes that one item was added, changed or removed.
    package func emit(_ topic: Topic, _ item: some EntitySummary) throws { try emit(topic, item.id, name: item.name) }

    /// Publishes that several items changed: one event each, or one for all if they are many.
    package func emit(_ topic: Topic, _ items: [some EntitySummary], of topics: EntityTopics) throws {
        if let bulk = topics.bulk(for: items.count) { return try emit(bulk, count: items.count) }
        for item in items { try emit(topic, item) }
    }

    /// Publishes that `count` items changed at once.
    package func emit(_ topic: Topic, count: Int) throws {
        try emit(
            Event(topic, subject: "") { body in
                body.name("count")
                body.value(count)
            })
    }

    fileprivate func emit(_ topic: Topic, _ id: String, name: String) throws {
        try emit(
            Event(topic, subject: id) { body in
                body.name("name")
                body.value(String(name.prefix(1000)))
            })
    }
}

extension EntityKind {
    /// Publishes the changes of `ids` by undo or redo; an item that is gone counts as removed.
    package func announce(_ ids: [String], in transaction: Transaction) throws {
        if let bulk = topics.bulk(for: ids.count) { return try transaction.emit(bulk, count: ids.count) }
        for id in ids where try !announce(id, in: transaction) {
            try transaction.emit(topics.removed, id, name: "")
        }
    }

    /// Publishes the change of one item by undo or redo.
    /// - Returns: false if there is no such item, live or in the trash.
    package func announce(_ id: String, in transaction: Transaction) throws -> Bool {
        guard let record = try find(id, transaction) else { return false }
        try transaction.emit(record.deletedAt == nil ? topics.changed : topics.removed, record.summary)
        return true
    }
}
