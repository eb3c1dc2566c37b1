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
    /// The most earlier reads of a client that are kept.
    package static let earlierReadCount = 8

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
    /// first, may have it. `earlier` is what it read before since its last write, the latest first: it may not have got the last
    /// answer. The edits are those of `agent`.
    ///
    /// Each part needs its operation: texts `edit`, members `share`, the owner `transfer`.
    package func merged(
        into document: NoteDocument, _ access: NoteAccess, read lastRead: NoteRead?, earlier: [NoteRead] = [],
        others: [NoteRead] = [], recent: [MergeBase.Candidate] = [],
        by actor: Actor, legacy: LegacyMode, agent: String
    ) throws(Refusal) -> Outcome {
        try check(.edit, by: actor, on: access, legacy)
        let read: NoteRead?
        do throws(TextCRDTError) {
            read = try lastRead.map { last throws(TextCRDTError) in
                let likely = try likelyRead(last, earlier, document)
                return others.isEmpty ? likely : try likelyRead(likely, among: earlier + others, document)
            }
        } catch {
            throw .text(error)
        }
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
        let changed = try self.access(from: access, read: read, by: actor, legacy: legacy)
        return Outcome(
            document: merged, access: changed, base: base, edits: merge.edits,
            read: NoteRead(version: merge.written, members: members),
            isChanged: merged.version != document.version || changed != access)
    }

    /// Returns the edits of the newest texts that the write consists of, when these are what the client has read.
    package func edits(of title: String, _ content: String) -> NoteEdits {
        NoteEdits(
            title: TextDiff.edits(from: title, to: self.title), content: TextDiff.edits(from: content, to: self.content)
        )
    }

    /// Returns the owner and the members after the write. A client that may not transfer keeps the owner without an error, since
    /// NoteApp always sends one.
    package func access(
        from access: NoteAccess, read: NoteRead?, by actor: Actor, legacy: LegacyMode
    ) throws(Refusal) -> NoteAccess {
        try check(.edit, by: actor, on: access, legacy)
        if read?.members == members, owner == access.owner || owner.isEmpty { return access }
        // Members that the client may never have seen are not removed.
        var change = AccessChange(from: read?.members ?? access.members, to: members)
        if read == nil { change.revoked = [] }
        var changed = change.applied(to: access)
        if changed != access { try check(.share, by: actor, on: access, legacy) }
        if owner != access.owner, !owner.isEmpty,
            AccessRule.decide(.transfer, by: actor, on: access, legacy: legacy) == nil
        {
            changed.owner = owner
        }
        return changed
    }

    private func check(
        _ operation: NoteOperation, by actor: Actor, on access: NoteAccess, _ legacy: LegacyMode
    ) throws(Refusal) {
        if let refusal = AccessRule.decide(operation, by: actor, on: access, legacy: legacy) { throw .access(refusal) }
    }

    /// Returns what the client had most likely read: the last, unless what was inserted since an earlier one is all missing.
    private func likelyRead(
        _ last: NoteRead, _ earlier: [NoteRead], _ document: NoteDocument
    ) throws(TextCRDTError) -> NoteRead {
        guard !earlier.isEmpty else { return last }
        var (likely, least) = (last, try cost(since: last.version, document))
        for read in earlier where least.deleted > 0 {
            let cost = try cost(since: read.version, document)
            if cost.deleted < least.deleted, cost.inserted <= least.inserted { (likely, least) = (read, cost) }
        }
        return likely
    }

    /// Returns `last`, unless the write is rather an edit of one of `others`: someone else has read that. The same text as one of them,
    /// with the same members, is not an edit of it, but takes back what was written since.
    private func likelyRead(
        _ last: NoteRead, among others: [NoteRead], _ document: NoteDocument
    ) throws(TextCRDTError) -> NoteRead {
        let write = (title, content)
        let known = try wordCost(since: last.version, document, to: write, typingOn: true)
        var (likely, least) = (last, known)
        for read in others {
            let cost = try wordCost(since: read.version, document, to: write)
            let isLess = (cost.inserted + cost.deleted, cost.deleted) < (least.inserted + least.deleted, least.deleted)
            if cost == (0, 0), Set(members) == Set(read.members) { return last }
            guard isLess else { continue }
            // What was deleted meanwhile may have been written once more.
            if known.deleted == 0,
                try wordCost(since: read.version, document, to: (document.title.text, document.content.text)).deleted
                    > 0
            {
                continue
            }
            (likely, least) = (read, cost)
        }
        return likely
    }

    /// The numbers of scalars in words that lead from the texts of a version to others. With `typingOn`, a word that is longer keeps what
    /// it was, if nothing else differs.
    private func wordCost(
        since version: NoteVersion, _ document: NoteDocument, to texts: (title: String, content: String),
        typingOn: Bool = false
    ) throws(TextCRDTError) -> (inserted: Int, deleted: Int) {
        var (inserted, deleted, isTypedOn) = (0, 0, [Bool]())
        for (field, text) in [(NoteField.title, texts.title), (.content, texts.content)] {
            let old = TextDiff.scalars(of: try document[field].text(at: version[field]))
            let new = TextDiff.scalars(of: text)
            for hunk in WordDiff.hunks(old, new) {
                inserted += hunk.new.count
                deleted += hunk.old.count
                isTypedOn.append(new[hunk.new].starts(with: old[hunk.old]))
            }
        }
        return typingOn && isTypedOn == [true] ? (inserted - deleted, 0) : (inserted, deleted)
    }

    /// The numbers of scalars that the write inserts and deletes, if it is based on a version.
    private func cost(
        since version: NoteVersion, _ document: NoteDocument
    ) throws(TextCRDTError) -> (inserted: Int, deleted: Int) {
        var (inserted, deleted) = (0, 0)
        for (field, text) in [(NoteField.title, title), (.content, content)] {
            for edit in TextDiff.edits(from: try document[field].text(at: version[field]), to: text) {
                inserted += edit.inserted.unicodeScalars.count
                deleted += edit.deletedCount
            }
        }
        return (inserted, deleted)
    }
}
