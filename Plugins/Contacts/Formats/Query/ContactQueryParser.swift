import CivilDate
import Text
import Time

/// Reads the text of a query part by part.
struct ContactQueryParser {
    let now: Instant
    let zone: TimeZoneRules
    let saved: [String: String]
    private(set) var words: [String] = []
    private(set) var conditions: [ContactQuery.Condition] = []

    /// The most saved searches within saved searches.
    private static let deepest = 8
    private static let quotes: Set<Character> = ["\"", "“", "”", "„", "«", "»"]

    init(now: Instant, zone: TimeZoneRules, saved: [String: String]) {
        self.now = now
        self.zone = zone
        self.saved = saved
    }

    /// A part of a query, between spaces outside quotes.
    private struct Part {
        var isNegated = false
        /// The name before the colon; nil for a word or phrase.
        var name: String?
        var value = ""
        var isQuoted = false
        /// The part as written.
        var text = ""
    }

    /// Reads all parts of `text`; `depth` counts the saved searches around it.
    mutating func read(_ text: String, depth: Int) throws(ContactQuery.ParseError) {
        for part in ContactQueryParser.parts(of: text) { try read(part, depth: depth) }
    }

    private mutating func read(_ part: Part, depth: Int) throws(ContactQuery.ParseError) {
        if let name = part.name {
            guard let test = try test(name.lowercased(), part) else {
                words.append(part.text)
                return
            }
            conditions.append(ContactQuery.Condition(test.test, isNegated: part.isNegated != test.isReversed))
        } else if part.isQuoted {
            if SearchQuery(part.value).isEmpty { return }
            conditions.append(ContactQuery.Condition(.phrase(part.value), isNegated: part.isNegated))
        } else if part.value.hasPrefix("@"), let query = try savedSearch(part) {
            guard !part.isNegated else {
                throw error(part, "a saved search cannot be negated", "negate its parts instead")
            }
            guard depth < ContactQueryParser.deepest else {
                throw error(part, "saved searches are nested too deeply", "write the query of one of them instead")
            }
            try read(query, depth: depth + 1)
        } else if part.isNegated {
            let query = SearchQuery(part.value)
            if !query.isEmpty { conditions.append(ContactQuery.Condition(.words(query), isNegated: true)) }
        } else {
            words.append(part.value)
        }
    }

    /// The query of the saved search that a part names; nil if it is the beginning of a mail domain.
    private func savedSearch(_ part: Part) throws(ContactQuery.ParseError) -> String? {
        let name = String(part.value.dropFirst()).lowercased()
        if let query = saved[name] { return query }
        guard let near = Suggestion.nearest(to: name, in: saved.keys.sorted()) else { return nil }
        throw error(part, "there is no saved search \"\(name)\"", "did you mean @\(near)?")
    }

    /// The test of a field, and whether it is reversed; nil if the name is that of no field.
    private func test(
        _ name: String, _ part: Part
    ) throws(ContactQuery.ParseError) -> (test: ContactQuery.Test, isReversed: Bool)? {
        if let field = ContactField(named: name), field != .tag {
            guard !part.value.isEmpty else {
                throw error(part, "\(name): needs a text", "such as \(name):\(ContactQueryParser.example(of: field))")
            }
            if field == .phone, !part.value.contains(where: { $0.isASCII && $0.isNumber }) {
                throw error(part, "a phone number has digits", "such as phone:601234, or has:phone for any")
            }
            return (.field(field, part.value), false)
        }
        let value = part.value
        switch name {
        case "has", "no", "with", "without":
            guard let property = ContactProperty(named: value) else {
                let near = Suggestion.nearest(to: value, in: ContactQueryParser.properties)
                throw error(
                    part, value.isEmpty ? "\(name): needs a field" : "unknown field \"\(value)\"",
                    near.map { "did you mean \(name):\($0)?" } ?? "such as \(name):phone or \(name):photo")
            }
            return (.has(property), name == "no" || name == "without")
        case "is":
            guard let kind = ContactQuery.Kind(rawValue: value.lowercased()) else {
                throw error(part, "unknown kind \"\(value)\"", "is:person, is:company or is:group")
            }
            return (.kind(kind), false)
        case "changed", "created":
            let range = try range(part)
            return (
                name == "changed"
                    ? .changed(since: range.0, until: range.1)
                    : .created(since: range.0, until: range.1), false
            )
        case "tag", "tags", "category", "label", "group", "book", "account":
            guard !value.isEmpty else { throw error(part, "\(name): needs a name", "such as \(name):work") }
            return (
                name == "group" ? .group(value) : name == "book" || name == "account" ? .book(value) : .tag(value),
                false
            )
        default:
            // A misspelt field is an error; anything else with a colon is text, such as a web address.
            guard name.utf8.count >= 4, let near = Suggestion.nearest(to: name, in: ContactQueryParser.names),
                near.utf8.count >= 4, !value.hasPrefix("//"), !near.hasPrefix(name)
            else { return nil }
            throw error(part, "unknown field \"\(name)\"", "did you mean \(near):\(part.value)?")
        }
    }

