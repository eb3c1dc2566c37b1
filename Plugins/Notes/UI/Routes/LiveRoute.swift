import HubKit
import NotesDomain

/// The WebSocket by which the page edits notes together with others.
enum LiveRoute {
    static let live = Route(.get, "/api/notes/live", summary: "edit notes together") { (notes: NotesPlugin, _) in
        .webSocket(
            RouteWebSocket(subprotocols: [NotesProtocol.subprotocol], messageSize: NotesProtocol.maximumFrame) { peer in
                try await notes.serve(peer, as: .local)
            })
    }
}
