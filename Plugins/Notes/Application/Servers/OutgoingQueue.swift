import NotesDomain
import Storage
import Sync
import TextCRDT

/// The notes that may have changes which a server of hub lacks: at first all, then those that change, so that a keystroke costs
/// the same however many notes there are.
struct OutgoingQueue: Sendable {
    /// The number of the last change here that was looked at; nil before the first look.
    private(set) var position: Int?
    private var notes: [String] = []
    private var first = 0
    private var known: Set<String> = []

    /// A queue for a receiver that has all until a change; nil for one of which that is not known.
    init(since position: Int? = nil) { self.position = position }

    fileprivate var count: Int { notes.count - first }

    /// Adds notes at the end, once each.
    mutating func add(_ ids: some Sequence<String>) {
        for id in ids where known.insert(id).inserted { notes.append(id) }
    }

    fileprivate mutating func next() -> String? {
        guard first < notes.count else { return nil }
        let id = notes[first]
        known.remove(id)
        first += 1
        if first == notes.count { (notes, first) = ([], 0) }
        return id
    }

    /// Adds the notes that have changed since the last look; at the first, all.
    fileprivate mutating func look(_ transaction: Transaction, _ server: String) throws {
        let latest = try transaction.latestChange()
        // A backup was restored, whose changes have lower numbers.
        if let last = position, last > latest { position = nil }
        if position != latest { add(try transaction.changedNotes(after: position ?? 0)) }
        if position == nil { add(try transaction.notes(on: server)) }
        position = latest
    }
}

/// What a server of hub may lack and cannot take at once. A note is sent without an attachment until its content is there, and
/// without what only its file has until the server says that it keeps that.
struct OutgoingContents: Sendable {
    /// Whether the server keeps what only files have.
    private(set) var takesFiles = false
    /// The notes that were sent without it.
    private var withoutFile: Set<String> = []
    /// The hashes of what the server has.
    var uploaded: Set<String> = []
    /// The notes of the contents that are to be sent, by their hashes.
    private(set) var pending: [String: Set<String>] = [:]
    /// The hashes of what the server does not take, or what is not here; it is not tried again over this connection.
    private(set) var refused: Set<String> = []

    /// Records that the server keeps what only files have.
    /// - Returns: the notes that wait for it.
    mutating func takeFiles() -> Set<String> {
        takesFiles = true
        defer { withoutFile = [] }
        return withoutFile
    }

    fileprivate mutating func addWithoutFile(_ note: String) { withoutFile.insert(note) }

    fileprivate mutating func add(_ reference: AttachmentReference, of note: String) {
        guard !refused.contains(reference.hash) else { return }
        pending[reference.hash, default: []].insert(note)
    }

    /// Records that content is on the server.
    /// - Returns: the notes that wait for it.
    mutating func finish(_ hash: String) -> Set<String> {
        uploaded.insert(hash)
        return pending.removeValue(forKey: hash) ?? []
    }

    /// Records that content cannot be sent.
    mutating func refuse(_ hash: String) {
        refused.insert(hash)
        pending[hash] = nil
    }
}

/// What is here and not on a server of hub.
extension Transaction {
    /// Returns notes of the queue with changes that a server lacks, without `excluding`, which stay in the queue, and whether
    /// these are all. Notes that are new to the server are recorded first, so that the answer finds them. `failed` are those that
    /// cannot be read, by their ids on the server, with the reason.
    func outgoing(
        _ queue: inout OutgoingQueue, to account: Account, _ others: SyncNoteApp.Others, limit: Int,
        excluding: Set<String>, contents: inout OutgoingContents
    ) throws -> (notes: [OutgoingNote], isComplete: Bool, failed: [String: String]) {
        try queue.look(self, account.name)
        var notes: [OutgoingNote] = []
        var kept: [String] = []
        var failed: [String: String] = [:]
        while notes.count < limit, let id = queue.next() {
            guard let remote = try hubRemote(of: id, on: account, others) else { continue }
            if excluding.contains(remote.remote) {
                kept.append(id)
                continue
            }
            do {
                if let note = try outgoing(remote, account, &contents, &failed) { notes.append(note) }
            } catch let error as HubError where error.concernsOneNote {
                failed[remote.remote] = error.message
            }
        }
        let isComplete = queue.count == 0
        queue.add(kept)
        return (notes, isComplete, failed)
    }

    /// Returns what is known of a note on a server, after recording it for one that is new to it; nil for a note that it does
    /// not get.
    private func hubRemote(of id: String, on account: Account, _ others: SyncNoteApp.Others) throws -> HubRemote? {
        if let known = try hubRemote(of: id, on: account.name) { return known.state == .synced ? known : nil }
        if NoteMachine.isMachine(account.name) {
            guard try note(id) != nil else { return nil }
            let remote = HubRemote(note: id, remote: id)
            try setHubRemote(remote, on: account.name)
            return remote
        }
        guard others.takesNewNotes,
            try isUnsent(id, for: account.folder, otherFolders: others.folders, configured: others.names)
        else { return nil }
        let remote = HubRemote(note: id, remote: id)
        try setHubRemote(remote, on: account.name)
        return remote
    }

