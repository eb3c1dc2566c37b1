import NotesDomain
import SQLite
import Storage

/// A link with the notes at its ends.
struct PlacedLink {
    /// The id of the note with the link.
    let note: String
    /// The link.
    let link: WikiLink
    /// The id of the note that it leads to, or means.
    let target: String
}

/// Links between notes, and the names that they use.
extension Transaction {
    // MARK: Names

    /// Brings the names of a live note up to date. Names that are gone are kept while links use them.
    func replaceNames(of note: NoteRecord) throws {
        let names = try linkNames(of: note)
        let old = try rows("SELECT key, kind, name FROM notes_name WHERE note = ? ORDER BY key", note.id) {
            (key: $0.text(0), kind: $0.int(1), name: $0.text(2))
        }
        let new = names.map { (key: $0.key, kind: $0.kind.rawValue, name: $0.text) }
            .sorted { ($0.key.utf8).lexicographicallyPrecedes($1.key.utf8) }
        if old.elementsEqual(
            new, by: { $0.key == $1.key && $0.kind == $1.kind && $0.name.utf8.elementsEqual($1.name.utf8) })
        {
            return
        }
        try run("DELETE FROM notes_name WHERE note = ?", note.id)
        for name in new {
            try run(
                "INSERT INTO notes_name (key, note, kind, name) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", name.key,
                note.id, name.kind, name.name)
        }
        let kept = Set(new.map(\.key))
        for name in old where name.kind != LinkName.Kind.alias.rawValue && !kept.contains(name.key) {
            try run(
                """
                INSERT INTO notes_former_name (key, note)
                    SELECT ?, ? WHERE EXISTS (SELECT 1 FROM notes_link WHERE key = ?1)
                    ON CONFLICT DO UPDATE SET note = excluded.note
                """, name.key, note.id)
        }
    }

    private func linkNames(of note: NoteRecord) throws -> [LinkName] {
        LinkName.names(
            folder: note.folder, stem: try linkStem(of: note), title: note.title, aliases: try linkAliases(of: note))
    }

    /// Returns the aliases in the front matter of a note.
    func linkAliases(of note: NoteRecord) throws -> [String] {
        guard let head = try frontMatter(of: note.id), head.lowercased().contains("alias"),
            let matter = MarkdownFile(text: head).frontMatter
        else { return [] }
        return matter.texts(of: "aliases") + matter.texts(of: "alias")
    }

    /// Returns the name of the file of a note, without its end, as links see it; nil for a note without a title.
    func linkStem(of note: NoteRecord) throws -> String? {
        if let file = try noteFile(of: note.id), let title = file.title, title.hasSameBytes(as: note.title) {
            return file.stem.repairedText
        }
        if note.title.isEmpty { return nil }
        if let source = try source(of: note.id), source.hasPrefix("file:"), let head = try frontMatter(of: note.id),
            MarkdownFile(text: head).frontMatter?[.title]?.hasSameBytes(as: note.title) == true
        {
            return NoteFileName.stem(of: ByteString(String(source.dropFirst(5)))).repairedText
        }
        return NoteFileName.stem(note.title)
    }

    // MARK: Links

    /// Brings the links of a live note up to date.
    func replaceLinks(of note: NoteRecord) throws {
        var links = WikiLink.links(in: note.content).filter { !LinkName.key($0.title).isEmpty }
        if !links.isEmpty, case let attachments = try attachments(of: note.id), !attachments.isEmpty {
            let (files, folder) = (AttachmentLinks(attachments), ByteString(note.folder))
            links.removeAll { files.index(of: $0.title, in: folder) != nil }
        }
        let rows = links.map { link in
            StoredLink(link: link, key: LinkName.key(link.name(from: note.folder)))
        }
        guard try linkRows("note = ?", note.id).map(\.row) != rows else { return }
        try run("DELETE FROM notes_link WHERE note = ?", note.id)
        for (place, row) in rows.enumerated() {
            try run(
                """
                INSERT INTO notes_link (note, place, key, title, heading, is_markdown, is_weak)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """, note.id, place, row.key, row.link.title, row.link.heading, row.link.isMarkdown,
                !row.link.namesNote)
        }
    }

    /// A link as its row has it.
    private struct StoredLink: Equatable {
        let link: WikiLink
        let key: String

        init(link: WikiLink, key: String) {
            self.link = WikiLink(title: link.title, heading: link.heading, isMarkdown: link.isMarkdown)
            self.key = key
        }

        static func == (a: StoredLink, b: StoredLink) -> Bool {
            a.key == b.key && a.link.title.utf8.elementsEqual(b.link.title.utf8)
                && (a.link.heading ?? "\n").utf8.elementsEqual((b.link.heading ?? "\n").utf8)
                && a.link.isMarkdown == b.link.isMarkdown
        }
    }

