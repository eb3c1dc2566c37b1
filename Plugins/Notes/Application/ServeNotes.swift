package import HubKit
package import NotesDomain
import Storage

extension NotesPlugin {
    /// Records and indexes what a server that was killed has stored.
    package func recordWaiting() async { await indexed.catchUp() }

    /// Serves a client of hub's protocol until its WebSocket is over.
    @inline(never)
    package func serve(_ peer: any WebSocketPeer, as actor: NotesDomain.Actor) async throws {
        let name = actor.name ?? ownName
        let epoch = try await store.database.replica()
        let (latest, replica) = try await store.read { (try $0.latestChange(), try $0.knownAgent() ?? "") }
        let session = ServerSession(actor: actor, name: name, epoch: epoch, latest: latest, replica: replica)
        try await cursors.withClient { source in
            let connection = LiveConnection(source, peer, of: self, session, person: name)
            try await live.withConnection(source, connection) { try await connection.run() }
        }
    }

    /// Returns why a client may not hear what the server tells all; nil when it may.
    @inline(never)
    func refusalToListen(of actor: NotesDomain.Actor) async throws -> AccessRefusal? {
        let legacy = try await store.read { [decided = serverSettings.legacy] in try $0.legacyMode(decided) }
        return AccessRule.decide(.list, by: actor, on: nil, legacy: legacy)
    }

    /// Takes in a frame of a client of NoteApp, and passes a request for access on to the owner of its note.
    func takeFrame(_ frame: [UInt8], from actor: NotesDomain.Actor) async throws {
        let event = try await receive(frame, from: actor, legacy: serverSettings.legacy)
        guard let id = NoteAppID(event.id), let note = try await store.read({ try $0.note(withWireID: id)?.id }) else {
            return
        }
        await remind(of: note, requestedBy: event.deviceId)
    }

    /// Publishes that notes have changed.
    static func publish(changesOf ids: Set<String>, in store: Store, _ log: Log) async {
        guard !ids.isEmpty else { return }
        do {
            try await store.write(Operation("notes serve", who: .service("notes server"), kind: .cache)) {
                transaction in
                for id in ids {
                    guard let note = try transaction.note(id), note.deletedAt == nil else { continue }
                    try transaction.emit(NotesEvents.changed, note.summary)
                }
            }
        } catch {
            log.error("cannot publish that notes have changed: \(error)")
        }
    }

    /// Returns who may open a note; nil when there is none.
    func access(of id: String) async throws -> NoteAccess? {
        try await store.read { try $0.note(id)?.access }
    }
}
