import HubKit

/// The names that plugins give to the items of an operation.
struct EntityNames: Sendable {
    private let hub: Hub

    init(_ hub: Hub) { self.hub = hub }

    /// Returns the names of the items with these ids, by plugin; deleted items and those in the trash have none.
    func callAsFunction(_ subjects: [String: [String]]) async throws -> [String: [String: String]] {
        var found: [String: [String: String]] = [:]
        for descriptor in try hub.enabledDescriptors() {
            guard let ids = subjects[descriptor.id], let provider = descriptor.providers.names else { continue }
            found[descriptor.id] = try await provider.names(hub, ids)
        }
        return found
    }

    /// Returns the plugin's nouns for one and several items.
    func nouns(of plugin: String) -> (one: String, many: String) {
        let provider = hub.descriptors.first { $0.id == plugin }?.providers.names
        return (provider?.one ?? "thing", provider?.many ?? "things")
    }

    /// Names in one line: at most `limit` of them, the rest counted.
    static func line(_ names: [String], limit: Int = 5) -> String {
        let shown = names.prefix(limit).joined(separator: ", ")
        return names.count > limit ? "\(shown) and \(names.count - limit) more" : shown
    }
}