    private func linkRows(
        _ condition: String, _ arguments: any Bindable...
    ) throws -> [(note: String, folder: String, row: StoredLink)] {
        try rows(
            """
            SELECT l.note, n.folder, l.key, l.title, l.heading, l.is_markdown
            FROM notes_link l JOIN notes_note n ON n.id = l.note WHERE \(condition) ORDER BY l.note, l.place
            """, arguments: arguments
        ) { row in
            (
                row.text(0), row.text(1),
                StoredLink(
                    link: WikiLink(title: row.text(3), heading: row.optionalText(4), isMarkdown: row.bool(5)),
                    key: row.text(2))
            )
        }
    }

    /// Returns the notes that have a name by which links lead to them.
    private func linkCandidates(_ key: String) throws -> [LinkCandidate] {
        try rows(
            """
            SELECT m.note, m.kind, m.name, n.folder, n.rowid FROM notes_name m JOIN notes_note n ON n.id = m.note
            WHERE m.key = ?
            """, key
        ) { row in
            LinkCandidate(
                note: row.text(0), name: LinkName(LinkName.Kind(rawValue: row.int(1)) ?? .alias, row.text(2)),
                folder: row.text(3), order: row.int(4))
        }
    }

    /// Returns the note that a link in a note in `folder` leads to; nil for a broken one.
    func resolve(_ link: WikiLink, from folder: String) throws -> LinkCandidate? {
        link.best(of: try linkCandidates(LinkName.key(link.name(from: folder))), from: folder)
    }

    /// Returns the links of a note, each title with each heading once, with the notes that they lead to; nil for a broken one. Targets
    /// in Markdown that may be something else than a note are left out where they lead to none.
    func links(of id: String) throws -> [(link: WikiLink, target: NoteSummary?)] {
        var seen: Set<[String]> = []
        return try linkRows("l.note = ?", id).compactMap { _, folder, row in
            guard
                seen.insert([row.link.title.lowercased(), row.link.heading ?? "\n", row.link.isMarkdown ? "m" : "w"])
                    .inserted
            else { return nil }
            let target = try resolve(row.link, from: folder).flatMap { try noteSummaries([$0.note]).first }
            return target == nil && !row.link.namesNote ? nil : (row.link, target)
        }
    }

    /// Returns the links of other notes that lead to a note, without those by an alias.
    func leadingLinks(to id: String, withAliases: Bool = false) throws -> [(note: String, link: WikiLink)] {
        let keys = try rows("SELECT key FROM notes_name WHERE note = ?", id) { $0.text(0) }
        return try keys.flatMap { key in
            let links = try linkRows("l.key = ?", key)
            guard !links.isEmpty else { return [(note: String, link: WikiLink)]() }
            let candidates = try linkCandidates(key)
            return links.compactMap { note, folder, row in
                guard let best = row.link.best(of: candidates, from: folder), best.note == id else { return nil }
                return withAliases || best.name.kind != .alias ? (note, row.link) : nil
            }
        }
    }

    /// Returns the links that may lead elsewhere when a note gets the title and folder of `changed`: those by one of its names before
    /// or after, whatever note they lead to, and those in it.
    func links(around note: NoteRecord, becoming changed: NoteRecord) throws -> [PlacedLink] {
        let keys = Set(try (linkNames(of: note) + linkNames(of: changed)).map(\.key))
        let links = try keys.sorted().flatMap { try linkRows("l.key = ?", $0) } + linkRows("l.note = ?", note.id)
        return try links.compactMap { source, folder, row in
            try resolve(row.link, from: folder).map { PlacedLink(note: source, link: row.link, target: $0.note) }
        }
    }

    /// Returns the notes that link to a note.
    func backlinks(to id: String) throws -> [NoteSummary] {
        let notes = Set(try leadingLinks(to: id, withAliases: true).map(\.note)).subtracting([id])
        return try noteSummaries(Array(notes)).map { (WikiLink.key($0.title), $0) }
            .sorted { ($0.0, $0.1.id) < ($1.0, $1.1.id) }.map(\.1)
    }

    /// Returns the links that use a former name of a note, which no note has now; of one note with `target`.
    func staleLinks(to target: String? = nil) throws -> [PlacedLink] {
        try rows(
            """
            SELECT l.note, l.title, l.heading, l.is_markdown, f.note
            FROM notes_former_name f JOIN notes_link l ON l.key = f.key
            JOIN notes_note n ON n.id = f.note AND n.deleted_at IS NULL
            WHERE (?1 IS NULL OR f.note = ?1) AND NOT EXISTS (SELECT 1 FROM notes_name m WHERE m.key = f.key)
            ORDER BY l.note, l.place
            """, target
        ) { row in
            PlacedLink(
                note: row.text(0),
                link: WikiLink(title: row.text(1), heading: row.optionalText(2), isMarkdown: row.bool(3)),
                target: row.text(4))
        }
    }
}
