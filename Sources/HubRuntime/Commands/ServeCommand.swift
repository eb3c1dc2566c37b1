import HubKit
import WebServer

/// `hub serve`: the web page and the background services, until a signal ends it.
enum ServeCommand {
    private static let only = Option<[String]>(
        "only", "NAME", help: "only this service, or those of this plugin",
        completion: .from(Hub.self) { hub, _ in
            try (Daemon(hub).serviceNames() + hub.enabledDescriptors().map(\.id)).map { CompletionWord($0) }
        })

    static let command = Command(
        "serve", summary: "serve the web page and run the background services",
        discussion: ["It runs until Ctrl-C or SIGTERM. Every command works without it as well."],
        examples: [
            Example("hub serve", "everything"), Example("hub serve --only contacts", "the services of one plugin"),
        ], prominence: .more, parameters: [only]
    ) { (hub: Hub, input: Input) in
        let hub = hub.asDaemon()
        let names = input[only]
        let daemon = Daemon(hub, only: names.isEmpty ? nil : names)
        if input.dryRun {
            let services = try daemon.serviceNames().joined(separator: ", ")
            return .done("Would serve http://\(try WebAddress.configured(hub)) and run \(services)")
        }
        let access = WebAccess(store: DatabaseCredentialStore(try hub.database()), clock: hub.clock)
        try await daemon.run { address in
            Task {
                let code = try await access.makeCode()
                await input.interaction.show([
                    "hub is at http://\(address). This link logs a browser in, once, within ten minutes:",
                    "  " + WebLogin.link(to: address, code: code), "Ctrl-C ends it.",
                ])
            }
        }
        await hub.finish()
        return .nothing
    }
}
