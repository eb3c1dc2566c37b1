package import ContactsDomain
import SQLite
package import Storage

/// The use of contacts, which has no history.
extension Transaction {
    /// The number of most used contacts that precede all others.
    package static let mostUsedLimit = 100

    /// Counts one use of the contact `id`.
    package func noteUse(of id: String) throws {
        try run(
            """
            INSERT INTO contacts_use (id, count, used_at) VALUES (?, 1, ?)
            ON CONFLICT (id) DO UPDATE SET count = count + 1, used_at = excluded.used_at
            """, id, now.milliseconds)
    }

    /// Returns the most used live contacts with an e-mail address that match the prefixes of `query`, most used first,
    /// then last used first; with `isAll` any of them.
    package func mostUsedContacts(_ query: SearchQuery, isAll: Bool = false) throws -> [ContactSummary] {
        guard !query.isEmpty || isAll else { return [] }
        return try rows(
            """
            SELECT e.id, e.title, e.phone, e.email, e.tags, e.is_group, e.name, e.reach, e.other, u.count
            FROM (SELECT id, count, used_at FROM contacts_use ORDER BY count DESC, used_at DESC LIMIT ?) u
                JOIN contacts_entry e ON e.id = u.id
            WHERE (e.email <> '' OR e.is_group) ORDER BY u.count DESC, u.used_at DESC, e.sort_key, e.number
            """, Transaction.mostUsedLimit
        ) { row in (ContactSummary(row), (6...8).map { row.text($0) }) }
        .filter { query.isMet(byWordsOf: $0.1) }.map(\.0)
    }
}

extension SearchQuery {
    /// Whether every term is a prefix of a word of the folded name, addresses or other text, by the rules of
    /// `SearchCondition.Reach.beginnings`.
    fileprivate func isMet(byWordsOf texts: [String]) -> Bool {
        let words = texts.map(SearchWord.words)
        func begins(_ spelling: String) -> Bool {
            let spelling = SearchWord(spelling).text
            return words.contains { $0.contains { $0.text.hasPrefix(spelling) } }
        }
        return terms.allSatisfy { term in
            switch term {
            case .initial(let letter):
                words[0].contains { $0.text.hasPrefix(letter) }
                    || words[1...].contains { $0.contains { $0.text == letter } }
            case .word(let spellings): spellings.contains(where: begins)
            case .digits(let digits, let parts): texts[1].contains(digits) || parts.allSatisfy(begins)
            }
        }
    }
}
