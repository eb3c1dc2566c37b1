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
        let nouns = EntityNames(hub).nouns(of: plugin)
        return try await input.pick(found, named: selector, noun: nouns.many).id
    }
}
