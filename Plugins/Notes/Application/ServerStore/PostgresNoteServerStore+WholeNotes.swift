import HubKit
import NotesDomain
import TextCRDT

/// The notes as clients of NoteApp read and write them: whole.
extension PostgresNoteServerStore {
    func wireID(of note: String) async throws -> NoteAppID? {
        try await database.read { try await $0.wireID(of: note) }
    }

    func read(_ id: NoteAppID?, by caller: NoteAppCaller) async throws -> ServedNotes {
        let now = clock.now
        let legacy = try await legacyMode(caller.legacy)
        func refusal(_ operation: NoteOperation, _ access: NoteAccess?) -> AccessRefusal? {
            AccessRule.decide(operation, by: caller.actor, on: access, legacy: legacy)
        }
        if id == nil, let refusal = refusal(.list, nil) { throw NoteAppError(refusal) }
        let notes = try await database.read { reader in
            // What is locked for an account is not there for it, not even as a title.
            try await reader.served(id) { id != nil || refusal(.read, $0) == nil }
        }
        if id != nil {
            guard let note = notes.first else { throw NoteAppError(404, "Note not found.") }
            if let refusal = refusal(.read, note.head.access) { throw NoteAppError(refusal) }
        }
        let served = notes.compactMap { note in
            note.head.wireID.map { id in
                NoteAppNote(
                    id: id, title: note.open.record.title, content: note.open.record.content,
                    access: note.head.access.members, owner: note.head.access.owner)
            }
        }
        let reads = notes.map { note in
            (
                id: note.head.id,
                read: NoteRead(version: note.open.texts.version, members: note.head.access.members)
            )
        }
        let known = try await database.read { try await $0.lastReads(of: reads.map(\.id), by: caller.reader) }
        let news = reads.filter { known[$0.id] != $0.read }
        let isCounted = bases.reads(
            reads, news: news, by: caller.reader, over: caller.connection, all: id == nil, at: now)
        // Before the client has the answer; mostly it is known.
        if !news.isEmpty {
            try await database.read {
                try await $0.addReads(news, by: caller.reader, at: now, limit: WholeNoteWrite.earlierReadCount)
            }
        }
        return ServedNotes(notes: served, isRepeatable: news.isEmpty && !isCounted)
    }

    func create(_ draft: NoteAppDraft, by caller: NoteAppCaller) async throws -> NoteAppID {
        let (note, wireID) = (Identifier.make(), NoteAppID.random())
        return try await database.write { turn in
            try turn.check(.create, caller, nil)
            let more = AccountUsage(notes: 1, texts: draft.title.utf8.count + draft.content.utf8.count)
            try await turn.take(more, for: draft.owner, meter)
            let access = NoteAccess(owner: draft.owner, members: draft.access)
            var document = NoteDocument()
            _ = try document.set(title: draft.title, content: draft.content, by: turn.agent)
            let head = PostgresHead(id: note, wireID: wireID, access: access, at: turn.now)
            try NoteSizes.check(head.record(title: draft.title, content: draft.content), isMerge: false, instead: nil)
            try turn.create(head, document, by: caller.person)
            turn.setRead(
                NoteRead(version: document.version, members: access.members), of: note, by: caller.reader)
            bases.made(document.version, of: note, by: caller.reader, at: clock.now)
            return wireID
        }
    }

    func write(_ put: WholeNotePut) async throws {
        try await database.write(wireIDs: [put.id.text]) { turn in
            if let note = turn.ids[put.id.text].flatMap({ turn.notes[$0] }) {
                let more = put.write.growth(of: note.open.record.title, note.open.record.content)
                try await turn.take(AccountUsage(texts: more), for: note.head.access.owner, meter)
            }
            try await turn.carryOut(put, bases)
        }
    }

    func delete(_ id: NoteAppID, by caller: NoteAppCaller) async throws {
        try await database.write(wireIDs: [id.text]) { turn in
            let note = try turn.served(id)
            try turn.check(.delete, caller, note.head.access)
            _ = try turn.change(note.head.id) { note in turn.setMetadata(&note) { $0.deletedAt = turn.now } }
            turn.record(.deletion, of: note.head.id, by: caller.person)
        }
    }
}

extension PostgresTurn {
    /// Merges a PUT at the version that its client has most likely read. `bases` has what its client may have read before.
    fileprivate func carryOut(_ put: WholeNotePut, _ bases: RecentBases) async throws {
        let note = try served(put.id)
        let (id, record, before) = (note.head.id, note.open.record, note.open.texts.version)
        let (read, earlier) = try await reads(of: id, by: put.caller.reader)
        let isSure = earlier.isEmpty || bases.hasRead(read?.version, put, of: id)
        let recent = read == nil ? try await recentVersions(of: note, limit: MergeBase.candidateCount) : []
        var past = note.open.pastTexts
        let plan = try Self.refusing { () throws(WholeNoteWrite.Refusal) in
            try put.write.plan(
                for: note.open.texts.document, record.access, read: read, earlier: isSure ? [] : earlier,
                others: bases.reads(before: put, of: id, at: now), recent: recent, by: put.caller.actor,
                legacy: legacyMode(put.caller.legacy), &past)
        }
        let isShared = plan.access != record.access
        if isShared {
            let detail = AuditEntry.detail(from: record.access, to: plan.access)
            self.record(.access, of: id, by: put.caller.person, detail: detail)
        }
        let written = try change(id) { [past] note -> NoteVersion in
            note.open.pastTexts = past
            let merge = try Self.refusing { () throws(WholeNoteWrite.Refusal) in
                try note.open.texts.change { document throws(WholeNoteWrite.Refusal) in
                    let merge = try put.write.carryOut(plan, in: &document, by: agent)
                    return (merge.edits, merge)
                }
            }
            if note.open.texts.version != before {
                try store(
                    merge.edits, of: &note, since: before, by: put.caller.person, wireID: put.wireID,
                    access: isShared ? plan.access : nil)
            } else if isShared {
                setMetadata(&note) { $0.access = plan.access }
            }
            return merge.written
        }
        guard let written, let version = notes[id]?.open.texts.version else { return }
        let isChanged = version != before || isShared
        setRead(NoteRead(version: written, members: put.write.members), of: id, by: put.caller.reader)
        bases.wrote(
            put, written, to: record, over: plan.previous, after: [read].compactMap(\.self) + earlier, from: before,
            to: isChanged ? version : nil, at: now)
    }

    private static func refusing<T>(_ body: () throws(WholeNoteWrite.Refusal) -> T) throws -> T {
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
