import HubKit
import NotesDomain
import Storage
import Sync

/// Requests about access that are sent at once, to the server that a note is on.
extension NotesPlugin {
    /// Sends a request about a note to its server, and waits until the server has taken it.
    /// - Returns: the name of the server; nil if the note is on none.
    func askServer(_ kind: NoteRequest.Kind, for id: String) async throws -> String? {
        guard let place = try await store.read({ try $0.serverPlace(of: id) }) else { return nil }
        try await ask(kind, at: place)
        return place.server
    }

    /// Tells the server of a note how a request for access was answered, so that it does not ask again. What grants access
    /// reaches it with the next sync anyway.
    func tellAnswer(for id: String, by requester: String, allow: Bool) async {
        guard !accounts.registry.isOffline else { return }
        do {
            _ = try await askServer(.answer(requester: requester, allow: allow), for: id)
        } catch {
            log.info("the answer to \(requester) was not sent to the server of the note: \(error)")
        }
    }

    private func ask(_ kind: NoteRequest.Kind, at place: ServerPlace) async throws {
        if accounts.registry.isOffline { throw HubError.offline }
        guard let setup = try accounts.registry.accounts([place.server]).first else { return }
        let connection = try await accounts.connect(to: setup, isBrief: true)
        try await accounts.attempting(setup.account) {
            guard let socket = try await connection.openSocket() else {
                throw RemoteError.notFound(reason: "the server does not accept requests for access")
            }
            let name = accounts.backend.name(at: setup.account)
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer {
                    group.cancelAll()
                    // Ends the receiving.
                    socket.close()
                }
                group.addTask { [clock] in
                    try await clock.sleep(for: Self.patience)
                    throw RemoteError.unreachable(reason: "the server did not answer in time")
                }
                group.addTask { [self] in
                    if socket.isHub {
                        try await ask(kind, place.remote, over: socket)
                    } else if case .unlock(let reason) = kind {
                        let event = NoteAppEvent(
                            .accessRequest, id: place.remote, deviceId: name, reason: reason.isEmpty ? nil : reason)
                        try await ask(event, over: socket)
                    }
                }
                try await group.next()
            }
        }
    }

    /// The time for an answer.
    private static var patience: Duration { .seconds(20) }

    /// Sends a request by hub's protocol, and waits for its answer.
    private func ask(_ kind: NoteRequest.Kind, _ note: String, over socket: NoteSocket) async throws {
        // A replica of its own, which has no notes and makes no edits.
        socket.send(ClientFrame.hello(agent: Identifier.make(), mode: .edits, cursor: nil).text)
        socket.send(ClientFrame.request(NoteRequest(1, note, kind)).text)
        while true {
            guard let frame = try await socket.nextText() else { continue }
            switch try? ServerFrame(frame) {
            case .acknowledged(1): return
            case .refused(1, _, let message): throw RemoteError.denied(reason: message)
            default: break
            }
        }
    }

    /// Sends a message by NoteApp's protocol, which has no answers but for errors of hub. What comes before the answer to a ping
    /// belongs to it.
    private func ask(_ event: NoteAppEvent, over socket: NoteSocket) async throws {
        socket.send(event.text)
        socket.ping()
        while let frame = try await socket.nextText() {
            if let refusal = NoteAppEvent.refusal(in: Array(frame.utf8)) { throw RemoteError.denied(reason: refusal) }
        }
    }
}

extension NoteSocket {
    /// Returns the next text frame; nil for another sign of life.
    fileprivate func nextText() async throws(RemoteError) -> String? {
        switch await receive() {
        case .text(let text): return text
        case .other: return nil
        case .closed(let reason): throw .unreachable(reason: reason)
        }
    }
}
