import Collation
import NotesDomain
import SQLite
import Storage

/// Lists and searches of live notes.
extension Transaction {
    /// Returns the notes that match a filter, pinned ones first; at most `limit` from `offset` on.
    func listNotes(_ filter: NoteFilter, offset: Int = 0, limit: Int? = nil) throws -> [NoteSummary] {
        let condition = ListCondition(filter)
        if condition.isAlways, filter.order == .changed, let limit {
            return try listAllNotes(isReversed: filter.isReversed, offset, limit)
        }
        let query = NoteQuery(filter.words)
        let titles = filter.prefersTitles && !query.isEmpty ? [query.match(in: "title tags")] : []
        let first =
            titles.isEmpty
            ? "n.pinned"
            : "e.number IN (SELECT rowid FROM notes_words WHERE notes_words MATCH ?) DESC, n.pinned"
        let direction = filter.isReversed ? "" : "DESC"
        let order =
            switch filter.order {
            case .changed: "t.changed_at \(direction), n.rowid \(direction)"
            case .created: "n.created_at \(direction), n.rowid \(direction)"
            case .title: filter.isReversed ? "e.key DESC, e.name DESC, n.id DESC" : "e.key, e.name, n.id"
            }
        return try rows(
            "\(NoteSummary.select) WHERE \(condition.sql) ORDER BY \(first) DESC, \(order) LIMIT ? OFFSET ?",
            arguments: condition.arguments + titles + [limit ?? -1, offset], body: NoteSummary.init)
    }

    /// Returns a part of all notes, for which no other is looked at.
    private func listAllNotes(isReversed: Bool, _ offset: Int, _ limit: Int) throws -> [NoteSummary] {
        var filter = NoteFilter()
        filter.isPinned = true
        let pinned = try countNotes(filter)
        let direction = isReversed ? "" : "DESC"
        let order = "ORDER BY t.changed_at \(direction), n.rowid \(direction) LIMIT ? OFFSET ?"
        let condition = ListCondition(filter)
        let first =
            offset < pinned
            ? try rows(
                "\(NoteSummary.select) WHERE \(condition.sql) \(order)", arguments: [limit, offset],
                body: NoteSummary.init) : []
        guard first.count < limit else { return first }
        return try first
            + rows(
                "\(NoteSummary.selectByChange) WHERE n.deleted_at IS NULL AND n.pinned = 0 \(order)",
                arguments: [limit - first.count, max(0, offset - pinned)], body: NoteSummary.init)
    }

    /// Returns the number of notes that match a filter.
    func countNotes(_ filter: NoteFilter) throws -> Int {
        let condition = ListCondition(filter)
        // Each live note has an entry.
        if condition.isAlways { return try row("SELECT count(*) FROM notes_entry") { $0.int(0) } ?? 0 }
        return try row(
            """
            SELECT count(*) FROM notes_note n JOIN notes_text t ON t.note = n.id JOIN notes_entry e ON e.id = n.id
            WHERE \(condition.sql)
            """, arguments: condition.arguments
        ) { $0.int(0) } ?? 0
    }

    /// Returns the notes that have all words of a query, those with the words in the title first; at most `limit`, and the
    /// number of all.
    func searchNotes(_ query: NoteQuery, limit: Int) throws -> (hits: [NoteHit], total: Int) {
        guard !query.isEmpty, limit > 0 else { return ([], 0) }
        let (whole, inTitle, anywhere) = (
            query.match(in: "title", isWhole: true), query.match(in: "title tags"), query.match()
        )
        let total =
            try row("SELECT count(*) FROM notes_words WHERE notes_words MATCH ?", anywhere) { $0.int(0) } ?? 0
        var found: [NoteSummary] = []
        var seen: Set<String> = []
        for match in [whole, inTitle, anywhere] where found.count < limit {
            let rows = try rows(
                """
                \(NoteSummary.select)
                WHERE e.number IN (SELECT rowid FROM notes_words WHERE notes_words MATCH ?)
                ORDER BY n.pinned DESC, t.changed_at DESC, n.rowid DESC LIMIT ?
                """, match, limit, body: NoteSummary.init)
            found += rows.filter { seen.insert($0.id).inserted }
        }
        let hits = try found.prefix(limit).map { note in
            NoteHit(note: note, snippet: try snippet(of: note.id, query.spellings))
        }
        return (hits, total)
    }

    /// Returns the notes that match a filter, those with its words in the title first; at most `limit`, and the number of all.
    func searchNotes(_ filter: NoteFilter, limit: Int) throws -> (hits: [NoteHit], total: Int) {
        guard filter != NoteFilter(words: filter.words) else {
            return try searchNotes(NoteQuery(filter.words), limit: limit)
        }
        var filter = filter
        filter.prefersTitles = true
        let terms = NoteQuery(filter.words).spellings
        let hits = try listNotes(filter, limit: limit).map { NoteHit(note: $0, snippet: try snippet(of: $0.id, terms)) }
        return (hits, hits.count < limit ? hits.count : try countNotes(filter))
    }

    private func snippet(of id: String, _ terms: [String]) throws -> SearchSnippet {
        let content = try row("SELECT content FROM notes_text WHERE note = ?", id) { $0.text(0) } ?? ""
        return SearchSnippet(of: content, terms: terms)
    }

