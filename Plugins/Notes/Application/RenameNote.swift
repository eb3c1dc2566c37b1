import HubKit
package import NotesDomain
package import Storage
import TextCRDT

/// A change of links in a note, after the note that they lead to was renamed or moved.
package struct LinkUpdate: Hashable, Sendable {
    /// The note with the links.
    package let note: NoteSummary
    /// The note that they lead to.
    package let target: NoteSummary
    /// What the links name, as it is written in the text.
    package let old: String
    /// What they name after the change; nil where no name leads to the note any more, so that they stay and lead elsewhere.
    package let new: String?
    /// The number of equal links.
    package let count: Int
}

/// The changes of links in one note.
private struct LinkPlan {
    /// The changes of the text, from the end, so that none moves the place of another one.
    private(set) var edits: [TextEdit] = []
    /// What becomes of the links, which are counted, by what they name now.
    private var changes: [String: (target: NoteSummary, new: String?, count: Int)] = [:]

    init(_ links: [PlacedLink], in note: NoteRecord, _ transaction: Transaction) throws {
        func key(_ link: WikiLink) -> WikiLink { WikiLink(title: link.title, isMarkdown: link.isMarkdown) }
        let targets = Dictionary(links.map { (key($0.link), $0.target) }) { first, _ in first }
        let scalars = Array(note.content.unicodeScalars)
        for place in WikiLink.places(in: note.content).reversed() {
            let link = key(place.link)
            guard let target = try targets[link].flatMap({ try transaction.note($0) }) else { continue }
            let old = String(String.UnicodeScalarView(scalars[place.title]))
            let new = try transaction.newTitle(of: link, written: old, in: note, to: target)
            if let new {
                if new.hasSameBytes(as: old) { continue }
                edits.append(
                    TextEdit(position: place.title.lowerBound, deletedCount: place.title.count, inserted: new))
            }
            changes["\(old)\n\(link.isMarkdown)", default: (target.summary, new, 0)].count += 1
        }
    }

    func updates(in note: NoteSummary) -> [LinkUpdate] {
        changes.sorted { $0.key < $1.key }.map { key, change in
            LinkUpdate(
                note: note, target: change.target, old: String(key.prefix { $0 != "\n" }), new: change.new,
                count: change.count)
        }
    }
}

/// Ends a write transaction whose changes were only looked at.
private struct PlanOnly: Error { let updates: [LinkUpdate] }

extension NotesPlugin {
    /// Gives a note another title, and the links to it in other notes the same. What they say besides stays, and so do links by an
    /// alias, and links in notes that are locked. A link to another note that has the new title too gets longer, so that it leads there.
    /// - Returns: the changes of links.
    package func rename(
        _ id: String, to title: String, updatesLinks: Bool = true, operation: Operation
    ) async throws -> [LinkUpdate] {
        try await catchUp()
        return try await store.write(operation) { [ownName] in
            try $0.rename(id, to: title, updatesLinks: updatesLinks, for: ownName)
        }
    }

    /// Returns the changes of links that ``rename(_:to:updatesLinks:operation:)`` would make.
    package func planRename(_ id: String, to title: String, operation: Operation) async throws -> [LinkUpdate] {
        try await plan(operation) { [ownName] in try $0.rename(id, to: title, updatesLinks: true, for: ownName) }
    }

    /// Changes the links that use a former name of a note, which no note has now: of these notes, or of all.
    /// - Returns: the changes of links.
    package func updateLinks(to ids: [String]? = nil, operation: Operation) async throws -> [LinkUpdate] {
        try await catchUp()
        return try await store.write(operation) { [ownName] in try $0.updateStaleLinks(to: ids, for: ownName) }
    }

    /// Returns the changes that ``updateLinks(to:operation:)`` would make.
    package func planLinkUpdates(to ids: [String]? = nil, operation: Operation) async throws -> [LinkUpdate] {
        try await catchUp()
        guard try await store.read({ try !$0.staleLinks().isEmpty }) else { return [] }
        return try await plan(operation) { [ownName] in try $0.updateStaleLinks(to: ids, for: ownName) }
    }

    /// Returns the number of links that use a former name of a note; of all notes without `id`.
    package func staleLinkCount(to id: String? = nil) async throws -> Int {
        try await store.read { try $0.staleLinks(to: id).count }
    }

    /// Makes the derived rows of all notes that wait for it.
    func catchUp() async throws { try await indexed.read { _ in } }

