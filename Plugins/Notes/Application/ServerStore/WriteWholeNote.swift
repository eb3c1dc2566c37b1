import HubKit
import NotesDomain
import Storage

/// The result of a PUT.
enum WholeNoteResult: Sendable {
    case changed, unchanged
    /// It changes more than the texts, which has to be recorded; nothing has changed.
    case notRecorded
}

extension Transaction {
    /// Merges a PUT at the version that its client has most likely read. `bases` has what its client may have read before. The edits come
    /// into the history later, so the operation need not be recorded if there is nothing else. Refused is what the owner of the note may not
    /// have as well.
    func carryOut(
        _ put: WholeNotePut, _ bases: RecentBases, _ notes: OpenNotes, _ meter: AccountMeter,
        telling committed: CommittedEdits
    ) throws -> WholeNoteResult {
        guard let state = try wholeNoteState(of: put.id, for: put.caller.reader),
            let result = try notes.change(
                state.note, state.texts, in: self,
                { note -> Result<WholeNoteResult, HubError> in
                    let more = put.write.growth(of: note.record.title, note.record.content)
                    do {
                        try take(AccountUsage(texts: more), for: note.record.access.owner, meter)
                    } catch let refusal as HubError where refusal.code == AccountMeter.refusalCode {
                        // Nothing has changed, so the note stays in memory: a client that tries again and again costs no more than others.
                        return .failure(refusal)
                    }
                    return .success(try carryOut(put, state, on: &note, bases, committed))
                })
        else { throw NoteAppError(404, "Note not found.") }
        return try result.get()
    }

    private func carryOut(
        _ put: WholeNotePut, _ state: WholeNoteState, on note: inout OpenNote, _ bases: RecentBases,
        _ committed: CommittedEdits
    ) throws -> WholeNoteResult {
        let (record, before) = (note.record, note.texts.version)
        guard record.deletedAt == nil, !record.access.owner.isEmpty else { throw NoteAppError(404, "Note not found.") }
        let legacy = try legacyMode(put.caller.legacy)
        let read = state.read
        let earlier = state.hasEarlierReads ? try earlierReads(of: record.id, by: put.caller.reader) : []
        let isSure = earlier.isEmpty || bases.hasRead(read?.version, put, of: record.id)
        let recent = read == nil ? try recentVersions(of: record.id, limit: MergeBase.candidateCount) : []
        let plan = try refusing { () throws(WholeNoteWrite.Refusal) in
            try put.write.plan(
                for: note.texts.document, record.access, read: read, earlier: isSure ? [] : earlier,
                others: bases.reads(before: put, of: record.id, at: now), recent: recent, by: put.caller.actor,
                legacy: legacy, &note.pastTexts)
        }
        let isShared = plan.access != record.access
        if isShared, operation?.kind != .edit { return .notRecorded }
        let (written, version) =
            isShared ? try share(put, plan, note) : try write(put, plan, on: &note, telling: committed)
        let isChanged = version != before || isShared
        if !earlier.isEmpty { try removeEarlierReads(of: record.id, by: put.caller.reader) }
        try setLastRead(NoteRead(version: written, members: put.write.members), of: record.id, by: put.caller.reader)
        bases.wrote(
            put, written, to: record, over: plan.previous, after: [read].compactMap(\.self) + earlier, from: before,
            to: isChanged ? version : nil, at: now)
        return isChanged ? .changed : .unchanged
    }

    /// Writes the texts of a PUT alone, which go to all clients.
    /// - Returns: the version that was written, and the one that came of it.
    private func write(
        _ put: WholeNotePut, _ plan: WholeNoteWrite.Plan, on note: inout OpenNote, telling committed: CommittedEdits
    ) throws -> (written: NoteVersion, version: NoteVersion) {
        let (before, agent) = (note.texts.version, try agent())
        let merge = try refusing { () throws(WholeNoteWrite.Refusal) in
            try note.texts.change { document throws(WholeNoteWrite.Refusal) in
                let merge = try put.write.carryOut(plan, in: &document, by: agent)
                return (merge.edits, merge)
            }
        }
        if note.texts.version != before {
            try store(
                merge.edits, of: &note, since: before, by: put.caller.person, .later, wireID: put.wireID,
                telling: committed)
        }
        return (merge.written, note.texts.version)
    }

    /// Writes the texts of a PUT and the members, as one change of the note.
    private func share(
        _ put: WholeNotePut, _ plan: WholeNoteWrite.Plan, _ note: OpenNote
    ) throws -> (written: NoteVersion, version: NoteVersion) {
        var document = note.texts.document
        let agent = try agent()
        let merge = try refusing { () throws(WholeNoteWrite.Refusal) in
            try put.write.carryOut(plan, in: &document, by: agent)
        }
        try changed(note.record.id, words: .later) {
            try changeTexts(of: note.record.id, known: note.texts.document, by: put.caller.person) { texts, _ in
                texts = document
                return merge.edits
            }
            try setAccess(plan.access, of: note.record.id)
            let detail = AuditEntry.detail(from: note.record.access, to: plan.access)
            try record(.access, of: note.record.id, by: put.caller.person, detail: detail)
        }
        return (merge.written, document.version)
    }

    private func refusing<T>(_ body: () throws(WholeNoteWrite.Refusal) -> T) throws -> T {
        do {
            return try body()
        } catch {
            switch error {
            case .access(let refusal): throw NoteAppError(refusal)
            case .text(let reason): throw reason
            }
        }
    }
}
