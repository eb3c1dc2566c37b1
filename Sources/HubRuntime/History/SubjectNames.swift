import HubKit

/// What the plugins call the things that an operation touched.
struct SubjectNames: Sendable {
    private let hub: Hub

    init(_ hub: Hub) { self.hub = hub }

    /// The names of the things with these ids, by plugin; what is gone or in the trash has none.
    func callAsFunction(_ subjects: [String: [String]]) async throws -> [String: [String: String]] {
        var found: [String: [String: String]] = [:]
        for descriptor in try hub.enabledDescriptors() {
            guard let ids = subjects[descriptor.id], let provider = descriptor.providers.names else { continue }
            found[descriptor.id] = try await provider.names(hub, ids)
        }
        return found
    }

    /// The plugin's words for one and for several of its things.
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
