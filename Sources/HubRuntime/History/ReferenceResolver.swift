import Commands
import HubKit

/// Finds the item that `plugin:selector` names, by the rules of the plugin's own commands.
struct ReferenceResolver: Sendable {
    private let hub: Hub
    private let input: Input

    init(_ hub: Hub, _ input: Input) {
        self.hub = hub
        self.input = input
    }

    /// Returns the full id of the item; if several match, the user selects one. A full id that the plugin no longer
    /// knows is returned as it is, since history outlives items. Throws `not-found` when there is none.
    func id(_ selector: String, in plugin: String) async throws -> String {
        let descriptor = try hub.descriptor(named: plugin)
        guard let provider = descriptor.providers.resolve else { return selector }
        let found: [Candidate]
        do {
            found = try await provider.resolve(hub, selector)
        } catch let error as HubError
            where error.kind == .notFound && Identifier.isPrefix(selector) && selector.utf8.count == Identifier.length
        {
            return selector
        }
        if let only = found.first, found.count == 1 { return only.id }
        let noun = descriptor.providers.names?.noun ?? .item
        return try await input.pick(found, named: selector, noun: noun.many).id
    }
}

/// The names that plugins give to the items of an operation.
struct EntityNames: Sendable {
    private let hub: Hub

    init(_ hub: Hub) { self.hub = hub }

    /// Returns the names of the items with these ids, by plugin; deleted items and those in the trash have none.
    func names(of subjects: [String: [String]]) async throws -> [String: [String: String]] {
        var found: [String: [String: String]] = [:]
        for descriptor in try hub.enabledDescriptors() {
            guard let ids = subjects[descriptor.id], let provider = descriptor.providers.names else { continue }
            found[descriptor.id] = try await provider.names(hub, ids)
        }
        return found
    }

    /// Returns the ids of items of `plugin` by their nouns.
    func groups(_ ids: [String], of plugin: String) async throws -> [(noun: NameProvider.Noun, ids: [String])] {
        // A plugin that is disabled is not built.
        guard let provider = try hub.enabledDescriptors().first(where: { $0.id == plugin })?.providers.names else {
            return [(hub.descriptors.first { $0.id == plugin }?.providers.names?.noun ?? .item, ids)]
        }
        return try await provider.groups(hub, ids)
    }
}
