import Queries
import Text
import Time

/// Reads the text of a query part by part.
struct ContactQueryParser {
    let now: Instant
    let zone: TimeZoneRules
    let saved: [String: String]
    private(set) var words: [String] = []
    private(set) var conditions: [ContactQuery.Condition] = []

    init(now: Instant, zone: TimeZoneRules, saved: [String: String]) {
        self.now = now
        self.zone = zone
        self.saved = saved
    }

    /// Reads all parts of `text`.
    mutating func read(_ text: String) throws(QueryError) {
        for part in try SavedSearch.parts(of: text, saved: saved) { try read(part) }
    }

    private mutating func read(_ part: QueryPart) throws(QueryError) {
        if let name = part.name {
            guard let test = try test(name.lowercased(), part) else {
                words.append(part.text)
                return
            }
            conditions.append(ContactQuery.Condition(test.test, isNegated: part.isNegated != test.isReversed))
        } else if part.isQuoted {
            if SearchQuery(part.value).isEmpty { return }
            conditions.append(ContactQuery.Condition(.phrase(part.value), isNegated: part.isNegated))
        } else if part.isNegated {
            let query = SearchQuery(part.value)
            if !query.isEmpty { conditions.append(ContactQuery.Condition(.words(query), isNegated: true)) }
        } else {
            words.append(part.value)
        }
    }

    /// The test of a field, and whether it is reversed; nil if the name is that of no field.
    private func test(
        _ name: String, _ part: QueryPart
    ) throws(QueryError) -> (test: ContactQuery.Test, isReversed: Bool)? {
        if let field = ContactField(named: name), field != .tag {
            guard !part.value.isEmpty else {
                throw QueryError(
                    part, "\(name): needs a text", "such as \(name):\(ContactQueryParser.example(of: field))")
            }
            if field == .phone, !part.value.contains(where: { $0.isASCII && $0.isNumber }) {
                throw QueryError(part, "a phone number has digits", "such as phone:601234, or has:phone for any")
            }
            return (.field(field, part.value), false)
        }
        let value = part.value
        switch name {
        case "has", "no", "with", "without":
            guard let property = ContactProperty(named: value) else {
                let near = Suggestion.nearest(to: value, in: ContactQueryParser.properties)
                throw QueryError(
                    part, value.isEmpty ? "\(name): needs a field" : "unknown field \"\(value)\"",
                    near.map { "did you mean \(name):\($0)?" } ?? "such as \(name):phone or \(name):photo")
            }
            return (.has(property), name == "no" || name == "without")
        case "is":
            guard let kind = ContactQuery.Kind(rawValue: value.lowercased()) else {
                throw QueryError(part, "unknown kind \"\(value)\"", "is:person, is:company or is:group")
            }
            return (.kind(kind), false)
        case "changed", "created":
            let range = try part.timeRange(now: now, in: zone)
            let (since, until) = (range.since?.milliseconds, range.until?.milliseconds)
            return (
                name == "changed" ? .changed(since: since, until: until) : .created(since: since, until: until), false
            )
        case "tag", "tags", "category", "label", "group", "book", "account":
            guard !value.isEmpty else { throw QueryError(part, "\(name): needs a name", "such as \(name):work") }
            return (
                name == "group" ? .group(value) : name == "book" || name == "account" ? .book(value) : .tag(value),
                false
            )
        default:
            // A misspelt field is an error; anything else with a colon is text, such as a web address.
            guard name.utf8.count >= 4, let near = Suggestion.nearest(to: name, in: ContactQueryParser.names),
                near.utf8.count >= 4, !value.hasPrefix("//"), !near.hasPrefix(name)
            else { return nil }
            throw QueryError(part, "unknown field \"\(name)\"", "did you mean \(near):\(part.value)?")
        }
    }

    private static let properties = ContactField.allCases.map(\.rawValue) + ["photo", "group"]
    private static let names =
        ContactField.allCases.map(\.rawValue) + ["group", "book", "account", "changed", "created"]

    private static func example(of field: ContactField) -> String {
        switch field {
        case .email: "example.org"
        case .phone: "601234"
        case .birthday, .anniversary: "1985"
        case .address: "berlin"
        case .org: "acme"
        default: "word"
        }
    }
}
