package import TextCRDT

/// What a client that writes whole notes has read last: the base of what it writes next.
package struct NoteRead: Hashable, Sendable {
    /// The version of the texts.
    package var version: NoteVersion
    /// The members as they were.
    package var members: [String]

    package init(version: NoteVersion, members: [String]) {
        self.version = version
        self.members = members
    }
}

/// A whole note that a client without a version writes over a stored one, such as a PUT of NoteApp.
///
/// What differs from what the client had read becomes edits, and a change of the members as a set; so a stale write undoes
/// nothing of others. One that differs in nothing changes nothing, and needs no revision and no message.
package struct WholeNoteWrite: Hashable, Sendable {
    /// The title as written.
    package var title: String
    /// The text as written.
    package var content: String
    /// The members as written.
    package var members: [String]
    /// The owner as written.
    package var owner: String

    package init(title: String, content: String, members: [String], owner: String) {
        self.title = title
        self.content = content
        self.members = members
        self.owner = owner
    }

    /// The stored note after a write.
    package struct Outcome: Sendable {
        /// The texts.
        package var document: NoteDocument
        /// The owner and the members.
        package var access: NoteAccess
        /// How the base was found.
        package var base: MergeBase
        /// The resulting changes of the texts.
        package var edits: NoteEdits
        /// What the client has read then: what it wrote itself.
        package var read: NoteRead
        /// Whether anything has changed.
        package var isChanged: Bool
    }

    /// Why a write is not taken in; nothing has changed.
    package enum Refusal: Error, Hashable, Sendable {
        case access(AccessRefusal)
        case text(TextCRDTError)
    }

    /// Merges the write into a note. `read` is what this client read last, nil when that is not known; then `recent`, the newest
    /// first, may have it. The edits are those of `agent`.
    ///
    /// Each part needs its operation: texts `edit`, members `share`, the owner `transfer`. A client that may not transfer keeps
    /// the owner without an error, since NoteApp always sends one.
    package func merged(
        into document: NoteDocument, _ access: NoteAccess, read: NoteRead?, recent: [MergeBase.Candidate] = [],
        by actor: Actor, legacy: LegacyMode, agent: String
    ) throws(Refusal) -> Outcome {
        func check(_ operation: NoteOperation) throws(Refusal) {
            if let refusal = AccessRule.decide(operation, by: actor, on: access, legacy: legacy) {
                throw .access(refusal)
            }
        }
        try check(.edit)
        let base = MergeBase.choose(lastRead: read?.version, recent: recent, title: title, content: content)
        let version: NoteVersion =
            switch base {
            case .known(let version), .similar(let version): version
            case .current: document.version
            }
        var merged = document
        let merge: TextMerge
        do throws(TextCRDTError) {
            merge = try merged.merge(title: title, content: content, base: version, by: agent)
        } catch {
            throw .text(error)
        }
        // Members that the client may never have seen are not removed.
        var change = AccessChange(from: read?.members ?? access.members, to: members)
        if read == nil { change.revoked = [] }
        var changed = change.applied(to: access)
        if changed != access { try check(.share) }
        if owner != access.owner, !owner.isEmpty,
            AccessRule.decide(.transfer, by: actor, on: access, legacy: legacy) == nil
        {
            changed.owner = owner
        }
        return Outcome(
            document: merged, access: changed, base: base, edits: merge.edits,
            read: NoteRead(version: merge.written, members: members),
            isChanged: merged.version != document.version || changed != access)
    }
}
