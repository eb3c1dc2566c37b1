import Commands
import Glibc
import HubKit
import Synchronization
import WebServer

/// `hub serve`: the web page and the background services, until a signal ends it.
enum ServeCommand {
    private static let only = Option<[String]>(
        "only", "NAME", help: "run only this service, or only those of this plugin",
        completion: .from(Hub.self) { hub, _ in
            try (Daemon(hub).serviceNames() + hub.enabledDescriptors().map(\.id)).map { CompletionWord($0) }
        })

    static let command = Command(
        "serve", summary: "serve the web page and run the background services",
        discussion: ["It runs until Ctrl-C or SIGTERM. All other commands work without it."],
        examples: [
            Example("hub serve", "everything"),
            Example("hub serve --only contacts", "run only the services of one plugin"),
        ], prominence: .more, parameters: [only]
    ) { (hub: Hub, input: Input) in
        let hub = hub.asDaemon()
        let names = input[only]
        let daemon = Daemon(hub, only: names.isEmpty ? nil : names)
        if input.dryRun {
            let services = try daemon.serviceNames().joined(separator: ", ")
            let address = try WebAddress.configured(hub)
            return .done("Would serve \(address.isLoopback ? "http" : "https")://\(address) and run \(services)")
        }
        let shown = Mutex<SocketAddress?>(nil)
        try await daemon.run { hub, address in
            // With other settings the page is mostly where it was.
            let isKnown = shown.withLock { shown in
                defer { shown = address }
                return shown == address
            }
            if isKnown { return }
            let isEncrypted = (try? WebCertificate(hub, for: address)) != nil
            let page = "\(isEncrypted ? "https" : "http")://\(address)"
            // A journal or a log file is read by others too, so the link is for a terminal only.
            guard isatty(STDERR_FILENO) == 1 else {
                return hub.log.labelled("web").info("hub is at \(page); hub web prints a login link")
            }
            Task {
                let store = DatabaseCredentialStore(try hub.database())
                let code = try await WebAccess(store: store, bus: hub.bus, clock: hub.clock).makeCode()
                await input.console.show([
                    "hub is at \(page). Open this one-time link within ten minutes:",
                    "  " + WebLogin.link(to: address, code: code, isEncrypted: isEncrypted), "Press Ctrl-C to stop.",
                ])
            }
        }
        return .nothing
    }
}
