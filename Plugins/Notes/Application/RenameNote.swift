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
    /// What the links name, before and after, as it is written in the text.
    package let old, new: String
    /// The number of equal links.
    package let count: Int
}

/// Ends a write transaction whose changes were only looked at.
private struct PlanOnly: Error { let updates: [LinkUpdate] }

extension NotesPlugin {
    /// Gives a note another title, and the links to it in other notes the same. What they say besides stays, and so do links by an
    /// alias, and links in notes that are locked.
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
        let links = updatesLinks ? try leadingLinks(to: id) : []
        try changed(id) { try changeTexts(of: id) { try $0.set(title: title, by: $1) } }
        return try update(links, to: id, for: reader)
    }

    fileprivate func updateStaleLinks(to ids: [String]?, for reader: String) throws -> [LinkUpdate] {
        let links = try ids.map { try $0.flatMap { try staleLinks(to: $0) } } ?? staleLinks()
        return try Dictionary(grouping: links, by: \.target).sorted { $0.key < $1.key }.flatMap { target, links in
            try update(links.map { ($0.note, $0.link) }, to: target, for: reader)
        }
    }

    /// Changes links so that they lead to a note by the name that it has now.
    func update(
        _ links: [(note: String, link: WikiLink)], to id: String, for reader: String
    ) throws -> [LinkUpdate] {
        guard let target = try note(id) else { return [] }
        return try Dictionary(grouping: links, by: \.note).sorted { $0.key < $1.key }.flatMap { source, links in
            guard let note = try note(source), note.deletedAt == nil, !note.access.isLocked(for: reader),
                try serverPlace(of: source)?.isLocked != true
            else { return [LinkUpdate]() }
            var counts: [[String]: Int] = [:]
            let wanted = Set(links.map { WikiLink(title: $0.link.title, isMarkdown: $0.link.isMarkdown) })
            let scalars = Array(note.content.unicodeScalars)
            var edits: [TextEdit] = []
            // From the end, so that no edit moves the place of another one.
            for place in WikiLink.places(in: note.content).reversed() {
                let link = WikiLink(title: place.link.title, isMarkdown: place.link.isMarkdown)
                let old = String(String.UnicodeScalarView(scalars[place.title]))
                guard wanted.contains(link), let new = try newTitle(of: link, written: old, in: note, to: target),
                    !new.hasSameBytes(as: old)
                else { continue }
                counts[[old, new], default: 0] += 1
                edits.append(
                    TextEdit(position: place.title.lowerBound, deletedCount: place.title.count, inserted: new))
            }
            guard !edits.isEmpty else { return [] }
            let changed = try changed(source) {
                try changeTexts(of: source) { document, agent in
                    let version = document.version.content
                    return NoteEdits(content: try document.apply(edits, to: .content, by: agent, at: version))
                }
            }
            return counts.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { names, count in
                LinkUpdate(
                    note: changed.summary, target: target.summary, old: names[0], new: names[1], count: count)
            }
        }
    }

    /// Returns what a link is to name, in the form that it has now; nil if nothing leads to the note.
    private func newTitle(
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
                [target.title, stem, path.repairedText, whole]
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
