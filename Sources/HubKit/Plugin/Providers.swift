package import Commands

/// A plugin's contributions to the views that span all plugins. Each is optional.
package struct Providers: Sendable {
    /// Answers `hub search`.
    package internal(set) var search: SearchProvider?
    /// Answers `hub today`.
    package internal(set) var today: TodayProvider?
    /// Further sections of Today in the web app.
    package internal(set) var sections: [TodaySection]
    /// Answers `hub trash`.
    package internal(set) var trash: TrashProvider?
    /// Names the subjects of history rows.
    package internal(set) var names: NameProvider?
    /// Finds the items that a selector matches.
    package internal(set) var resolve: ResolveProvider?
    /// Reads the content of items for other plugins.
    package internal(set) var content: ContentProvider?
    /// Finds items by their names in texts of other plugins.
    package internal(set) var mentions: MentionProvider?
    /// Answers `hub sync`.
    package internal(set) var sync: SyncProvider?
    /// Answers `hub status`.
    package internal(set) var status: StatusProvider?
    /// Offers themes for the web app.
    package internal(set) var theme: ThemeProvider?

    package init(
        search: SearchProvider? = nil, today: TodayProvider? = nil, sections: [TodaySection] = [],
        trash: TrashProvider? = nil,
        names: NameProvider? = nil, resolve: ResolveProvider? = nil, content: ContentProvider? = nil,
        mentions: MentionProvider? = nil,
        sync: SyncProvider? = nil, status: StatusProvider? = nil, theme: ThemeProvider? = nil
    ) {
        self.search = search
        self.today = today
        self.sections = sections
        self.trash = trash
        self.names = names
        self.resolve = resolve
        self.content = content
        self.mentions = mentions
        self.sync = sync
        self.status = status
        self.theme = theme
    }
}

extension Providers {
    /// Returns the providers with those that follow from accounts.
    func adding(_ accounts: AccountDeclaration?) -> Providers {
        guard let accounts else { return self }
        var providers = self
        providers.sync = sync ?? accounts.sync
        providers.status = status ?? accounts.status
        return providers
    }
}

/// An item in the trash.
package struct TrashedItem: Sendable {
    /// The id of the item.
    package let id: String
    /// The name or title of the item.
    package let title: String
    /// Since when it is in the trash.
    package let deletedAt: Instant

    package init(id: String, title: String, deletedAt: Instant) {
        self.id = id
        self.title = title
        self.deletedAt = deletedAt
    }
}

/// A plugin's part of `hub trash`.
package struct TrashProvider: Sendable {
    /// Everything in the plugin's trash, newest first.
    package let list: @Sendable (any PluginHost) async throws -> [TrashedItem]
    /// Restores the items with these ids.
    package let restore: @Sendable (any PluginHost, _ ids: [String], Operation) async throws -> Void
    /// Destroys what is in the trash since before the given moment, for good, and says how much that was.
    package let empty: @Sendable (any PluginHost, _ before: Instant, Operation) async throws -> Int

    /// Creates the provider for the plugin `P`.
    package init<P: Plugin>(
        list: @escaping @Sendable (P) async throws -> [TrashedItem],
        restore: @escaping @Sendable (P, [String], Operation) async throws -> Void,
        empty: @escaping @Sendable (P, Instant, Operation) async throws -> Int
    ) {
        self.list = { host in try await list(host.plugin(P.self)) }
        self.restore = { host, ids, operation in try await restore(host.plugin(P.self), ids, operation) }
        self.empty = { host, before, operation in try await empty(host.plugin(P.self), before, operation) }
    }
}

/// Names the plugin's items for history and undo.
package struct NameProvider: Sendable {
    /// The words for one item and for several, such as `contact` and `contacts`.
    package struct Noun: Hashable, Sendable {
        /// The singular, such as `contact`.
        package let one: String
        /// The plural, such as `contacts`.
        package let many: String

        /// The noun of items of any kind.
        package static let item = Noun(one: "item", many: "items")

        /// Returns a count with its noun: `1 contact`, `1 200 contacts`.
        package func counted(_ count: Int) -> String { NumberFormat.counted(count, one, many) }
    }

    /// The noun of all items; ``Noun/item`` when the plugin has several kinds.
    package let noun: Noun
    /// Returns the names of the items with the given ids; items that are deleted or in the trash are left out.
    package let names: @Sendable (any PluginHost, _ ids: [String]) async throws -> [String: String]
    /// Returns the given ids by the nouns of their items. If no item is known, not even by its history, all of them are
    /// under ``noun``.
    package let groups: @Sendable (any PluginHost, _ ids: [String]) async throws -> [(noun: Noun, ids: [String])]

    /// Creates the provider for the plugin `P`, whose items are all of one kind.
    package init<P: Plugin>(
        one: String, many: String, names: @escaping @Sendable (P, [String]) async throws -> [String: String]
    ) {
        let noun = Noun(one: one, many: many)
        self.noun = noun
        self.names = { host, ids in try await names(host.plugin(P.self), ids) }
        groups = { _, ids in [(noun, ids)] }
    }

    /// Creates the provider for several kinds of items; `known` returns the ids among some that are of the kind.
    init(
        of parts: [(
            provider: NameProvider, known: @Sendable (any PluginHost, [String]) async throws -> Set<String>
        )]
    ) {
        noun = .item
        names = { host, ids in
            var found: [String: String] = [:]
            for part in parts { found.merge(try await part.provider.names(host, ids)) { old, _ in old } }
            return found
        }
        groups = { host, ids in
            var (left, groups): ([String], [(noun: Noun, ids: [String])]) = (ids, [])
            for part in parts where !left.isEmpty {
                let own = try await part.known(host, left)
                if !own.isEmpty { groups.append((part.provider.noun, left.filter(own.contains))) }
                left.removeAll(where: own.contains)
            }
            // The rest are parts of the items, such as a new tag.
            return groups.isEmpty ? [(.item, left)] : groups
        }
    }
}

/// Finds the plugin's items that a selector matches, as its own commands do: live ones, else those in the trash.
package struct ResolveProvider: Sendable {
    /// Returns the items with full ids; throws `not-found` when there is none.
    package let resolve: @Sendable (any PluginHost, _ selector: String) async throws -> [Candidate]

    /// Creates the provider for the plugin `P`.
    package init<P: Plugin>(_ body: @escaping @Sendable (P, String) async throws -> [Candidate]) {
        resolve = { host, selector in try await body(host.plugin(P.self), selector) }
    }
}

/// Reads the content of the plugin's items for other plugins. Events carry little; what they are about is read by reference.
package struct ContentProvider: Sendable {
    /// Returns the content of the item with a full id; nil when there is none, or when it is in the trash.
    package let content: @Sendable (any PluginHost, _ id: String) async throws -> ItemContent?

    /// Creates the provider for the plugin `P`.
    package init<P: Plugin>(_ body: @escaping @Sendable (P, String) async throws -> ItemContent?) {
        content = { host, id in try await body(host.plugin(P.self), id) }
    }
}
