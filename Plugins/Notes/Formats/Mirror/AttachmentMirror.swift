/// Decides how the file at one path of the mirrored folder and the attachments of notes with this path become the same. Nothing in
/// the folder is lost: a file is replaced only while it has the content that both sides last had in common.
package enum AttachmentMirror {
    /// The file now.
    package enum File: Hashable, Sendable {
        /// There is none.
        case missing
        /// It has the content with this hash.
        case content(String)
        /// It cannot be read.
        case unreadable
    }

    /// A step for one path.
    package enum Action: Hashable, Sendable {
        /// Both sides have this content.
        case record(String)
        /// The content of the file becomes that of these notes' attachments.
        case take(String, notes: [String])
        /// The content that other notes have becomes that of these notes' attachments too: it is one file.
        case share(String, notes: [String])
        /// The content is written: over the file that has the hash `replacing`, or where there is none.
        case write(String, replacing: String?)
        /// These notes have another content: their files get another path.
        case relocate(notes: [String])
        /// The file was removed: the notes lose the attachment.
        case remove(notes: [String])
        /// Neither a file nor an attachment is left.
        case forget
    }

    /// Returns the steps for a path. `common` is the hash of the content that both sides last had; nil if they never had one.
    package static func actions(
        common: String?, file: File, attachments: [(note: String, hash: String)]
    ) -> [Action] {
        func notes(_ isWanted: (String) -> Bool) -> [String] {
            attachments.filter { isWanted($0.hash) }.map(\.note)
        }
        func relocation(but hashes: [String?]) -> [Action] {
            let others = notes { !hashes.contains($0) }
            return others.isEmpty ? [] : [.relocate(notes: others)]
        }
        guard let first = attachments.first else { return file == .missing ? [.forget] : [] }
        let changed = attachments.first { $0.hash != common }?.hash
        switch file {
        case .unreadable: return []
        case .missing:
            guard let common else { return [.write(first.hash, replacing: nil)] + relocation(but: [first.hash]) }
            guard let changed else { return [.remove(notes: attachments.map(\.note))] }
            // A change beats a deletion.
            return share(changed, notes { $0 == common }) + [.write(changed, replacing: nil)]
                + relocation(but: [changed, common])
        case .content(let hash) where hash == common:
            guard let changed else { return [.record(hash)] }
            return share(changed, notes { $0 == common }) + [.write(changed, replacing: hash)]
                + relocation(but: [changed, common])
        case .content(let hash):
            let old = common.map { common in notes { $0 == common } } ?? []
            let isKnown = attachments.contains { $0.hash == hash }
            let taken: [Action] = !old.isEmpty ? [.take(hash, notes: old)] : isKnown ? [.record(hash)] : []
            return taken + relocation(but: [hash, common])
        }
    }

    private static func share(_ hash: String, _ notes: [String]) -> [Action] {
        notes.isEmpty ? [] : [.share(hash, notes: notes)]
    }
}
