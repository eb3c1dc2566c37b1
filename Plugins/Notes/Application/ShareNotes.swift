import Commands
import HubKit
package import NotesDomain
package import Storage
import Sync

/// A request for access with the note that it is for.
package struct OpenRequest: Sendable {
    /// The request.
    package let request: AccessRequest
    /// The note.
    package let note: NoteSummary
}

/// What keeps the person at this machine from a note, and what is done about it.
package struct NoteLock: Sendable {
    /// The request for access that waits here; nil without one.
    package let request: AccessRequest?
}

extension NotesPlugin {
    /// The name of the person at this machine, as the owner of the notes that it shares.
    package var ownName: String { config[NotesKeys.name] }

    /// Gives people access to a note, with `isReading` only to read it. A note of this machine belongs to its person from then on,
    /// and is served.
    package func share(
        _ id: String, with names: [String], isReading: Bool = false, operation: Operation
    ) async throws -> NoteRecord {
        let own = ownName
        try check(names)
        return try await store.write(operation) { transaction in
            let note = try NoteRecord.kind.live(id, in: transaction)
            var access = note.access
            if access.owner.isEmpty { access.owner = own }
            if isReading { access.grantReading(names) } else { access.grant(names) }
            guard access.members.count <= NoteLimits.members else {
                throw HubError(
                    .invalid, code: "too-many-members", "a note can have at most \(NoteLimits.members) members")
            }
            guard access != note.access else { return note }
            let changed = access
            return try transaction.changed(id) { try transaction.setAccess(changed, of: id) }
        }
    }

    /// Takes access away from people; the owner keeps it.
    package func unshare(_ id: String, from names: [String], operation: Operation) async throws -> NoteRecord {
        try await store.write(operation) { transaction in
            let note = try NoteRecord.kind.live(id, in: transaction)
            var access = note.access
            access.revoke(names)
            guard access != note.access else { return note }
            let changed = access
            return try transaction.changed(id) { try transaction.setAccess(changed, of: id) }
        }
    }

    private func check(_ names: [String]) throws(HubError) {
        for name in names where name.isEmpty || name.utf8.count > NoteLimits.name || name.contains(where: \.isNewline) {
            throw HubError(
                .invalid, code: "name-invalid", "invalid name \"\(TerminalSanitizer.line(String(name.prefix(40))))\"",
                hint: "a name is one line of at most \(NoteLimits.name) bytes")
        }
    }

    /// Returns what keeps the person at this machine from a note; nil if it is unlocked.
    package func lock(of note: NoteRecord) async throws -> NoteLock? {
        let (own, now) = (ownName, clock.now)
        return try await store.read { transaction in
            if let place = try transaction.serverPlace(of: note.id) {
                return place.isLocked ? NoteLock(request: nil) : nil
            }
            guard note.access.isLocked(for: own) else { return nil }
            let request = try transaction.request(for: note.id, by: own)
            return NoteLock(request: request?.state(at: now) == .pending ? request : nil)
        }
    }

    /// Whether the owner of a note lets the person at this machine only read it.
    package func isReader(of note: NoteRecord) async throws -> Bool {
        guard !note.access.readers.isEmpty else { return false }
        let place = try await store.read { try $0.serverPlace(of: note.id) }
        let user = try place.flatMap { try accounts.registry.accounts([$0.server]).first?.account.user }
        return note.access.isReader(user ?? ownName)
    }

    /// Throws `note-read-only` for a note that the person at this machine can only read.
    func checkEditable(_ id: String) async throws {
        guard try await isReader(of: notes.get(id)) else { return }
        throw HubError(
            .conflict, code: "note-read-only", "the owner of the note lets you only read it",
            hint: "ask the owner to share it with you again, without --read-only")
    }

    /// Asks the owner of a locked note for access, in the name of the person at this machine. Asking again gives another reason.
    ///
    /// Throws `note-not-locked` if there is nothing to ask for, and if the server of the note cannot be reached.
    /// - Returns: the server that was asked; nil for a note that this machine serves.
    package func requestAccess(to id: String, reason: String, operation: Operation) async throws -> String? {
        guard reason.utf8.count <= NoteLimits.reason else {
            throw HubError(field: "reason", "must have at most \(NoteLimits.reason) bytes")
        }
        let note = try await notes.get(id)
        guard try await lock(of: note) != nil else {
            throw HubError(
                .conflict, code: "note-not-locked", "the note is not locked for you",
                hint: "hub notes list --locked shows notes that others have locked")
        }
        if let server = try await askServer(.unlock(reason: reason), for: id) { return server }
        let own = ownName
        try await store.write(operation) { transaction in
            let note = try NoteRecord.kind.live(id, in: transaction)
            do {
                try transaction.requestAccess(to: note, by: own, reason: reason)
            } catch is NoteAppError {
                throw HubError(.busy, code: "too-many-requests", "too many of your requests are unanswered")
            }
        }
        await remind(of: id, requestedBy: own)
        return nil
    }

    /// Returns the requests for access that wait for an answer, the oldest first.
    package func openRequests() async throws -> [OpenRequest] {
        let now = clock.now
        return try await store.read { transaction in
            try transaction.openRequests().filter { $0.state(at: now) == .pending }.compactMap { request in
                guard let note = try transaction.note(request.note), note.deletedAt == nil else { return nil }
                return OpenRequest(request: request, note: note.summary)
            }
        }
    }

    /// Answers the request of a person for a note. Throws `not-found` if none waits.
    package func answerRequest(
        for id: String, by requester: String, allow: Bool, operation: Operation
    ) async throws -> NoteRecord {
        let note = try await store.write(operation) { transaction in
            let note = try NoteRecord.kind.live(id, in: transaction)
            guard var request = try transaction.request(for: id, by: requester),
                let change = request.answer(allow: allow, at: transaction.now)
            else {
                throw HubError(
                    .notFound, code: "request-not-found",
                    "no request of \(TerminalSanitizer.line(requester)) is pending for this note",
                    hint: "hub notes requests list shows all")
            }
            try transaction.setRequest(request)
            guard !change.isEmpty else { return note }
            return try transaction.changed(id) { try transaction.setAccess(change.applied(to: note.access), of: id) }
        }
        await tellAnswer(for: id, by: requester, allow: allow)
        return note
    }
}

extension Transaction {
    /// Stores a request for access to a live note, and publishes each one that is news.
    func requestAccess(to note: NoteRecord, by requester: String, reason: String) throws {
        var request =
            try self.request(for: note.id, by: requester)
            ?? AccessRequest(note: note.id, requester: requester, requestedAt: now, answer: .expired)
        let waiting = try openRequests().filter { $0.requester == requester && $0.state(at: now) == .pending }
        guard waiting.count < AccessRequest.maximumPending || waiting.contains(where: { $0.note == note.id }) else {
            throw NoteAppError(429, "Too many pending requests.")
        }
        guard request.renew(reason: reason, at: now) else { return }
        try setRequest(request)
        let notification = EventNotification(
            "Access to \(note.displayName.prefix(100))",
            reason.isEmpty ? "requested by \(requester)" : "\(requester): \(reason.prefix(300))")
        try emit(
            AccessRequested.event(
                AccessRequested(
                    name: note.displayName, requester: requester, reason: reason, notify: notification), of: note.id))
    }
}