    /// The first and last moment of a time that a query gives: `<30d`, `>2026-01-01`, `today`, `2026-01-01..2026-03-31`.
    private func range(_ part: Part) throws(ContactQuery.ParseError) -> (Int64?, Int64?) {
        func moment(_ text: Substring) throws(ContactQuery.ParseError) -> (since: Instant, until: Instant, isAge: Bool)
        {
            guard let date = DateExpression(text.trimmed) else {
                let name = part.name ?? "changed"
                throw error(
                    part, text.isEmpty ? "\(name): needs a time" : "invalid time \"\(text)\"",
                    "such as \(name):<30d, \(name):>1y, \(name):today or \(name):2026-01-01..2026-03-31")
            }
            switch date {
            case .length, .offset:
                let start = date.instant(now: now, in: zone)
                return (start, start, true)
            case .time, .moment:
                let start = date.instant(now: now, in: zone)
                return (start, start + .seconds(60), false)
            case .relativeDay, .weekday, .lastWeekday, .dayOfYear, .day:
                let day = date.day(today: zone.localTime(at: now).day, .back)
                return (
                    zone.instant(at: LocalTime(day: day)), zone.instant(at: LocalTime(day: day.adding(days: 1))), false
                )
            }
        }
        let text = part.value[...]
        if let dots = text.firstRange(of: "..") {
            let (first, last) = (text[..<dots.lowerBound], text[dots.upperBound...])
            let since = first.isEmpty ? nil : try moment(first).since.milliseconds
            let until = last.isEmpty ? nil : try moment(last).until.milliseconds
            guard since != nil || until != nil else { _ = try moment(""); return (nil, nil) }
            return (since, until)
        }
        let sign = text.prefix { "<>=".contains($0) }
        let found = try moment(text.dropFirst(sign.count))
        switch (sign, found.isAge) {
        // An age is smaller the later the moment is.
        case ("<", true), ("<=", true), ("", true), ("=", true): return (found.since.milliseconds, nil)
        case (">", true), (">=", true): return (nil, found.since.milliseconds)
        case ("<", false): return (nil, found.since.milliseconds)
        case ("<=", false): return (nil, found.until.milliseconds)
        case (">", false): return (found.until.milliseconds, nil)
        case (">=", false): return (found.since.milliseconds, nil)
        case ("", false), ("=", false): return (found.since.milliseconds, found.until.milliseconds)
        default: throw error(part, "\"\(sign)\" is not a comparison", "use <, >, <= or >=")
        }
    }

    private func error(_ part: Part, _ message: String, _ hint: String? = nil) -> ContactQuery.ParseError {
        ContactQuery.ParseError(part: part.text, message: message, hint: hint)
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

extension ContactQueryParser {
    /// Splits a query at spaces outside quotes. A quote that is not closed ends with the text.
    private static func parts(of text: String) -> [Part] {
        var parts: [Part] = []
        var index = text.startIndex
        while index < text.endIndex {
            if text[index].isWhitespace {
                index = text.index(after: index)
                continue
            }
            let start = index
            var part = Part()
            let next = text.index(after: index)
            // A number with separators is not a negation.
            if text[index] == "-" || text[index] == "−", next < text.endIndex,
                text[next].isLetter || quotes.contains(text[next]) || text[next] == "@"
            {
                part.isNegated = true
                index = next
            }
            let name = text[index...].prefix { $0.isASCII && ($0.isLetter || $0 == "-") }
            if !name.isEmpty, name.endIndex < text.endIndex, text[name.endIndex] == ":" {
                part.name = String(name)
                index = text.index(after: name.endIndex)
            }
            if index < text.endIndex, quotes.contains(text[index]) {
                part.isQuoted = true
                let inner = text.index(after: index)
                let end = text[inner...].firstIndex { quotes.contains($0) } ?? text.endIndex
                part.value = text[inner..<end].trimmed
                index = end < text.endIndex ? text.index(after: end) : end
            } else {
                let end = text[index...].firstIndex(where: \.isWhitespace) ?? text.endIndex
                part.value = String(text[index..<end])
                index = end
            }
            part.text = String(text[start..<index])
            parts.append(part)
        }
        return parts
    }
}
