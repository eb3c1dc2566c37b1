package import Queries
import Text
package import Time

extension NoteFilter {
    /// Reads a query: words, `tag:`, `folder:`, `is:` and `changed:`, and `@name` for a saved search, of which `saved` has the queries.
    /// Ages and days are counted from `now` in `zone`; `reader` is the person for whom notes are locked or not.
    package init(
        query: String, now: Instant, in zone: TimeZoneRules = .system, reader: String, saved: [String: String] = [:]
    ) throws(QueryError) {
        self.init()
        var words: [String] = []
        for part in try SavedSearch.parts(of: query, saved: saved) {
            guard let name = part.name?.lowercased(), try add(part, name, now: now, in: zone, reader: reader) else {
                words.append(part.name == nil ? part.value : part.text)
                continue
            }
        }
        self.words = words.joined(separator: " ")
    }

    /// Narrows the filter by a field; false if the name is that of no field.
    private mutating func add(
        _ part: QueryPart, _ name: String, now: Instant, in zone: TimeZoneRules, reader: String
    ) throws(QueryError) -> Bool {
        guard Self.fields.contains(name) else {
            // A misspelt field is an error; anything else with a colon is text, such as a web address.
            guard let near = Suggestion.nearest(to: name, in: Self.fields), near.utf8.count > 4,
                !part.value.hasPrefix("//")
            else { return false }
            throw QueryError(part, "unknown field \"\(name)\"", "did you mean \(near):\(part.value)?")
        }
        if part.isNegated { throw QueryError(part, "a field of notes cannot be negated", "leave out -\(name):") }
        switch name {
        case "tag", "tags":
            if part.value.isEmpty { throw QueryError(part, "tag: needs a name", "such as tag:work") }
            tags.append(part.value)
        case "folder":
            let folder = NoteFileName.folder(part.value)
            if folder.isEmpty { throw QueryError(part, "folder: needs a folder", "such as folder:work/ideas") }
            if let other = self.folder, other != folder {
                throw QueryError(part, "a note is in one folder, and the query names \(other) too")
            }
            self.folder = folder
        case "is":
            guard let state = NoteListFilter(rawValue: part.value.lowercased()) else {
                let names = NoteListFilter.allCases.map { "is:\($0.rawValue)" }
                throw QueryError(part, "unknown state \"\(part.value)\"", names.joined(separator: ", "))
            }
            state.apply(to: &self, for: reader)
        default:
            let range = try part.timeRange(now: now, in: zone)
            since = [since, range.since].compactMap(\.self).max()
            until = [until, range.until].compactMap(\.self).min()
        }
        return true
    }

    private static let fields = ["tag", "tags", "folder", "is", "changed"]
}