    /// Returns the notes that a selector names: by the exact title, by words of the title, or by words anywhere.
    func notes(named text: String, inTrash: Bool) throws -> [NoteSummary] {
        if inTrash {
            let words = NoteQuery(text).terms
            return try trashedNotes().filter { note in
                let own = NoteQuery(note.name).spellings
                return !words.isEmpty
                    && words.allSatisfy { word in own.contains { own in word.contains { own.hasPrefix($0) } } }
            }
        }
        let key = WikiLink.key(text)
        let exact = try rows(
            "\(NoteSummary.select) WHERE e.key = ? ORDER BY n.rowid", key, body: NoteSummary.init)
        if !exact.isEmpty { return exact.count > 1 ? preferringCase(of: text, exact) : exact }
        let query = NoteQuery(text)
        guard !query.isEmpty else { return [] }
        for match in [query.match(in: "title"), query.match()] {
            let found = try rows(
                """
                \(NoteSummary.select)
                WHERE e.number IN (SELECT rowid FROM notes_words WHERE notes_words MATCH ?)
                ORDER BY t.changed_at DESC LIMIT 50
                """, match, body: NoteSummary.init)
            if !found.isEmpty { return found }
        }
        return []
    }

    private func preferringCase(of text: String, _ notes: [NoteSummary]) -> [NoteSummary] {
        let same = notes.filter { $0.title == text }
        return same.isEmpty ? notes : same
    }

    private func trashedNotes() throws -> [NoteSummary] {
        try notes("n.deleted_at IS NOT NULL ORDER BY n.deleted_at DESC, n.rowid DESC").map(NoteSummary.init)
    }

    /// Returns the notes with names most like a text that names none.
    func notes(near text: String, inTrash: Bool) throws -> [NoteSummary] {
        let all = inTrash ? try trashedNotes() : try listNotes(NoteFilter(), limit: 2000)
        let name = Suggestion.nearest(to: text, in: all.map(\.name))
        return all.filter { $0.name == name }
    }

    /// Returns the beginning of a note's text, at most `count` characters.
    func beginning(of id: String, count: Int) throws -> String {
        try row("SELECT substr(content, 1, ?) FROM notes_text WHERE note = ?", count, id) { $0.text(0) } ?? ""
    }

    /// Returns the folders of live notes with their number of notes.
    func noteFolders() throws -> [(folder: String, count: Int)] {
        try rows(
            """
            SELECT folder, count(*) FROM notes_note WHERE deleted_at IS NULL AND folder <> ''
            GROUP BY folder ORDER BY folder
            """
        ) { ($0.text(0), $0.int(1)) }
    }

    /// Returns the live notes among `ids`, in their order.
    func noteSummaries(_ ids: [String]) throws -> [NoteSummary] {
        try ids.compactMap { try row("\(NoteSummary.select) WHERE n.id = ?", $0, body: NoteSummary.init) }
    }

    /// Returns the tags in use with the number of live notes of each.
    func noteTags() throws -> [TagUsage] {
        try rows(
            """
            SELECT min(g.tag), count(*) FROM notes_tag g JOIN notes_note n ON n.id = g.note
            WHERE n.deleted_at IS NULL GROUP BY g.folded ORDER BY g.folded
            """
        ) { TagUsage($0.text(0), count: $0.int(1)) }
    }
}

/// The condition of a list on `notes_note n`, `notes_text t` and `notes_entry e`.
private struct ListCondition {
    private(set) var parts = ["n.deleted_at IS NULL"]
    private(set) var arguments: [any Bindable] = []

    var sql: String { parts.joined(separator: " AND ") }

    /// Whether all live notes fulfil it.
    var isAlways: Bool { parts.count == 1 }

    init(_ filter: NoteFilter) {
        let query = NoteQuery(filter.words)
        if !query.isEmpty {
            add("e.number IN (SELECT rowid FROM notes_words WHERE notes_words MATCH ?)", query.match())
        }
        for tag in filter.tags {
            add("n.id IN (SELECT note FROM notes_tag WHERE folded = ?)", NoteTag.folded(tag))
        }
        if let folder = filter.folder {
            add("(n.folder = ? OR substr(n.folder, 1, length(?)) = ?)", folder, folder + "/", folder + "/")
        }
        if filter.isPinned { add("n.pinned = 1") }
        if filter.isShared {
            add("n.id IN (SELECT note FROM notes_member)")
            add("EXISTS (SELECT 1 FROM notes_member m WHERE m.note = n.id AND m.name <> n.owner)")
        }
        if filter.isPublished { add("n.id IN (SELECT note FROM notes_publication)") }
        if filter.hasBrokenLinks {
            add(
                """
                n.id IN (SELECT note FROM notes_link l
                    WHERE l.is_weak = 0 AND NOT EXISTS (SELECT 1 FROM notes_name o WHERE o.key = l.key))
                """)
        }
        if let since = filter.since { add("t.changed_at >= ?", since.milliseconds) }
        if let until = filter.until { add("t.changed_at < ?", until.milliseconds) }
        guard let access = filter.access, access.filter != .all else { return }
        // A note of this machine has no owner and is open to the person at it.
        let isOpen =
            "(n.owner = '' OR n.owner = ? OR EXISTS (SELECT 1 FROM notes_member m WHERE m.note = n.id AND m.name = ?))"
        if access.filter == .unlocked {
            add(isOpen, access.reader, access.reader)
        } else {
            add("n.owner <> '' AND NOT \(isOpen)", access.reader, access.reader)
        }
    }

    private mutating func add(_ sql: String, _ values: any Bindable...) {
        parts.append(sql)
        arguments += values
    }
}

extension NoteQuery {
    /// The query in the syntax of FTS5, in some columns or in all; every term is the beginning of a word, or with
    /// `isWhole` a word.
    fileprivate func match(in columns: String? = nil, isWhole: Bool = false) -> String {
        let terms = terms.map { spellings in
            let words = spellings.flatMap { SearchWord.words(of: $0) }.map { $0.quoted + (isWhole ? "" : "*") }
            return "(" + words.joined(separator: " OR ") + ")"
        }
        return (columns.map { "{\($0)} : " } ?? "") + "(" + terms.joined(separator: " AND ") + ")"
    }
}