    /// Returns the changes of one note; nil without any.
    private func outgoing(
        _ remote: HubRemote, _ account: Account, _ contents: inout OutgoingContents, _ failed: inout [String: String]
    ) throws -> OutgoingNote? {
        let user = account.user ?? ""
        let isMachine = NoteMachine.isMachine(account.name)
        guard let note = try note(remote.note) else {
            if isMachine {
                // Deleted for good here, and there if it was not changed there since.
                var change = NoteChange()
                change.isPurged = true
                change.seen = SeenNote(version: remote.version, changedAt: remote.facts?.changedAt)
                return OutgoingNote(
                    note: remote.remote, version: remote.version, patch: NotePatch(), change: change)
            }
            // Deleted for good here; the server keeps it in its trash.
            guard !remote.isDeleted, remote.access.owner == user, !user.isEmpty else { return nil }
            return OutgoingNote(
                note: remote.remote, version: remote.version, patch: NotePatch(), change: NoteChange(isDeleted: true))
        }
        let version = try version(of: note.id)
        var change = NoteChange(
            addedTags: note.tags.filter { !remote.tags.contains($0) },
            removedTags: remote.tags.filter { !note.tags.contains($0) },
            folder: note.folder == remote.folder ? nil : note.folder)
        if user.isEmpty || remote.access.owner.isEmpty || remote.access.owner == user {
            change.access = AccessChange(from: remote.access, to: note.access)
            change.access.revoked.removeAll { $0 == user }
            change.access.granted.removeAll { $0 == user }
            change.access.readers.removeAll { $0 == user }
            let isDeleted = note.deletedAt != nil
            if isDeleted != remote.isDeleted { change.isDeleted = isDeleted }
        }
        let attachments = try attachmentReferences(of: note.id)
        let (known, paths) = (Set(remote.attachments), Set(attachments.map(\.path)))
        let added = attachments.filter { !known.contains($0) }
        change.attached = added.filter { contents.uploaded.contains($0.hash) }
        for reference in added where !contents.uploaded.contains(reference.hash) {
            contents.add(reference, of: note.id)
        }
        change.detached = remote.attachments.map(\.path).filter { !paths.contains($0) }
        change.head = try headChange(of: remote, &contents, &failed)
        if isMachine {
            let facts = NoteFacts(note)
            if remote.facts == nil, version != NoteVersion() {
                // What is beside the text there is not known: it comes as the answer to the text.
                change = NoteChange()
            } else if facts != remote.facts || change != NoteChange() {
                change.facts = facts
                change.seen = SeenNote(
                    version: version, changedAt: version == remote.version ? remote.facts?.changedAt : nil)
            }
        }
        let isPlain = change == NoteChange()
        guard version != remote.version || !isPlain else { return nil }
        let patch = version == remote.version ? NotePatch() : try document(of: note.id).patch(since: remote.version)
        return OutgoingNote(note: remote.remote, version: version, patch: patch, change: isPlain ? nil : change)
    }

    /// Returns the change of what the note's file has before its text; nil without one.
    private func headChange(
        of remote: HubRemote, _ contents: inout OutgoingContents, _ failed: inout [String: String]
    ) throws -> HeadChange? {
        guard let text = try frontMatter(of: remote.note) else { return nil }
        let head = FileHead(text).naming(remote.remote)
        guard remote.head.map({ !$0.isSame(as: head) }) ?? true else { return nil }
        guard contents.takesFiles else {
            contents.addWithoutFile(remote.note)
            return nil
        }
        guard head.isAcceptable else {
            let size = head.text.utf8.count
            failed[remote.remote] =
                "the front matter of its file stays here: it has \(NumberFormat.grouped(size)) bytes, and at most "
                + "\(NumberFormat.grouped(FileHead.maximumSize)) are sent"
            return nil
        }
        return HeadChange(
            base: remote.head, head: head, stem: try remote.head == nil ? sharedFile(of: remote.note)?.stem : nil)
    }

    /// Records that a server has taken in a version of a note, and a change beside its texts.
    func confirm(_ outgoing: OutgoingNote, on server: String) throws {
        guard var remote = try hubRemote(outgoing.note, on: server) else { return }
        if outgoing.change?.isPurged == true { return try removeHubRemote(of: remote.note, on: server) }
        if try note(remote.note) != nil {
            remote.version = try document(of: remote.note).joined(remote.version, outgoing.version)
        }
        if let change = outgoing.change {
            remote.tags = NoteTag.changed(remote.tags, adding: change.addedTags, removing: change.removedTags)
            remote.folder = change.folder ?? remote.folder
            remote.access = change.access.applied(to: remote.access)
            remote.isDeleted = change.isDeleted ?? remote.isDeleted
            let paths = Set(change.detached + change.attached.map(\.path))
            remote.attachments = remote.attachments.filter { !paths.contains($0.path) } + change.attached
            // As the server does it.
            if let head = change.head { remote.head = head.applied(to: remote.head) }
            if let facts = change.facts {
                remote.access = NoteAccess(
                    owner: facts.owner, members: remote.access.members, readers: remote.access.readers)
                remote.facts = facts
            }
        }
        try setHubRemote(remote, on: server)
    }
}
