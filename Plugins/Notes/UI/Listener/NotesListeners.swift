import HubKit
import NotesDomain
import WebSocket

/// The notes server. With two ports, as NoteApp has them, `server` has the routes and `sockets` the routes and the WebSockets;
/// with one port there is only `sockets`. hub's own protocol is spoken on each.
enum NotesListeners {
    static let all = [
        // NoteApp takes no WebSocket on this port: it answers as if none were asked for.
        listener("server", "serve notes to other machines", needsSubprotocol: true) {
            $0.hasOnePort ? nil : try $0.listenerSettings(port: $0.port)
        },
        listener("sockets", "serve changes of notes to other machines", needsSubprotocol: false) {
            try $0.listenerSettings(port: $0.socketPort)
        },
        MonitorEndpoint.listener,
    ]

    private static func listener(
        _ id: String, _ summary: String, needsSubprotocol: Bool,
        settings: @escaping @Sendable (ServerSettings) throws -> ListenerSettings?
    ) -> ListenerDeclaration {
        ListenerDeclaration(
            id, summary: summary,
            routes: AttachmentEndpoint.routes + [PublicationEndpoint.route]
                + ["GET", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"].map { method in
                    ListenerRoute(method, "/{path...}", access: .everybody) { (notes: NotesPlugin, request) in
                        try await NoteAppEndpoint(notes: notes, request: request).answer()
                    }
                },
            sockets: [
                WebSocketEndpoint(
                    "/{path...}", subprotocols: [NotesProtocol.subprotocol], needsSubprotocol: needsSubprotocol,
                    access: .everybody
                ) { (notes: NotesPlugin, request) in
                    try notes.checkAcceptance()
                    if request.subprotocol == nil {
                        return try await NoteAppEndpoint(notes: notes, request: request).open()
                    }
                    return { peer in
                        guard let client = request.client else {
                            return peer.close(.policyViolation, reason: "this protocol needs an account")
                        }
                        try await notes.serve(peer, as: .account(client))
                    }
                }
            ],
            authenticate: { (notes: NotesPlugin, request) in
                guard let token = request.bearerToken else {
                    return try await notes.person(
                        forwardedIn: request.headers, from: request.peer, by: notes.serverSettings.proxy)
                }
                return try await notes.person(withToken: token, from: request.peer)
            }, isOn: { (notes: NotesPlugin) in notes.serverSettings.isEnabled },
            drain: needsSubprotocol ? nil : drain,
            settings: { (notes: NotesPlugin) in
                try notes.checkServerStore()
                return try settings(notes.serverSettings)
            })
    }

    /// Sends the clients of both away.
    private static let drain: @Sendable (NotesPlugin) async -> Void = { notes in await notes.drainServer() }
}
