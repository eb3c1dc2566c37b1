import Collation
package import ContactsDomain
import SQLite
package import Storage

/// Searches for contacts.
extension Transaction {
    /// The number of matches of one kind that are ranked, which limits the time of a broad query.
    private static let rankedCap = 500

    /// Returns the contacts that match `query`, best match first: whole words of the name before prefixes, names before
    /// other fields, and substrings if nothing else matches, those of names and addresses before those of other text. At
    /// most `limit`; `withEmail` excludes contacts without an e-mail address, except groups.
    package func searchContacts(_ query: SearchQuery, limit: Int, withEmail: Bool = false) throws -> [ContactSummary] {
        if query.isEmpty { return [] }
        var conditions = QueryConditions()
        var cap = cap(conditions, limit)
        if withEmail {
            conditions.add("(e.email <> '' OR e.is_group)")
            cap?.condition = "(c.email <> '' OR c.is_group)"
            // Several terms may need a lookup each, whose limited candidates need not have any in common.
            if query.terms.count > 1 { cap = nil }
        }
        return try matches(
            query, conditions, cap: cap, limit: limit, ContactSummary.select, ContactSummary.init, id: \.id)
    }

    /// Returns the contacts that match the words and conditions of `query`, best match first, at most `limit`; without words
    /// in the order of names.
    package func searchContacts(_ query: ContactQuery, limit: Int) throws -> [ContactSummary] {
        let conditions = try conditions(of: query)
        return try matches(
            query.words, conditions, cap: cap(conditions, limit), limit: limit, ContactSummary.select,
            ContactSummary.init, id: \.id)
    }

    /// Returns how many contacts match `query` in the first way that finds any. The exact ways find nothing that the
    /// beginnings of words do not find.
    func matchCount(_ query: ContactQuery) throws -> Int {
        if query.isEmpty { return 0 }
        return try firstReach(query.words, try conditions(of: query)).count
    }

    /// Returns the first way from the beginnings of words on in which any contact matches, and how many do.
    func firstReach(
        _ words: SearchQuery, _ conditions: QueryConditions
    ) throws -> (condition: SearchCondition, count: Int) {
        var last = (condition: SearchCondition(words, .beginnings, cap: nil), count: 0)
        for reach in SearchCondition.Reach.allCases where reach >= .beginnings {
            let condition = SearchCondition(words, reach, cap: nil)
            let count: Int?
            if conditions.isEmpty {
                count = try row(condition.count, arguments: condition.arguments) { $0.int(0) }
            } else {
                count = try row(
                    "SELECT count(*) FROM contacts_entry e WHERE \((condition.sql + conditions.sql).joined(separator: " AND "))",
                    arguments: condition.arguments + conditions.arguments
                ) { $0.int(0) }
            }
            last = (condition, count ?? 0)
            if last.count > 0 || words.isEmpty { break }
        }
        return last
    }

    /// Returns the ids of all contacts that match `query`, best match first: of thousands of matches a page shows few.
    func searchContactIDs(_ words: SearchQuery, _ conditions: QueryConditions) throws -> [String] {
        try matches(
            words, conditions, cap: cap(conditions, .max), limit: .max, "SELECT e.id FROM contacts_entry e",
            { $0.text(0) }, id: \.self)
    }

    /// The limit of ranked matches; conditions could exclude all candidates of a limited lookup.
    private func cap(_ conditions: QueryConditions, _ limit: Int) -> SearchCondition.Limit? {
        conditions.isEmpty ? SearchCondition.Limit(count: max(Transaction.rankedCap, limit)) : nil
    }

    private func matches<Match>(
        _ words: SearchQuery, _ conditions: QueryConditions, cap: SearchCondition.Limit?, limit: Int, _ select: String,
        _ match: (borrowing Row) -> Match, id: (Match) -> String
    ) throws -> [Match] {
        guard !words.isEmpty || !conditions.isEmpty, limit > 0 else { return [] }
        if words.isEmpty {
            return try rows(
                "\(select)\(conditions.joined(behind: " WHERE ")) ORDER BY \(ContactIndexRow.order) LIMIT ?",
                arguments: conditions.arguments + [limit], body: match)
        }
        var found: [Match] = []
        var seen = Set<String>()
        for reach in SearchCondition.Reach.allCases {
            if reach == .substrings || reach == .everywhere, !found.isEmpty { break }
            let condition = SearchCondition(words, reach, cap: cap)
            let all = condition.sql + conditions.sql
            let rows = try rows(
                """
                \(select)\(all.isEmpty ? "" : " WHERE " + all.joined(separator: " AND "))
                ORDER BY instr(e.name, ?) = 1 DESC, e.sort_key, e.number LIMIT ?
                """, arguments: condition.arguments + conditions.arguments + [words.firstWord, limit], body: match)
            found += rows.filter { seen.insert(id($0)).inserted }
            if found.count >= limit { break }
        }
        return Array(found.prefix(limit))
    }

