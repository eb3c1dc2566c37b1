import HubKit
import NotesDomain
import Synchronization

/// The answers to requests that have read one note, kept until the next commit of any process: clients that poll ask for the
/// same notes again and again.
final class ServedReads: Sendable {
    private struct Key: Hashable {
        let target: String
        let client: String
        let actor: NotesDomain.Actor
        let legacy: LegacyMode?

        init(_ request: NoteAppRequest, _ legacy: LegacyMode?) {
            (target, client, actor) = (request.target, request.client, request.actor)
            self.legacy = legacy
        }
    }

    private struct State {
        var revision: Database.Revision?
        var answers: [Key: NoteAppAnswer] = [:]
        var size = 0
    }

    private let state = Mutex(State())
    /// The bytes of text that are kept, about.
    private static let maximumSize = 8 << 20

    /// Returns the answer to a request if it was kept at this revision.
    func answer(to request: NoteAppRequest, _ legacy: LegacyMode?, at revision: Database.Revision) -> NoteAppAnswer? {
        state.withLock { $0.revision == revision ? $0.answers[Key(request, legacy)] : nil }
    }

    /// Keeps the answer to a request, of which the database was read at `revision` or later.
    func keep(
        _ note: NoteAppNote, for request: NoteAppRequest, _ legacy: LegacyMode?, at revision: Database.Revision
    ) {
        let size = note.title.utf8.count + note.content.utf8.count + 1024
        state.withLock { state in
            if state.revision != revision || state.size + size > Self.maximumSize { state = State(revision: revision) }
            state.answers[Key(request, legacy)] = NoteAppAnswer(.note(note))
            state.size += size
        }
    }
}
