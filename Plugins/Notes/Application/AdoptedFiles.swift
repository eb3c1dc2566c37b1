import HubKit
import NotesDomain
import Storage
package import Sync

/// The files that devices write beside notes: those that a note links to become its attachments.
extension NoteDocuments {
    /// Returns those of the files that the note at a path links to, or any note.
    package func referenced(_ files: [[String]], by document: [String]?) async throws -> [[String]] {
        let paths = files.map { ByteString($0.joined(separator: "/")) }
        let found = try await notes.store.read { transaction -> Set<ByteString> in
            var ids: Set<String> = []
            if let document {
                ids = try Set([names.place(at: document, transaction)?.id].compactMap(\.self))
            } else {
                for path in files { try ids.formUnion(transaction.notesWithLinks(to: Self.word(in: path.last ?? ""))) }
            }
            return try Set(transaction.links(of: ids.sorted(), to: paths).map(\.path))
        }
        return files.filter { found.contains(ByteString($0.joined(separator: "/"))) }
    }

    /// The longest part of a name that is written the same in each link.
    private static func word(in name: String) -> String {
        let parts = name.utf8.split { !(0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0) }
        return parts.max { $0.count < $1.count }.map { String(Substring($0)) } ?? ""
    }

    /// Makes a file an attachment of the notes that link to it.
    package func adopt(_ file: ServedWrite) async throws -> Bool {
        guard file.content.size <= NoteLimits.attachment, case .bytes(let bytes) = file.content else { return false }
        let path = ByteString(file.path.joined(separator: "/"))
        let word = Self.word(in: file.path.last ?? "")
        let stored = try await notes.blobs.store(bytes)
        return try await stored.whileKept {
            try await notes.store.write(Operation(file.author)) { transaction in
                let links = try transaction.links(of: transaction.notesWithLinks(to: word), to: [path])
                let ids = Set(links.map(\.note)).sorted()
                try transaction.attach(StoredAttachment(path: path, blob: stored.id, size: stored.size), to: ids)
                return !ids.isEmpty
            }
        }
    }
}

extension Transaction {
    /// Returns the links of notes to files that are not their attachments yet.
    fileprivate func links(
        of ids: [String], to paths: [ByteString]
    ) throws -> [(note: String, path: ByteString)] {
        let files = LinkedFiles(paths)
        var links: [(note: String, path: ByteString)] = []
        for id in ids {
            guard let note = try note(id), note.deletedAt == nil else { continue }
            let folder = ByteString(note.folder)
            let own = try AttachmentLinks(attachments(of: id))
            var found: Set<ByteString> = []
            for target in MarkdownTargets.targets(in: note.content) {
                guard own.index(of: target.text, in: folder) == nil,
                    let index = files.index(of: target.text, in: folder), found.insert(paths[index]).inserted
                else { continue }
                links.append((id, paths[index]))
            }
        }
        return links
    }
}
