package import Commands

/// Something whose name is in a text, such as a contact in a note.
package struct Mention: Hashable, Sendable {
    /// The id of the item.
    package let id: String
    /// The name of the item.
    package let name: String

    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// Knows items by their names in texts: the page of such an item shows where it is named, and texts lead to it. Neither
/// plugin knows the other.
package struct MentionProvider: Sendable {
    /// The heading above such items, such as `People`.
    package let title: String
    /// Returns the names by which texts mention an item; none when no text could mean it surely.
    package let names: @Sendable (any PluginHost, _ id: String) async throws -> [String]
    /// Returns the items that a text names, in the order of the text.
    package let mentions: @Sendable (any PluginHost, _ text: String) async throws -> [Mention]

    /// Creates the provider for the plugin `P`.
    package init<P: Plugin>(
        title: String, names: @escaping @Sendable (P, _ id: String) async throws -> [String],
        mentions: @escaping @Sendable (P, _ text: String) async throws -> [Mention]
    ) {
        self.title = title
        self.names = { host, id in try await names(host.plugin(P.self), id) }
        self.mentions = { host, text in try await mentions(host.plugin(P.self), text) }
    }
}