    /// Returns the changes of links that `body` makes, and takes them back.
    func plan(
        _ operation: Operation, _ body: @escaping @Sendable (Transaction) throws -> [LinkUpdate]
    ) async throws -> [LinkUpdate] {
        try await catchUp()
        do {
            return try await store.write(operation) { transaction in throw PlanOnly(updates: try body(transaction)) }
        } catch let plan as PlanOnly {
            return plan.updates
        }
    }
}

extension Transaction {
    fileprivate func rename(
        _ id: String, to title: String, updatesLinks: Bool, for reader: String
    ) throws -> [LinkUpdate] {
        let title = title.split(whereSeparator: \.isNewline).joined(separator: " ")
        let note = try NoteRecord.kind.live(id, in: self)
        guard !note.title.hasSameBytes(as: title) else { return [] }
        guard updatesLinks else {
            try changed(id) { try changeTexts(of: id) { try $0.set(title: title, by: $1) } }
            return []
        }
        let leading = try leadingLinks(to: id).map { PlacedLink(note: $0.note, link: $0.link, target: id) }
        var renamed = note
        renamed.title = title
        let affected = try links(around: note, becoming: renamed)
        try changed(id) { try changeTexts(of: id) { try $0.set(title: title, by: $1) } }
        return try update(leading + lost(affected), for: reader)
    }

    /// Returns those links that lead elsewhere or nowhere now.
    func lost(_ links: [PlacedLink]) throws -> [PlacedLink] {
        try links.filter { placed in
            guard let note = try note(placed.note) else { return false }
            return try resolve(placed.link, from: note.folder)?.note != placed.target
        }
    }

    fileprivate func updateStaleLinks(to ids: [String]?, for reader: String) throws -> [LinkUpdate] {
        let links = try ids.map { try $0.flatMap { try staleLinks(to: $0) } } ?? staleLinks()
        return try update(links, for: reader)
    }

    /// Changes links so that they lead to their targets by the names that these have now: all of a note at once, since a new name may
    /// be the old one of another link.
    func update(_ links: [PlacedLink], for reader: String) throws -> [LinkUpdate] {
        try Dictionary(grouping: links, by: \.note).sorted { $0.key < $1.key }.flatMap { source, links in
            guard let note = try note(source), note.deletedAt == nil, !note.access.isLocked(for: reader),
                try serverPlace(of: source)?.isLocked != true
            else { return [LinkUpdate]() }
            let plan = try LinkPlan(links, in: note, self)
            var changed = note
            if !plan.edits.isEmpty {
                changed = try self.changed(source) {
                    try changeTexts(of: source) { document, agent in
                        let version = document.version.content
                        return NoteEdits(content: try document.apply(plan.edits, to: .content, by: agent, at: version))
                    }
                }
            }
            return plan.updates(in: changed.summary)
        }
    }

    /// Returns what a link is to name, in the form that it has now; nil if nothing leads to the note.
    fileprivate func newTitle(
        of link: WikiLink, written: String, in note: NoteRecord, to target: NoteRecord
    ) throws -> String? {
        guard let stem = try linkStem(of: target) else { return nil }
        let path = ByteString(target.folder).appending(ByteString(stem))
        let relative = MarkdownTargets.relative(path, from: ByteString(note.folder)).repairedText
        let whole = "/" + path.repairedText
        let isRelative = link.title.hasPrefix("./") || link.title.hasPrefix("../")
        let names: [String] =
            if link.title.hasPrefix("/") {
                [whole]
            } else if link.isMarkdown || isRelative {
                [link.title.hasPrefix("./") && !relative.hasPrefix("../") ? "./" + relative : relative, whole]
            } else if link.title.contains("/") {
                [path.repairedText, whole]
            } else {
                [target.title, stem, path.repairedText, whole] + (try linkAliases(of: target))
            }
        let end = link.title.lowercased().hasSuffix(".md") ? ".md" : ""
        for name in names.map({ $0 + end }) {
            let isWritable = link.isMarkdown || !name.contains { "[]|#^\n".contains($0) }
            guard isWritable, LinkName.plain(name) == (end.isEmpty ? name : String(name.dropLast(3))),
                try resolve(WikiLink(title: name, isMarkdown: link.isMarkdown), from: note.folder)?.note == target.id
            else { continue }
            return link.isMarkdown ? MarkdownTargets.target(ByteString(name)) : name
        }
        return nil
    }
}
