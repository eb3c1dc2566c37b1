import HubKit
import NotesDomain
import Storage
import TextCRDT

/// What becomes of a note that another machine has deleted for good.
enum MachineLoss: Sendable {
    case purged
    /// The note with this id was changed here, and stays.
    case kept(String)
}

/// How what another machine of the person says of a note is merged with what is here.
extension Transaction {
    /// Returns the note here that another machine made as well, such as by importing the same files: it has the same title, text and folder,
    /// no other attachment in the place of one, and was never exchanged with that machine. Nil without one.
    func unpairedTwin(of delta: NoteDelta, on server: String) throws -> String? {
        guard let metadata = delta.metadata, !metadata.isDeleted else { return nil }
        var document = NoteDocument()
        do throws(TextCRDTError) { try document.merge(delta.patch) } catch { return nil }
        let (title, content) = (document.title.text, document.content.text)
        guard !title.isEmpty || !content.isEmpty else { return nil }
        for id in try unpairedNotes(title: title, content: content, on: server) {
            guard let note = try note(id), note.folder == NoteFileName.folder(metadata.folder) else { continue }
            let local = try attachmentReferences(of: id)
            let isOther = (metadata.attachments ?? []).contains { reference in
                local.contains { $0.path == reference.path && $0.hash != reference.hash }
            }
            if !isOther { return id }
        }
        return nil
    }

    /// Applies what is beside the texts on another machine of the person. Without a common state nothing is removed, and what is set here
    /// stays. A change of the text beats the trash.
    func applyFromMachine(
        _ metadata: NoteMetadata, to remote: inout HubRemote, isNew: Bool, wasChanged: Bool, isText: Bool
    ) throws {
        guard let note = try note(remote.note) else { return }
        let known = remote.facts
        let removed = known == nil ? [] : remote.tags.filter { !metadata.tags.contains($0) }
        try setTags(
            NoteTag.changed(note.tags, adding: metadata.tags.filter { !remote.tags.contains($0) }, removing: removed),
            of: note.id)
        let takesFolder = known == nil ? note.folder.isEmpty : metadata.folder != remote.folder
        if takesFolder, note.folder != metadata.folder {
            try setFolder(NoteFileName.folder(metadata.folder), of: note.id)
        }
        var change = AccessChange(from: remote.access, to: metadata.access)
        if known == nil { change.revoked = [] }
        let members = change.applied(to: note.access)
        let takesOwner = known.map { $0.owner != metadata.access.owner } ?? note.access.owner.isEmpty
        let access = NoteAccess(
            owner: takesOwner ? metadata.access.owner : note.access.owner, members: members.members,
            readers: members.readers)
        if access != note.access { try setAccess(access, of: note.id) }
        let isPinned = metadata.facts?.isPinned ?? note.isPinned
        let takesPin = known.map { $0.isPinned != isPinned } ?? isPinned
        if takesPin, isPinned != note.isPinned { try setPinned(isPinned, of: note.id) }
        let isDeleted = note.deletedAt != nil
        var shallBeDeleted = isDeleted
        if isNew {
            shallBeDeleted = metadata.isDeleted
        } else if known == nil {
            shallBeDeleted = isDeleted && metadata.isDeleted
        } else if metadata.isDeleted != remote.isDeleted {
            shallBeDeleted = metadata.isDeleted && !(wasChanged && !isDeleted)
        } else if isDeleted, !metadata.isDeleted, isText {
            shallBeDeleted = false
        }
        if shallBeDeleted != isDeleted {
            try NoteRecord.kind.setDeleted(note.id, at: shallBeDeleted ? now : nil, in: self)
        }
        remote.tags = metadata.tags
        remote.folder = metadata.folder
        remote.access = metadata.access
        remote.isDeleted = metadata.isDeleted
        remote.facts = metadata.facts
    }

    /// Deletes a note for good that another machine has deleted. One that was changed here since stays, and is sent again.
    func loseFromMachine(_ id: String, on server: String) throws -> MachineLoss? {
        guard let remote = try hubRemote(id, on: server) else { return nil }
        try removeHubRemote(of: remote.note, on: server)
        guard let note = try note(remote.note) else { return nil }
        let isSame =
            try version(of: note.id) == remote.version && note.tags == remote.tags && note.folder == remote.folder
            && note.access.members == remote.access.members && remote.facts == NoteFacts(note)
            && Set(attachmentReferences(of: note.id)) == Set(remote.attachments)
        guard note.deletedAt != nil || isSame else { return .kept(note.id) }
        try purge(note.id)
        return .purged
    }

    /// Takes back that a note was removed here, since the machine has a later change of it. What was deleted for good comes again from there.
    /// - Returns: the name of a note that is back from the trash.
    func bringBack(_ id: String, from server: String) throws -> String? {
        guard let remote = try hubRemote(id, on: server) else { return nil }
        guard let note = try note(remote.note) else {
            try removeHubRemote(of: remote.note, on: server)
            return nil
        }
        guard note.deletedAt != nil else { return nil }
        try NoteRecord.kind.setDeleted(note.id, at: nil, in: self)
        try reindexNotes([note.id])
        let record = try NoteRecord.kind.item(note.id, in: self)
        try emit(NotesEvents.created, record.summary)
        return record.displayName
    }

    /// Deletes a note for good.
    func purge(_ id: String) throws {
        guard let note = try note(id) else { return }
        try forgetHistory(of: [id])
        try destroyNote(id)
        try emit(NotesEvents.deleted, note.summary)
    }
}
