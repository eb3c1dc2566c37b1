import Text
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

    /// The bytes by which the texts are larger than those that are there.
    package func growth(of oldTitle: String, _ oldContent: String) -> Int {
        max(0, title.utf8.count + content.utf8.count - oldTitle.utf8.count - oldContent.utf8.count)
    }

    /// What a write is to change, before anything has changed.
    package struct Plan: Sendable {
        /// The owner and the members afterwards.
        package var access: NoteAccess
        /// How the base was found.
        package var base: MergeBase
        /// What the client had read before, as far as that is known.
        package var previous: NoteRead?
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
        /// What the client had read before, as far as that is known.
        package var previous: NoteRead?
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

    /// Merges the write into a note: see ``plan(for:_:read:earlier:others:recent:by:legacy:)``. The edits are those of `agent`.
    package func merged(
        into document: NoteDocument, _ access: NoteAccess, read lastRead: NoteRead?, earlier: [NoteRead] = [],
        others: [NoteRead] = [], recent: [MergeBase.Candidate] = [],
        by actor: Actor, legacy: LegacyMode, agent: String
    ) throws(Refusal) -> Outcome {
        var past = PastTexts()
        let plan = try plan(
            for: document, access, read: lastRead, earlier: earlier, others: others, recent: recent, by: actor,
            legacy: legacy, &past)
        var merged = document
        let merge = try carryOut(plan, in: &merged, by: agent)
        return Outcome(
            document: merged, access: plan.access, base: plan.base, edits: merge.edits, previous: plan.previous,
            read: NoteRead(version: merge.written, members: members),
            isChanged: merged.version != document.version || plan.access != access)
    }

    /// Finds what the write is based on. `read` is what this client read last, nil when that is not known; then `recent`, the newest
    /// first, may have it. `earlier` is what it read before since its last write, the latest first, if it may not have got the last
    /// answer. `others` are what clients that look the same have read.
    ///
    /// `past` is kept for the next write of the same note. Each part needs its operation: texts `edit`, members `share`, the owner `transfer`.
    package func plan(
        for document: NoteDocument, _ access: NoteAccess, read lastRead: NoteRead?, earlier: [NoteRead] = [],
        others: [NoteRead] = [], recent: [MergeBase.Candidate] = [], by actor: Actor, legacy: LegacyMode,
        _ past: inout PastTexts
    ) throws(Refusal) -> Plan {
        try check(.edit, by: actor, on: access, legacy)
        let read: NoteRead?
        do throws(TextCRDTError) {
            read = try lastRead.map { last throws(TextCRDTError) in
                if others.isEmpty { return try likelyRead(last, earlier, document) }
                // Who has changed nothing of what they may still have takes nothing back.
                for read in earlier where try isText(of: read.version, document) { return read }
                return try likelyRead(last, among: earlier + others, document, &past)
            }
        } catch {
            throw .text(error)
        }
        let base = MergeBase.choose(lastRead: read?.version, recent: recent, title: title, content: content)
        return Plan(
            access: try self.access(from: access, read: read, by: actor, legacy: legacy), base: base, previous: read)
    }

    /// Merges the texts of the write into a note, as edits of `agent`.
    package func carryOut(
        _ plan: Plan, in document: inout NoteDocument, by agent: String
    ) throws(Refusal) -> TextMerge {
        let version: NoteVersion =
            switch plan.base {
            case .known(let version), .similar(let version): version
            case .current: document.version
            }
        do throws(TextCRDTError) {
            return try document.merge(title: title, content: content, base: version, by: agent)
        } catch {
            throw .text(error)
        }
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

    /// Returns the one of `last` and `others` of which the write is most likely an edit: of what the same clients have been shown, the one
    /// from which it changes least.
    ///
    /// The same text as one of them, with the same members, is not an edit of it, but takes back what was written since. And what a write
    /// has of the words since a version shows that it was not made from that one, since they would be there twice then.
    private func likelyRead(
        _ last: NoteRead, among others: [NoteRead], _ document: NoteDocument, _ past: inout PastTexts
    ) throws(TextCRDTError) -> NoteRead {
        let written = TextDiff.scalars(ofTitle: TextDiff.scalars(of: title), TextDiff.scalars(of: content))
        let shown = try past.scalars(at: last.version, of: document)
        let most = ChangeSize.mostTotal(from: shown, to: written)
        if most <= 1 { return last }
        var budget = Self.searchSteps
        // Mostly all the others are so far away that nothing need be compared.
        var near = others[...]
        while budget > 0, let read = near.first {
            let shown = try past.scalars(at: read.version, of: document)
            if read.version != last.version, ChangeSize.leastTotal(from: shown, to: written) <= most { break }
            budget -= (shown.count + written.count) / 8
            near.removeFirst()
        }
        if near.isEmpty { return last }
        let known = ChangeSize(from: shown, to: written, budget: &budget) ?? ChangeSize(betweenEndsOf: shown, written)
        var (likely, least) = (last, known)
        var seen: Set = [last.version]
        for read in near where known.total > 1 && budget > 0 && seen.insert(read.version).inserted {
            let shown = try past.scalars(at: read.version, of: document)
            guard let size = ChangeSize(from: shown, to: written, atMost: least.total, budget: &budget) else {
                continue
            }
            if size.total == 0, Set(members) == Set(read.members) { return last }
            let doubled = size.letters - known.letters
            guard (size.total, size.deleted) < (least.total, least.deleted), doubled < Self.mostDoubled,
                doubled * 2 <= known.deleted - size.deleted
            else { continue }
            // What was deleted meanwhile may have been written once more.
            if known.deleted == 0 {
                let now = try past.scalars(at: document.version, of: document)
                if ChangeSize(from: shown, to: now, budget: &budget)?.deleted != 0 { continue }
            }
            (likely, least) = (read, size)
        }
        return likely
    }

    /// Whether its texts are those of a version.
    private func isText(of version: NoteVersion, _ document: NoteDocument) throws(TextCRDTError) -> Bool {
        guard title.hasSameBytes(as: try document.title.text(at: version.title)) else { return false }
        return content.hasSameBytes(as: try document.content.text(at: version.content))
    }

    /// The steps that the search for what was read may take.
    private static let searchSteps = 8_000_000
    /// The number of letters from which on it is not by chance that a write has what was written since a version.
    private static let mostDoubled = 8

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
