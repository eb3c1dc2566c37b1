package import CivilDate

/// A plugin's contributions to the views that span all plugins. Each is optional.
package struct Providers: Sendable {
    /// Answers `hub search`.
    package let search: SearchProvider?
    /// Answers `hub today`.
    package let today: TodayProvider?
    /// Answers `hub trash`.
    package let trash: TrashProvider?
    /// Names the subjects of history rows.
    package let names: NameProvider?
    /// Finds the items that a selector matches.
    package let resolve: ResolveProvider?
    /// Answers `hub sync`.
    package let sync: SyncProvider?
    /// Answers `hub status`.
    package let status: StatusProvider?
    /// Offers themes for the web app.
    package let theme: ThemeProvider?

    package init(
        search: SearchProvider? = nil, today: TodayProvider? = nil, trash: TrashProvider? = nil,
        names: NameProvider? = nil, resolve: ResolveProvider? = nil, sync: SyncProvider? = nil,
        status: StatusProvider? = nil, theme: ThemeProvider? = nil
    ) {
        self.search = search
        self.today = today
        self.trash = trash
        self.names = names
        self.resolve = resolve
        self.sync = sync
        self.status = status
        self.theme = theme
    }
}

extension Providers {
    /// Returns the providers with those that follow from accounts.
    func adding(_ accounts: AccountDeclaration?) -> Providers {
        guard let accounts else { return self }
        return Providers(
            search: search, today: today, trash: trash, names: names, resolve: resolve, sync: sync ?? accounts.sync,
            status: status ?? accounts.status, theme: theme)
    }
}

/// One line of `hub today`, and one row of Today in the web app.
package struct TodayItem: Sendable {
    /// What a row offers to do at once: a `POST` to a route of the plugin.
    package struct Action: Sendable {
        /// The words for it, such as `Done`.
        package let words: String
        /// The path of the route.
        package let path: String
        /// The members of the JSON object that is sent.
        package let body: [String: String]

        package init(_ words: String, path: String, body: [String: String]) {
            self.words = words
            self.path = path
            self.body = body
        }
    }

    /// The id of the item.
    package let id: String
    /// The line as a terminal shows it.
    package let text: String
    /// The main words of the row in the web app.
    package let title: String
    /// The words beside the title.
    package let detail: String
    /// What the row offers to do; nil for nothing.
    package let action: Action?

    /// Creates an item; without a title the whole text is the title.
    package init(id: String, text: String, title: String? = nil, detail: String = "", action: Action? = nil) {
        self.id = id
        self.text = text
        self.title = title ?? text
        self.detail = detail
        self.action = action
    }
}

/// A plugin's part of `hub today`.
package struct TodayProvider: Sendable {
    /// Returns what is due on a date.
    package let items: @Sendable (any PluginHost, CivilDate) async throws -> [TodayItem]

    /// Creates the provider for the plugin `P`.
    package init<P: Plugin>(_ body: @escaping @Sendable (P, CivilDate) async throws -> [TodayItem]) {
        items = { host, day in try await body(host.plugin(P.self), day) }
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
