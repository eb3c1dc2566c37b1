import HubKit

/// What a service manager, a proxy and Prometheus ask the notes server, on an address of its own.
enum MonitorEndpoint {
    static let listener = ListenerDeclaration(
        "monitor", summary: "say how the notes server is",
        routes: [
            // It answers while the process works. The database is not asked: its outage would restart all servers.
            ListenerRoute("GET", "/healthz", access: .everybody) { (_: NotesPlugin, _) in text("ok\n") },
            ListenerRoute("GET", "/readyz", access: .everybody) { (notes: NotesPlugin, _) in
                await notes.isServerReady()
                    ? text("ready\n") : text("not ready: it is draining, or the notes cannot be reached\n", status: 503)
            },
            ListenerRoute("GET", "/metrics", access: .everybody) { (notes: NotesPlugin, _) in
                text(notes.serverMetrics, type: "text/plain; version=0.0.4; charset=utf-8")
            },
        ],
        // Accounts do not count here; without this, other machines could not be let in.
        authenticate: { (_: NotesPlugin, _) in nil },
        isOn: { (notes: NotesPlugin) in notes.serverSettings.isEnabled },
        settings: { (notes: NotesPlugin) in
            try notes.checkServerStore()
            guard let address = notes.serverSettings.monitor else { return nil }
            var settings = ListenerSettings(address: address)
            settings.allowsPlaintext = true
            settings.names = notes.serverSettings.names
            return settings
        })

    private static func text(
        _ text: String, status: Int = 200, type: String = "text/plain; charset=utf-8"
    ) -> ListenerResponse {
        ListenerResponse(
            status: status, headers: [("Content-Type", type), ("Cache-Control", "no-store")], body: Array(text.utf8))
    }
}
