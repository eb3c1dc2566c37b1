import Text

/// A query with a name, which stands for it in other queries as `@name`.
package struct SavedSearch: Hashable, Sendable {
    /// The name in lower case, without `@`.
    package let name: String
    /// The text of the query.
    package let query: String

    /// The maximum length of a name in characters.
    package static let maximumLength = 50
    /// The most saved searches within saved searches.
    private static let deepest = 8

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

    /// Whether an id is that of a saved search, not of an entity.
    package static func isID(_ id: String) -> Bool { id.hasPrefix("@") }

    /// Returns the search with `@name` for another name of a search that its query uses.
    package func using(_ new: String, for old: String) -> SavedSearch {
        let parts = QueryPart.parts(of: query)
        guard parts.contains(where: { $0.savedName == old }) else { return self }
        return SavedSearch(
            name: name, query: parts.map { $0.savedName == old ? "@\(new)" : $0.text }.joined(separator: " "))
    }

    /// Splits a query into parts, with those of saved searches in the place of their names; `saved` has the queries by name. A name
    /// that is not known and like none of them stays: it may be the beginning of a mail domain.
    package static func parts(of query: String, saved: [String: String]) throws(QueryError) -> [QueryPart] {
        try parts(of: query, saved, depth: 0)
    }

    private static func parts(
        of query: String, _ saved: [String: String], depth: Int
    ) throws(QueryError) -> [QueryPart] {
        var parts: [QueryPart] = []
        for part in QueryPart.parts(of: query) {
            guard let name = part.savedName else {
                parts.append(part)
                continue
            }
            guard let query = saved[name] else {
                if let near = Suggestion.nearest(to: name, in: saved.keys.sorted()) {
                    throw QueryError(part, "no saved search \"\(name)\"", "did you mean @\(near)?")
                }
                parts.append(part)
                continue
            }
            guard !part.isNegated else {
                throw QueryError(part, "a saved search cannot be negated", "negate its parts instead")
            }
            guard depth < deepest else {
                throw QueryError(
                    part, "saved searches are nested too deeply", "write the query of one of them instead")
            }
            parts += try Self.parts(of: query, saved, depth: depth + 1)
        }
        return parts
    }
}

extension QueryPart {
    /// The name of the saved search that the part stands for, if there is one; nil for any other part.
    fileprivate var savedName: String? {
        name == nil && !isQuoted && value.hasPrefix("@") ? value.dropFirst().lowercased() : nil
    }
}