    /// Returns the contacts with names similar to a query without matches, closest first.
    package func contactsNear(_ query: String, limit: Int) throws -> [ContactSummary] {
        let text = Transliterator.fold(String(query.prefix(SearchQuery.maximumLength)))
        let words = SearchWord.words(of: text).filter { !$0.grams.isEmpty }
        var candidates: [String: ContactSummary] = [:]
        for word in words.prefix(4) {
            for (table, match) in [
                ("contacts_words", "{name} : \(word.prefix(3).quoted)*"),
                ("contacts_words", "{name} : \(word.prefix(2).quoted)*"),
                ("contacts_grams", word.grams.map { "\"\($0)\"" }.joined(separator: " OR ")),
            ] {
                let rows = try rows(
                    """
                    \(ContactSummary.select)
                    WHERE e.number IN (SELECT rowid FROM \(table) WHERE \(table) MATCH ? LIMIT \(Transaction.rankedCap))
                    """, match, body: ContactSummary.init)
                for row in rows { candidates[row.id] = row }
            }
        }
        return
            candidates.values.compactMap { row in
                NameSimilarity.nearness(query: text, name: row.name).map { (row: row, nearness: $0) }
            }
            .sorted { ($1.nearness, $0.row.name) < ($0.nearness, $1.row.name) }
            .prefix(limit).map(\.row)
    }

    /// Returns the contacts with exactly this e-mail address, ignoring case.
    package func contacts(withEmail address: String) throws -> [ContactSummary] {
        let folded = Transliterator.fold(address.trimmed)
        return try candidates(withReach: folded) { details in
            details.emails.contains { Transliterator.fold($0.value) == folded }
        }
    }

    /// Returns the contacts with a phone number; certain matches exclude possible ones.
    package func contacts(withPhone text: String, _ rules: IndexingOptions) throws -> [ContactSummary] {
        let number = PhoneNumber(text, region: rules.callingCode)
        guard number.digits.utf8.count >= 3 else { return [] }
        var certain = Set<String>()
        let found = try candidates(withReach: String(number.digits.suffix(PhoneNumber.lookupLength))) { details in
            let match =
                details.phones.map { PhoneNumber($0.value, region: rules.callingCode).match(number) }.max() ?? .none
            if match == .certain { certain.insert(details.displayName) }
            return match != .none
        }
        return certain.isEmpty ? found : found.filter { certain.contains($0.name) }
    }

    /// Returns the live contacts whose addresses and numbers contain `text` and whose details are accepted.
    private func candidates(
        withReach text: String, where isAccepted: (ContactDetails) -> Bool
    ) throws -> [ContactSummary] {
        guard text.unicodeScalars.count >= 3 else { return [] }
        // In a GLOB pattern `*`, `?` and `[` must be in brackets; SQLite text cannot contain NUL.
        var pattern = ""
        for scalar in text.unicodeScalars where scalar != "\0" {
            pattern += "*?[".unicodeScalars.contains(scalar) ? "[\(scalar)]" : String(scalar)
        }
        // SQLite has a limit for the length of patterns, above that of any address.
        guard pattern.utf8.count <= 40_000 else { return [] }
        let rows = try rows(
            """
            \(ContactSummary.select) WHERE e.number IN (SELECT rowid FROM contacts_grams WHERE reach GLOB ?)
            ORDER BY e.sort_key, e.number LIMIT \(Transaction.rankedCap)
            """, "*\(pattern)*", body: ContactSummary.init)
        return try rows.filter { try contact($0.id).map { isAccepted($0.card.details) } ?? false }
    }
}

extension SearchQuery {
    /// The prefix of names to rank first; empty if the query starts with a number.
    fileprivate var firstWord: String {
        switch terms.first {
        case .initial(let letter): letter
        case .word(let spellings): spellings.first ?? ""
        case .digits, nil: ""
        }
    }
}

extension ContactSummary {
    /// The columns for `init`; the table alias is `e`.
    static let select = "SELECT e.id, e.title, e.phone, e.email, e.tags, e.is_group FROM contacts_entry e"

    /// Creates the summary from a row of `select`.
    init(_ row: borrowing Row) {
        self.init(
            id: row.text(0), name: row.text(1), phone: row.text(2), email: row.text(3),
            tags: ContactIndexRow.tags(row.text(4)), isGroup: row.bool(5))
    }
}
