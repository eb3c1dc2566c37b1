import Commands
import Glibc
package import HubKit
import NotesDomain
import Storage
import Sync

extension NotesPlugin {
    /// The most notes of one beginning of an id that are explained.
    private static let limit = 20

    /// Says of the notes whose ids begin so what they are here and on their server, and in the mirrored folder. The folder is looked at; a
    /// server tells what is new over its connection alone, when that is open.
    package func explain(_ prefix: String) async throws -> [ItemExplanation] {
        let notes = try await store.read { transaction in
            try transaction.noteIDs(beginning: prefix, limit: Self.limit).compactMap { try transaction.note($0) }
        }
        var all: [ItemExplanation] = []
        let servers = accounts.backend
        for setup in try accounts.registry.accounts() {
            for note in notes {
                all.append(try await store.read { try servers.explain(note, on: setup.account, in: $0) })
            }
        }
        guard let path = mirrorPath else { return all }
        let followsLinks = config[NotesKeys.followLinks]
        let folder = try? await BackgroundThread.run { try NoteFolder(path, followsLinks: followsLinks) }
        for note in notes { all.append(try await explain(note, in: folder, at: path)) }
        return all
    }

    /// Says what a note is here and in the mirrored folder, which is nil if it cannot be opened.
    private func explain(_ note: NoteRecord, in folder: NoteFolder?, at path: String) async throws -> ItemExplanation {
        let (file, mirrored) = try await store.read {
            (try $0.mirroredFiles(of: note.id).first, try $0.mirroredNotes([note.id]).first)
        }
        var item = AccountItem(
            note.displayName, in: "", of: path,
            link: file.map { RemoteEntry(href: $0.path.repairedText, etag: $0.hash) },
            SyncPolicy())
        if note.deletedAt != nil { item.absence = "in the trash" }
        if let file, let mirrored { item.here = mirrored.changes(since: file) }
        guard let file else { return item.explanation }
        guard let folder else {
            item.failure = "the folder cannot be opened"
            return item.explanation
        }
        let limit = NoteLimits.content + FrontMatter.maximumSize
        do {
            let bytes = try await BackgroundThread.run { try folder.read(file.path, limit: limit) }
            if NoteFolder.hash(bytes) != file.hash { item.there = ["text or front matter"] }
            if !item.there.isEmpty, !item.here.isEmpty, item.absence == nil {
                item.merge = ("both are merged", "texts are joined letter by letter")
            }
        } catch let error as SystemError where error.code == ENOENT {
            item.isGone = true
        } catch let error as SystemError {
            item.failure = NoteFolder.reason(error)
        }
        return item.explanation
    }
}

extension MirroredNote {
    /// What has changed since a file had it.
    fileprivate func changes(since file: MirroredFile) -> [String] {
        var changes: [String] = []
        if version.title != file.version.title { changes.append("title") }
        if version.content != file.version.content { changes.append("text") }
        if folder != file.folder { changes.append("folder") }
        if tags != file.tags { changes.append("tags") }
        if isPinned != file.isPinned { changes.append("pin") }
        return changes
    }
}

extension NoteServers {
    /// Says what a note is here and on a server.
    fileprivate func explain(
        _ note: NoteRecord, on account: Account, in transaction: Transaction
    ) throws -> ItemExplanation {
        func explanation(
            _ base: String, _ here: String, _ there: String, _ next: String, _ why: String
        ) -> ItemExplanation {
            ItemExplanation(
                place: account.name, item: note.displayName, base: base, here: here, there: there, next: next, why: why)
        }
        guard let remote = try transaction.hubRemote(of: note.id, on: account.name) else {
            let others = try others(than: account)
            let isSent =
                try others.takesNewNotes
                && transaction.isUnsent(
                    note.id, for: account.folder, otherFolders: others.folders, configured: others.names)
            let here = note.deletedAt == nil ? "there" : "in the trash"
            if isSent { return explanation("never synced", here, "not there", "is sent", "it is new there") }
            let why =
                note.deletedAt != nil
                ? "a note in the trash is not sent"
                : account.folder.isEmpty
                    ? "it is on another server, or in the folder of one"
                    : "the server has the notes of the folder \(account.folder) alone"
            return explanation("never synced", here, "not there", "nothing", why)
        }
        switch remote.state {
        case .locked:
            return explanation(
                "locked there", "there", "locked for \(name(at: account))", "nothing",
                "its owner has to unlock it; nothing is sent")
        case .left:
            return explanation(
                "left there", "removed", "kept by its owner", "nothing", "it belongs to someone else, who keeps it")
        case .synced: break
        }
        let isHub = try transaction.link(of: note.id)?.fingerprint.isEmpty ?? true
        let changes = try transaction.changes(of: note, since: remote, isHub: isHub)
        let there = "told over its connection, with the next sync"
        if changes.isEmpty {
            return explanation(
                "as \(account.name) had it", "as it was", there, "nothing from here",
                "it is as it was; what is new there is joined")
        }
        return explanation(
            "as \(account.name) had it", changes.joined(separator: ", "), there,
            "is sent, and joined with what is new there", "texts are joined letter by letter")
    }
}

extension Transaction {
    /// What has changed in a note since a server or a machine had it.
    func changes(of note: NoteRecord, since remote: HubRemote, isHub: Bool = true) throws -> [String] {
        var changes: [String] = []
        let version = try version(of: note.id)
        if version.title != remote.version.title { changes.append("title") }
        if version.content != remote.version.content { changes.append("text") }
        if (note.deletedAt != nil) != remote.isDeleted { changes.append("trash") }
        // A server of NoteApp has no more than that.
        guard isHub else { return changes }
        if note.tags != remote.tags { changes.append("tags") }
        if note.folder != remote.folder { changes.append("folder") }
        if note.access.members != remote.access.members { changes.append("members") }
        if note.access.owner != remote.access.owner { changes.append("owner") }
        if remote.facts.map({ $0.isPinned != note.isPinned }) ?? false { changes.append("pin") }
        if Set(try attachmentReferences(of: note.id)) != Set(remote.attachments) { changes.append("attachments") }
        return changes
    }
}
