package import Time

/// What is known here of a note on a server of whole notes.
package struct NoteAppLink: Hashable, Sendable {
    /// How the note is kept on both sides.
    package enum State: String, Sendable {
        /// Both sides have it.
        case synced
        /// It is locked there for the person here; nothing is sent.
        case locked
        /// It was removed here and belongs to someone else, who keeps it.
        case left
    }

    /// The id of the note here.
    package var note: String
    /// The id on the server; nil while it is not known whether a POST was stored.
    package var remote: NoteAppID?
    /// How the note is kept.
    package var state: State
    /// What is known there of the edits made here.
    package var edits: SentEdits
    /// The owner and the members as they were last seen on the server.
    package var access: NoteAccess
    /// The hash of the note as it was last seen on the server; empty before.
    package var fingerprint: String

    package init(
        note: String, remote: NoteAppID? = nil, state: State = .synced, edits: SentEdits = SentEdits(),
        access: NoteAccess = NoteAccess(owner: ""), fingerprint: String = ""
    ) {
        self.note = note
        self.remote = remote
        self.state = state
        self.edits = edits
        self.access = access
        self.fingerprint = fingerprint
    }
}

/// A note here, as a sync compares it with the server.
package enum LocalNoteState: Hashable, Sendable {
    /// Live, with its version and access.
    case live(NoteVersion, NoteAccess)
    /// In the trash.
    case inTrash
    /// Deleted for good.
    case destroyed
}

/// A step that brings one note here and on a server of whole notes together.
package enum NoteAppStep: Hashable, Sendable {
    /// Both sides are the same.
    case none
    /// Merge what the server has, then send what differs.
    case exchange
    /// Bring the note back from the trash, since it was changed on the server, and exchange it.
    case revive
    /// Make the note on the server.
    case create
    /// Make a note here.
    case receive
    /// Move the note here to the trash: it was deleted on the server.
    case trash
    /// Delete the note on the server.
    case delete
    /// Keep the note on the server, and do not receive it again.
    case leave
    /// Record that the note is locked, without its text.
    case lock
    /// Forget what is known of the note.
    case forget
}

/// Decides what a sync with a server of whole notes does. A change beats a deletion, on both sides.
package enum NoteAppSync {
    /// Returns the step for one note. `link` is nil for one that was not synced before, `local` for one that is not here,
    /// and `remote` for one that is not on the server. `name` is the person here as the server knows it.
    package static func step(
        link: NoteAppLink?, local: LocalNoteState?, remote: NoteAppNote?, fingerprint: String = "", name: String,
        at now: Instant
    ) -> NoteAppStep {
        guard let link else { return remote != nil ? .receive : local.map { $0.isLive ? .create : .none } ?? .none }
        let local = local ?? .destroyed
        guard let remote else { return gone(link, local) }
        let isChanged = fingerprint != link.fingerprint
        guard case .live(let version, let access) = local else {
            if link.state == .left { return .none }
            guard remote.owner == name else { return .leave }
            guard isChanged, link.state == .synced else { return .delete }
            return local == .inTrash ? .revive : .receive
        }
        if !remote.isUnlocked(for: name) { return isChanged || link.state != .locked ? .lock : .none }
        let isSame =
            !isChanged && link.state == .synced && !link.edits.isDue(at: now) && version == link.edits.seen
            && Set(access.members) == Set(link.access.members)
        return isSame ? .none : .exchange
    }

    private static func gone(_ link: NoteAppLink, _ local: LocalNoteState) -> NoteAppStep {
        guard case .live(let version, _) = local else { return .forget }
        // A POST that was not stored.
        if link.remote == nil { return .create }
        return link.state == .synced && version != link.edits.seen ? .create : .trash
    }
}

extension LocalNoteState {
    fileprivate var isLive: Bool { if case .live = self { true } else { false } }
}
