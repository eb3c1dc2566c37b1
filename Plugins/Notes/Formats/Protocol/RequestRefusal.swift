package import TextCRDT

/// Why a request of a client is not carried out; nothing has changed.
package struct RequestRefusal: Error, Hashable, Sendable {
    /// The reason, as programs read it.
    package let code: RefusalCode
    /// The reason, one sentence without a full stop.
    package let message: String

    package init(_ code: RefusalCode, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The refusal of edits that a client should not have sent.
    package init(_ error: TextCRDTError) {
        switch error {
        case .missingParents: self.init(.missing, "The edits follow others that the server does not have")
        case .outOfBounds, .malformed: self.init(.invalid, "The edits are invalid")
        case .tooManyEvents: self.init(.tooLarge, "The history of the note is too long")
        case .tooComplex: self.init(.tooLarge, "The edits follow each other in too many ways")
        case .conflict(let event):
            self.init(.agentTaken, "Another replica has used the agent \(event.agent)")
        }
    }

    /// The answer to the client.
    package var outcome: ServerSession.Outcome { .refused(code, message) }
}

/// What a change makes of that which is beside the texts of a note.
package struct ChangedProperties: Hashable, Sendable {
    /// The tags.
    package var tags: [String]
    /// The owner and the members.
    package var access: NoteAccess
    /// The folder.
    package var folder: String
    /// Whether the note goes to the trash, or comes back.
    package var isMoved: Bool
}

extension NoteChange {
    /// Returns what the change makes of a note, without its attachments and its file; throws what the limits do not allow.
    package func applied(to note: NoteRecord) throws(RequestRefusal) -> ChangedProperties {
        let tags = NoteTag.changed(note.tags, adding: addedTags, removing: removedTags)
        guard tags.count <= NoteLimits.tags else {
            throw RequestRefusal(.tooLarge, "A note can have at most \(NoteLimits.tags) tags")
        }
        let members = access.applied(to: note.access)
        guard members.members.count <= NoteLimits.members else {
            throw RequestRefusal(.tooLarge, "A note can have at most \(NoteLimits.members) members")
        }
        for name in access.granted + access.readers where name.isEmpty || name.contains(where: \.isNewline) {
            throw RequestRefusal(.invalid, "A name must be one line")
        }
        return ChangedProperties(
            tags: tags, access: members, folder: folder.map { NoteFileName.folder($0) } ?? note.folder,
            isMoved: isDeleted.map { $0 != (note.deletedAt != nil) } ?? false)
    }
}

extension HeadChange {
    /// Merges the change into what the file of a note has before its text; throws what the limits do not allow.
    package func merged(into known: FileHead?) throws(RequestRefusal) -> FileHead {
        for head in [base, head].compactMap(\.self) { try Self.check(head) }
        guard head.isWhole else {
            throw RequestRefusal(.invalid, "Front matter must be between two lines with ---, and end there")
        }
        let merged = applied(to: known)
        try Self.check(merged)
        return merged
    }

    private static func check(_ head: FileHead) throws(RequestRefusal) {
        guard head.isAcceptable else {
            throw RequestRefusal(
                .tooLarge, "The front matter of a note can have at most \(FileHead.maximumSize >> 10) KiB")
        }
    }
}
