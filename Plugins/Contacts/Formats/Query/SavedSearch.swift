/// A query with a name, which stands for it in other queries as `@name`.
package struct SavedSearch: Hashable, Sendable {
    /// The name in lower case, without `@`.
    package let name: String
    /// The text of the query.
    package let query: String

    /// The maximum length of a name in characters.
    package static let maximumLength = 50

    package init(name: String, query: String) {
        self.name = name
        self.query = query
    }

    /// Returns the name in its stored form; nil if it has other characters than letters, digits, hyphens and underscores.
    package static func name(_ text: String) -> String? {
        let name = (text.hasPrefix("@") ? String(text.dropFirst()) : text).lowercased()
        let isValid = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        return isValid && (1...maximumLength).contains(name.count) ? name : nil
    }

    /// The id of the row of a saved search.
    package static func id(_ name: String) -> String { "@\(name)" }

    /// Whether an id is that of a saved search, not of a contact.
    package static func isID(_ id: String) -> Bool { id.hasPrefix("@") }
}
