package import HubKit
package import NotesDomain

extension NotesPlugin {
    /// Records and indexes what a server that was killed has stored.
    package func recordWaiting() async { await indexed.catchUp() }

    /// Serves a client of hub's protocol until its WebSocket is over.
    @inline(never)
    package func serve(
        _ peer: any WebSocketPeer, as actor: NotesDomain.Actor, machine: String = ""
    ) async throws {
        let name = actor.name ?? ownName
        let position = try await serverStore.position()
        let session = ServerSession(
            actor: actor, name: name, epoch: position.epoch, latest: position.latest, replica: position.replica,
            frames: live.frames)
        try await cursors.withClient { source in
            let connection = LiveConnection(
                source, peer, of: self, session, epoch: position.epoch, person: name, machine: machine)
            try await live.withConnection(source, connection) { try await connection.run() }
        }
    }

    /// Returns why a client may not hear what the server tells all; nil when it may.
    @inline(never)
    func refusalToListen(of actor: NotesDomain.Actor) async throws -> AccessRefusal? {
        let legacy = try await serverStore.legacyMode(serverSettings.legacy)
        return AccessRule.decide(.list, by: actor, on: nil, legacy: legacy)
    }

    /// Takes in a frame of a client of NoteApp, and passes a request for access on to the owner of its note.
    func takeFrame(_ frame: [UInt8], from actor: NotesDomain.Actor) async throws {
        let (note, requester) = try await receive(frame, from: actor, legacy: serverSettings.legacy)
        await remind(of: note, requestedBy: requester)
    }

    /// Publishes that notes have changed.
    static func publish(changesOf ids: Set<String>, in store: any NoteServerStore, _ log: Log) async {
        guard !ids.isEmpty else { return }
        do {
            try await store.publish(changesOf: ids)
        } catch {
            log.error("cannot publish that notes have changed: \(error)")
        }
    }
}
