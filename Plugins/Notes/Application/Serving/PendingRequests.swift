import HubKit
import NotesDomain
import Synchronization

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

extension NotesPlugin {
    /// Tells the owner of a note, if connected to this process, that someone asks for access. The owner may have missed what was told
    /// before, so each request is told.
    func remind(of note: String, requestedBy requester: String) async {
        let found = try? await serverStore.pendingRequests().first {
            $0.request.note == note && $0.request.requester == requester
        }
        guard let pending = found ?? nil, reminders.isDue(pending.request, at: clock.now) else { return }
        live.tell(pending.request)
        noteAppClients.tell(pending)
    }
}
