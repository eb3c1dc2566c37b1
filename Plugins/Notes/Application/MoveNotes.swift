import HubKit
import NotesDomain
package import Storage

/// The notes that were moved, and the links that were changed with them.
package struct MovedNotes: Sendable {
    /// The number of notes that are in another folder now.
    package let count: Int
    /// The changes of links.
    package let links: [LinkUpdate]
}

extension NotesPlugin {
    /// Moves notes to a folder; empty for the top one. Links that would lead elsewhere or nowhere then are changed: those to a moved
    /// note, those in it to other notes and to its files, and those to a note whose name it has in common.
    package func move(
        _ ids: [String], to folder: String, updatesLinks: Bool = true, operation: Operation
    ) async throws -> MovedNotes {
        try await catchUp()
        return try await store.write(operation) { [ownName] in
            try $0.move(ids, to: folder, updatesLinks: updatesLinks, for: ownName)
        }
    }

    /// Returns the changes of links that ``move(_:to:updatesLinks:operation:)`` would make.
    package func planMove(_ ids: [String], to folder: String, operation: Operation) async throws -> [LinkUpdate] {
        try await plan(operation) { [ownName] in
            try $0.move(ids, to: folder, updatesLinks: true, for: ownName).links
        }
    }
}

extension Transaction {
    fileprivate func move(
        _ ids: [String], to folder: String, updatesLinks: Bool, for reader: String
    ) throws -> MovedNotes {
        let folder = NoteFileName.folder(folder)
        let moving = try ids.map { try NoteRecord.kind.live($0, in: self) }.filter { $0.folder != folder }
        let affected =
            updatesLinks
            ? try moving.flatMap { note in
                var moved = note
                moved.folder = folder
                return try links(around: note, becoming: moved)
            } : []
        for note in moving { try changed(note.id) { try setFolder(folder, of: note.id) } }
        guard updatesLinks else { return MovedNotes(count: moving.count, links: []) }
        var updates = try update(try lost(affected), for: reader)
        for note in moving { updates += try updateFileLinks(in: note) }
        return MovedNotes(count: moving.count, links: updates)
    }

    /// Changes the targets in a note that was moved from its folder so that they lead to its files from the one where it is now, also
    /// in other programs.
    private func updateFileLinks(in old: NoteRecord) throws -> [LinkUpdate] {
        guard let note = try note(old.id), case let files = try attachments(of: old.id), !files.isEmpty else {
            return []
        }
        let links = AttachmentLinks(files)
        let paths = LinkedFiles(files.map(\.path))
        let (before, now) = (ByteString(old.folder), ByteString(note.folder))
        var counts: [[String]: Int] = [:]
        let text = MarkdownTargets.replacing(in: note.content) { target in
            guard let found = links.index(of: target, in: before), files[found].link == nil,
                paths.index(of: target, in: now) != found
            else { return nil }
            let new = MarkdownTargets.NewTarget(files[found].path, from: now)
            counts[
                [target, MarkdownTargets.target(MarkdownTargets.relative(files[found].path, from: now))], default: 0] +=
                1
            return new
        }
        guard !counts.isEmpty else { return [] }
        let changed = try changed(note.id) {
            try changeTexts(of: note.id) { try $0.set(content: text, by: $1) }
        }
        return counts.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { names, count in
            LinkUpdate(note: changed.summary, target: changed.summary, old: names[0], new: names[1], count: count)
        }
    }
}
