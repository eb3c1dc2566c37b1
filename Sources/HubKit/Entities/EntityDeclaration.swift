import Commands
import Storage

/// An entity in the descriptor of its plugin: its part of `hub trash`, `hub history` and of references such as
/// `contacts:7kt`.
package struct EntityDeclaration: Sendable {
    let trash: TrashProvider
    let names: NameProvider
    /// Returns the ids among some that are or were items of the entity.
    let known: @Sendable (any PluginHost, [String]) async throws -> Set<String>
    let resolve: ResolveProvider
    /// Returns the labels of an item, live or in the trash: `tag:home` for a tag, `folder:diary` for its folder, in lower case.
    let labels: @Sendable (any PluginHost, String) async throws -> [String]
    /// Returns what an item was at a point; nil if it is none of the entity, or the entity keeps no versions.
    let earlier: @Sendable (any PluginHost, String, HistoryPoint) async throws -> EarlierState?
    /// Makes the routes and the description for pages; nil for none.
    let web: @Sendable () -> EntityWeb?

    /// Declares the entity of `commands`, with its routes and what its pages need to know.
    package init<P: Plugin, Record: EntityRecord>(
        _ commands: EntityCommands<P, Record>, web: @autoclosure @escaping @Sendable () -> EntityWeb? = nil
    ) {
        let folder = commands.fields.first { $0.descriptor.name == "folder" }
        self.init(commands.kind, web: web(), in: commands.entities) { summary in
            guard case .text(let name)? = folder?.value(ListedEntity(summary, shortID: summary.id)) else { return nil }
            return name
        }
    }

    /// Declares the entity `kind` of the plugin `P`. `folder` returns the folder of an item, if it is in one.
    package init<P: Plugin, Record: EntityRecord>(
        _ kind: EntityKind<Record>, web: @autoclosure @escaping @Sendable () -> EntityWeb? = nil,
        in entities: @escaping @Sendable (P) -> Entities<Record>,
        folder: @escaping @Sendable (Record.Summary) -> String? = { _ in nil }
    ) {
        self.web = web
        labels = { host, id in
            guard let record = try? await entities(host.plugin(P.self)).get(id) else { return [] }
            let tags = kind.tags?.tags(record.summary) ?? []
            return tags.map { "tag:" + $0.lowercased() }
                + [folder(record.summary)].compactMap(\.self).map { "folder:" + $0.lowercased() }
        }
        trash = TrashProvider { (plugin: P) in
            try await entities(plugin).trash().map { record in
                TrashedItem(
                    id: record.id, title: record.summary.shownName,
                    deletedAt: record.deletedAt ?? Instant(milliseconds: 0))
            }
        } restore: { plugin, ids, operation in
            try await entities(plugin).restore(ids, operation: operation)
        } empty: { plugin, moment, operation in
            try await entities(plugin).emptyTrash(before: moment, operation: operation)
        }
        names = NameProvider(one: kind.one, many: kind.many) { (plugin: P, ids) in
            try await entities(plugin).names(of: ids)
        }
        earlier = { host, id, point in
            let items = entities(try host.plugin(P.self))
            guard items.kind.versions != nil || items.kind.past != nil, try await items.known(among: [id]).contains(id)
            else { return nil }
            return try await items.values(of: id, at: point, isWhole: true).map(EarlierState.present) ?? .absent
        }
        known = { host, ids in try await entities(host.plugin(P.self)).known(among: ids) }
        resolve = ResolveProvider { (plugin: P, selector) in
            let items = entities(plugin)
            let found: [Record.Summary]
            do {
                found = try await items.resolve(selector)
            } catch let error as HubError where error.kind == .notFound {
                guard let trashed = try? await items.resolve(selector, inTrash: true) else { throw error }
                found = trashed
            }
            return found.map { Candidate(id: $0.id, name: $0.shownName) }
        }
    }
}

/// What an item was at an earlier time.
package enum EarlierState: Sendable {
    /// It did not exist, or was in the trash.
    case absent
    /// It had these values.
    case present([EarlierValue])
}

extension Providers {
    /// Returns the providers with those that follow from entities; the first entity is the one that is meant where
    /// only one can be.
    func adding(_ entities: [EntityDeclaration]) -> Providers {
        guard let first = entities.first else { return self }
        var providers = self
        providers.trash = trash ?? TrashProvider(of: entities.map(\.trash))
        providers.names =
            names ?? (entities.count == 1 ? first.names : NameProvider(of: entities.map { ($0.names, $0.known) }))
        providers.resolve = resolve ?? ResolveProvider(of: entities.map(\.resolve), first.resolve)
        return providers
    }
}

extension TrashProvider {
    /// The trash of several entities, last removed first.
    fileprivate init(of parts: [TrashProvider]) {
        list = { host in
            var items: [TrashedItem] = []
            for part in parts { items += try await part.list(host) }
            return parts.count == 1 ? items : items.sorted { $0.deletedAt > $1.deletedAt }
        }
        restore = { host, ids, operation in
            var left = ids
            for part in parts.dropFirst() {
                let own = Set(try await part.list(host).map(\.id))
                let mine = left.filter(own.contains)
                if !mine.isEmpty { try await part.restore(host, mine, operation) }
                left.removeAll(where: own.contains)
            }
            if !left.isEmpty { try await parts[0].restore(host, left, operation) }
        }
        empty = { host, moment, operation in
            var count = 0
            for part in parts { count += try await part.empty(host, moment, operation) }
            return count
        }
    }
}

extension ResolveProvider {
    /// The items of several entities; those of the first that knows the selector.
    fileprivate init(of parts: [ResolveProvider], _ first: ResolveProvider) {
        resolve = { host, selector in
            do {
                return try await first.resolve(host, selector)
            } catch let error as HubError where error.kind == .notFound {
                for part in parts.dropFirst() {
                    if let found = try? await part.resolve(host, selector) { return found }
                }
                throw error
            }
        }
    }
}
