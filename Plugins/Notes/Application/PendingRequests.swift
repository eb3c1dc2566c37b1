import HubKit
import NotesDomain
import Storage
import Synchronization

/// A request for access that waits for its answer.
struct PendingRequest: Sendable {
    let request: AccessRequest
    /// The owner of the note.
    let owner: String
    /// What clients of NoteApp are told; nil if they have no id for the note.
    let event: NoteAppEvent?
}

/// The times at which owners were told lately that someone asks for access.
final class RequestReminders: Sendable {
    private struct Key: Hashable {
        let note: String
        let requester: String
    }

    private let times = Mutex<[Key: Instant]>([:])

    /// Whether the owner is to be told now: not more often than ``AccessRequest/repeatTime``.
    func isDue(_ request: AccessRequest, at now: Instant) -> Bool {
        times.withLock { times in
            let key = Key(note: request.note, requester: request.requester)
            times = times.filter { now - $0.value < AccessRequest.repeatTime }
            if times[key] != nil { return false }
            times[key] = now
            return true
        }
    }
}

extension Transaction {
    /// Returns the requests that wait for their answers, the oldest first.
    func pendingRequests(at now: Instant) throws -> [PendingRequest] {
        try openRequests().filter { $0.state(at: now) == .pending }.compactMap { request in
            guard let note = try note(request.note), note.deletedAt == nil else { return nil }
            let event = try wireID(of: note.id).map {
                NoteAppEvent(
                    .accessRequest, id: $0.text, deviceId: request.requester,
                    reason: request.reason.isEmpty ? nil : request.reason)
            }
            return PendingRequest(request: request, owner: note.access.owner, event: event)
        }
    }
}

extension NotesPlugin {
    /// Tells the owner of a note, if connected to this process, that someone asks for access. The owner may have missed what was told
    /// before, so each request is told.
    func remind(of note: String, requestedBy requester: String) async {
        let found = try? await store.read { [clock] transaction in
            try transaction.pendingRequests(at: clock.now).first {
                $0.request.note == note && $0.request.requester == requester
            }
        }
        guard let pending = found ?? nil, reminders.isDue(pending.request, at: clock.now) else { return }
        live.tell(pending.request)
        noteAppClients.tell(pending)
    }
}
