import ContactsDomain
import SQLite
import Storage

/// An SQL condition on `contacts_entry e`, with its arguments, for the contacts that match a query.
///
/// A query can be matched in several ways, from exact to broad; a ranked search tries them in turn.
struct SearchCondition {
    /// The way to match the words of a query.
    enum Reach: Int, CaseIterable, Comparable {
        /// As whole words of the name.
        case wholeWordsOfName
        /// As prefixes of words of the name.
        case beginningsInName
        /// As whole words.
        case wholeWords
        /// As prefixes of any word.
        case beginnings
        /// Also inside the words of names and addresses.
        case substrings
        /// Inside the words of all text, and one or two digits inside phone numbers, so that the first digits of a number
        /// find something. No index serves this one: it reads all entries.
        case everywhere

        static func < (first: Reach, second: Reach) -> Bool { first.rawValue < second.rawValue }
    }

    /// A limit of the number of candidates that one lookup gives.
    struct Limit {
        /// The maximum number.
        let count: Int
        /// The condition on `contacts_entry c` for the candidates that count; nil for all.
        var condition: String?

        /// The end of a lookup in `table`.
        func clause(_ table: String) -> String {
            let counted = condition.map {
                " AND EXISTS (SELECT 1 FROM contacts_entry c WHERE c.number = \(table).rowid AND \($0))"
            }
            return "\(counted ?? "") LIMIT \(count)"
        }
    }

    /// Queries for the numbers of entries, all of which must give the entry.
    private var sets: [String] = []
    /// Conditions on the texts of an entry.
    private var tests: [String] = []
    private var setArguments: [any Bindable] = []
    private var testArguments: [any Bindable] = []

    /// The values of the condition.
    var arguments: [any Bindable] { setArguments + testArguments }

    /// Creates the condition under which a contact matches all terms; `cap` limits the number of candidates, nil for
    /// all.
    init(_ query: SearchQuery, _ reach: Reach, cap: Limit?) {
        var match: [String] = []
        for term in query.terms {
            switch (term, reach) {
            case (.initial(let digit), .everywhere) where digit.isNumber:
                add(everywhere: [digit], columns: ["reach"])
            case (.word(let spellings), .everywhere) where spellings.allSatisfy(\.isNumber):
                add(everywhere: spellings, columns: ["reach"])
            case (.initial(let letter), .wholeWordsOfName), (.initial(let letter), .beginningsInName):
                match.append("{initials} : \(SearchWord(letter).quoted)")
            case (.word(let spellings), .everywhere):
                let inner = spellings.map { SearchWord($0).text }.filter { $0.unicodeScalars.count >= 3 }
                if inner.isEmpty { match.append(beginnings(spellings)) } else { add(everywhere: inner) }
            case (.initial(let letter), _):
                match.append(
                    "({initials} : \(SearchWord(letter).quoted) OR {reach other} : \(SearchWord(letter).quoted))")
            case (.word(let spellings), .wholeWordsOfName):
                match.append("{name} : (\(spellings.map { SearchWord($0).quoted }.joined(separator: " OR ")))")
            case (.word(let spellings), .wholeWords):
                match.append("(\(spellings.map { SearchWord($0).quoted }.joined(separator: " OR ")))")
            case (.word(let spellings), .beginningsInName):
                match.append("{name} : \(beginnings(spellings))")
            case (.word(let spellings), .beginnings):
                match.append(beginnings(spellings))
            case (.word(let spellings), .substrings):
                let inner = spellings.map { SearchWord($0).text }.filter { $0.unicodeScalars.count >= 3 }
                add(substrings: inner, columns: ["name", "reach"], orMatch: beginnings(spellings), cap)
            case (.digits(_, let words), .wholeWordsOfName):
                match += words.map { "{name} : \(SearchWord($0).quoted)" }
            case (.digits(_, let words), .beginningsInName):
                match += words.map { "{name} : \(SearchWord($0).quoted)*" }
            case (.digits(_, let words), .wholeWords): match += words.map { SearchWord($0).quoted }
            case (.digits(let digits, let words), _):
                add(
                    substrings: [digits], columns: ["reach"],
                    orMatch: words.map { SearchWord($0).quoted + "*" }.joined(separator: " AND "), cap)
            }
        }
        guard !match.isEmpty else { return }
        let limit = cap?.clause("contacts_words") ?? ""
        sets.append("SELECT rowid FROM contacts_words WHERE contacts_words MATCH ?\(limit)")
        setArguments.append(match.joined(separator: " AND "))
    }

    /// The conditions, all of which must hold.
    var sql: [String] { sets.map { "e.number IN (\($0))" } + tests }

    /// The joined conditions after `prefix`; empty if there are none.
    func joined(behind prefix: String) -> String { sql.isEmpty ? "" : prefix + sql.joined(separator: " AND ") }

    /// A query for the number of entries; it reads none of them unless their texts must be looked at.
    var count: String {
        sets.isEmpty || !tests.isEmpty
            ? "SELECT count(*) FROM contacts_entry e" + joined(behind: " WHERE ")
            : "SELECT count(*) FROM (\(sets.map { "SELECT * FROM (\($0))" }.joined(separator: " INTERSECT ")))"
    }

    private mutating func add(substrings: [String], columns: [String], orMatch match: String, _ cap: Limit?) {
        let (gramLimit, wordLimit) = (cap?.clause("contacts_grams") ?? "", cap?.clause("contacts_words") ?? "")
        // One column per lookup, since the trigram index does not support OR.
        let parts = substrings.flatMap { _ in
            columns.map { "SELECT * FROM (SELECT rowid FROM contacts_grams WHERE \($0) GLOB ?\(gramLimit))" }
        }
        let words = "SELECT * FROM (SELECT rowid FROM contacts_words WHERE contacts_words MATCH ?\(wordLimit))"
        sets.append((parts + [words]).joined(separator: " UNION "))
        for text in substrings {
            for _ in columns { setArguments.append("*\(text)*") }
        }
        setArguments.append(match)
    }

    private mutating func add(everywhere spellings: [String], columns: [String] = ["name", "reach", "other"]) {
        let parts = spellings.flatMap { _ in columns.map { "instr(e.\($0), ?) > 0" } }
        tests.append("(\(parts.joined(separator: " OR ")))")
        for text in spellings { testArguments += columns.map { _ in text } }
    }

    private func beginnings(_ spellings: [String]) -> String {
        "(" + spellings.map { SearchWord($0).quoted + "*" }.joined(separator: " OR ") + ")"
    }
}

extension String {
    /// Whether all characters are decimal digits.
    fileprivate var isNumber: Bool { utf8.allSatisfy { $0 &- 0x30 < 10 } }
}
