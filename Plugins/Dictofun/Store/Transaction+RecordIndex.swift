package import DictofunDomain
import SQLite
package import Storage

/// Lists and searches of records, and the derived rows that serve them.
extension Transaction {
    private static let summary = """
        SELECT r.id, r.name, r.started, r.is_time_unknown, r.length_ms, e.tags, e.excerpt, r.device, r.revision
        FROM dictofun_record r JOIN dictofun_entry e ON e.id = r.id
        """
    /// The longest excerpt in a list, in characters.
    private static let excerptLength = 120

    /// Rebuilds the derived rows of some records; those of records that are gone or in the trash are searched no more.
    package func reindexRecords(_ ids: [String]) throws {
        for id in ids {
            try removeFromIndex(id)
            guard let record = try record(id) else { continue }
            let (text, tags) = (record.record.transcript.text, record.record.tags)
            try run(
                "INSERT INTO dictofun_entry (id, excerpt, tags, name, text) VALUES (?, ?, ?, ?, ?)", id,
                record.record.excerpt(Self.excerptLength), tags.joined(separator: "\n"),
                RecordWords.fold(([record.name] + tags).joined(separator: "\n")), RecordWords.fold(text))
            try run(
                "INSERT INTO dictofun_words (rowid, name, text) SELECT number, name, text FROM dictofun_entry WHERE id = ?",
                id)
        }
    }

    private func removeFromIndex(_ id: String) throws {
        try run(
            """
            INSERT INTO dictofun_words (dictofun_words, rowid, name, text)
            SELECT 'delete', number, name, text FROM dictofun_entry WHERE id = ?
            """, id)
        try run("DELETE FROM dictofun_entry WHERE id = ?", id)
    }

    /// Merges the segments of the search table, which removes the words of deleted records.
    package func compactRecordIndex() throws {
        try run("INSERT INTO dictofun_words (dictofun_words) VALUES ('optimize')")
    }

    /// Returns the records that a filter accepts from `offset` on, at most `limit`, and the number of all.
    package func records(
        _ filter: RecordFilter, offset: Int = 0, limit: Int
    ) throws -> (found: [RecordSummary], total: Int) {
        let (condition, arguments) = Self.condition(filter)
        let column =
            switch filter.order {
            case .recorded: "r.started"
            case .added: "r.rowid"
            case .length: "r.length_ms"
            }
        let direction = filter.isReversed ? "ASC" : "DESC"
        let found = try rows(
            "\(Self.summary) WHERE \(condition) ORDER BY \(column) \(direction), r.id \(direction) LIMIT ? OFFSET ?",
            arguments: arguments + [limit, offset], body: Self.summary)
        let total =
            offset == 0 && found.count < limit
            ? found.count
            : try row(
                "SELECT count(*) FROM dictofun_record r JOIN dictofun_entry e ON e.id = r.id WHERE \(condition)",
                arguments: arguments
            ) { $0.int(0) } ?? 0
        return (found, total)
    }

    /// Returns the months in which the records that a filter accepts began, newest first, with their number of records.
    package func recordMonths(_ filter: RecordFilter) throws -> [(month: String, count: Int)] {
        let (condition, arguments) = Self.condition(filter)
        return try rows(
            """
            SELECT substr(r.started, 1, 7), count(*) FROM dictofun_record r JOIN dictofun_entry e ON e.id = r.id
            WHERE \(condition) GROUP BY 1 ORDER BY 1 DESC
            """, arguments: arguments
        ) { ($0.text(0), $0.int(1)) }
    }

    private static func condition(_ filter: RecordFilter) -> (text: String, arguments: [any Bindable]) {
        var conditions = ["r.deleted_at IS \(filter.isTrash ? "NOT NULL" : "NULL")"]
        var arguments: [any Bindable] = []
        if let match = Self.match(filter.words) {
            conditions.append("e.number IN (SELECT rowid FROM dictofun_words WHERE dictofun_words MATCH ?)")
            arguments.append(match)
        }
        for tag in filter.tags {
            conditions.append("r.id IN (SELECT record FROM dictofun_tag WHERE folded = ?)")
            arguments.append(RecordWords.foldedTag(tag))
        }
        if let since = filter.since {
            conditions.append("r.started >= ?")
            arguments.append(since.stored)
        }
        if let until = filter.until {
            conditions.append("r.started < ?")
            arguments.append(until.stored)
        }
        return (conditions.joined(separator: " AND "), arguments)
    }

    /// Returns the live records that have all words, or beginnings of words, best first: those with words in the name or the
    /// tags, then by how often they are said. At most `limit`, and the number of all.
    package func searchRecords(_ words: [String], limit: Int) throws -> (found: [RecordSummary], total: Int) {
        guard let match = Self.match(words) else { return ([], 0) }
        let found = try rows(
            """
            \(Self.summary) JOIN dictofun_words w ON w.rowid = e.number
            WHERE dictofun_words MATCH ? AND r.deleted_at IS NULL
            ORDER BY bm25(dictofun_words, 8.0, 1.0), r.started DESC LIMIT ?
            """, match, limit, body: Self.summary)
        guard found.count == limit else { return (found, found.count) }
        let total = try row(
            """
            SELECT count(*) FROM dictofun_words w JOIN dictofun_entry e ON e.number = w.rowid
            JOIN dictofun_record r ON r.id = e.id WHERE dictofun_words MATCH ? AND r.deleted_at IS NULL
            """, match
        ) { $0.int(0) }
        return (found, total ?? found.count)
    }

    /// Returns the summaries of the live records among `ids`, in their order.
    package func recordSummaries(_ ids: [String]) throws -> [RecordSummary] {
        try ids.compactMap { id in
            try row("\(Self.summary) WHERE r.id = ? AND r.deleted_at IS NULL", id, body: Self.summary)
        }
    }

    /// Returns the sounds of the records among `ids`.
    func blobs(of ids: [String]) throws -> [BlobID] {
        try ids.compactMap { id in
            try row("SELECT blob FROM dictofun_record WHERE id = ?", id) { BlobID($0.text(0)) } ?? nil
        }
    }

    private static func summary(_ row: borrowing Row) throws -> RecordSummary {
        RecordSummary(
            id: row.text(0), fileName: row.text(1), startTime: try LocalTime(storedIn: row.text(2)),
            isTimeUnknown: row.bool(3),
            length: .milliseconds(row.int(4)), tags: row.text(5).split(separator: "\n").map(String.init),
            excerpt: row.text(6), device: row.text(7), revision: row.int(8))
    }

    /// The full-text query for beginnings of all words; nil when there is none.
    private static func match(_ words: [String]) -> String? {
        let words = words.flatMap { SearchWord.words(of: RecordWords.fold($0)) }
        return words.isEmpty ? nil : words.map { $0.quoted + "*" }.joined(separator: " AND ")
    }
}
