package import Storage

/// The description of one of a plugin's main nouns, from which its selectors, short ids, trash, tags, history and
/// revision checks follow.
///
/// The main table has the columns `id` (text, primary key), `revision`, `changed_at` and `deleted_at`.
package struct EntityKind<Record: EntityRecord>: Sendable {
    /// The values of an item in lists and messages.
    package typealias Summary = Record.Summary

    /// The singular noun, such as `contact`; error codes start with it.
    package let one: String
    /// The plural noun, such as `contacts`.
    package let many: String
    /// The command that the verbs belong to, such as `hub contacts`; hints name it.
    package let command: String
    /// The main table.
    package let table: String
    /// The tables whose ids are shortened together, since one selector may name an item of each.
    let idTables: [String]
    /// The topics of its events.
    package let topics: EntityTopics
    /// The selectors besides ids and `last`.
    let selectors: EntitySelectors<Summary>
    /// The tags of its items; nil if they have none.
    let tags: EntityTags<Record>?
    /// Earlier versions of its items; nil if they cannot be compared and restored.
    let versions: EntityVersions<Record>?
    /// What its items were, as far as versions do not hold it; nil if they hold all.
    let past: EntityPast?
    /// The steps of its own at changes of state.
    let rules: Rules
    let find: @Sendable (String, Transaction) throws -> Record?
    let summaries: @Sendable ([String], Transaction) throws -> [Summary]

    /// The steps that an entity takes when the state of an item changes. Each may throw to refuse the change.
    package struct Rules: Sendable {
        /// A step with one item.
        package typealias Step = @Sendable (Record, Transaction) throws -> Void

        let willDelete: Step
        let willRestore: Step
        let destroy: @Sendable (String, Transaction) throws -> Void
        let reindex: @Sendable ([String], Transaction) throws -> Void

        /// Creates the rules. `destroy` deletes all rows of an item, whose history is deleted already; `reindex`
        /// rebuilds the derived rows of items that were moved to the trash or out of it.
        package init(
            willDelete: @escaping Step = { _, _ in }, willRestore: @escaping Step = { _, _ in },
            destroy: @escaping @Sendable (String, Transaction) throws -> Void,
            reindex: @escaping @Sendable ([String], Transaction) throws -> Void = { _, _ in }
        ) {
            self.willDelete = willDelete
            self.willRestore = willRestore
            self.destroy = destroy
            self.reindex = reindex
        }
    }

    /// Creates the description. `find` returns an item by its full id, live or in the trash; `summaries` those of the
    /// live items among some ids, in their order, where that is cheaper than reading the records.
    package init(
        one: String, many: String, command: String, table: String, idTables: [String]? = nil, topics: EntityTopics,
        selectors: EntitySelectors<Summary>, rules: Rules, tags: EntityTags<Record>? = nil,
        versions: EntityVersions<Record>? = nil, past: EntityPast? = nil,
        summaries: (@Sendable ([String], Transaction) throws -> [Summary])? = nil,
        find: @escaping @Sendable (String, Transaction) throws -> Record?
    ) {
        self.one = one
        self.many = many
        self.command = command
        self.table = table
        self.idTables = idTables ?? [table]
        self.topics = topics
        self.selectors = selectors
        self.rules = rules
        self.tags = tags
        self.versions = versions
        self.past = past
        self.find = find
        self.summaries =
            summaries ?? { ids, transaction in
                try ids.compactMap { try find($0, transaction) }.filter { $0.deletedAt == nil }.map(\.summary)
            }
    }

    /// Returns a count with its noun: `1 contact`, `1 200 contacts`.
    package func counted(_ count: Int) -> String { NumberFormat.counted(count, one, many) }
}

extension EntityKind {
    /// Returns the live item `id`. Throws `not-found`, and `conflict` with an ``EditConflict`` as cause if the item is
    /// no longer at `revision`, if given.
    package func live(_ id: String, expecting revision: Int? = nil, in transaction: Transaction) throws -> Record {
        guard let record = try find(id, transaction), record.deletedAt == nil else { throw notFound(id) }
        guard let revision, revision != record.revision else { return record }
        throw HubError(
            .conflict, code: "edit-conflict", "\(record.summary.shownName) was changed in the meantime",
            details: ["your revision is \(revision), now it is \(record.revision)"],
            hint: "reload it and repeat your change", cause: EditConflict(current: record))
    }

    /// Returns the item `id`, live or in the trash. Throws `not-found`.
    package func item(_ id: String, in transaction: Transaction) throws -> Record {
        guard let record = try find(id, transaction) else { throw notFound(id) }
        return record
    }

    /// Returns the error for an unknown id.
    package func notFound(_ id: String) -> HubError {
        HubError(
            .notFound, code: "\(one)-not-found", "no \(one) with the id \(id)", hint: "use \(command) list to list all")
    }
}

/// The item was changed by another writer since it was read.
package struct EditConflict<Record: EntityRecord>: Error, Sendable {
    /// The current item.
    package let current: Record
}
