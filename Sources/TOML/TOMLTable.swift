/// A table: its entries in the order of the text.
package struct TOMLTable: Hashable, Sendable {
    /// One key with its value.
    package struct Entry: Hashable, Sendable {
        /// The key, without quotes and escapes.
        package var key: String
        /// The position of the key's first occurrence; of a dotted key, or of a header, its own part.
        package var keyRange: TOMLRange
        /// The value with its position.
        package var node: TOMLNode
    }

    /// The entries in the order of the file.
    package var entries: [Entry]
    /// Whether it is written in braces, so that nothing outside them can add to it.
    package var isInline: Bool

    package init(entries: [Entry], isInline: Bool = false) {
        self.entries = entries
        self.isInline = isInline
    }

    /// The entry with this key, if there is one.
    package func entry(_ key: String) -> Entry? { entries.first { $0.key == key } }

    /// The node under `path`, one table deeper for each key; nil when it is not there.
    package func node(at path: some Collection<String>) -> TOMLNode? {
        guard let first = path.first, let node = entry(first)?.node else { return nil }
        if path.count == 1 { return node }
        guard case .table(let inner) = node.value else { return nil }
        return inner.node(at: path.dropFirst())
    }
}
