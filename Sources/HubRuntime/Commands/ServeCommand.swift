import Glibc
import HubKit
import WebServer

/// `hub serve`: the web page and the background services, until a signal ends it.
enum ServeCommand {
    private static let only = Option<[String]>("only", "NAME", help: "only this service, or those of this plugin")

    static let command = Command(
        "serve", summary: "serve the web page and run the background services",
        discussion: ["It runs until Ctrl-C or SIGTERM. Every command works without it as well."],
        examples: [
            Example("hub serve", "everything"), Example("hub serve --only contacts", "the services of one plugin"),
        ], prominence: .more, parameters: [only]
    ) { (hub: Hub, input: Input) in
        let hub = hub.asDaemon()
        let names = input[only]
        let access = WebAccess(store: DatabaseCredentialStore(try hub.database()), clock: hub.clock)
        try await Daemon(hub, only: names.isEmpty ? nil : names).run { address in
            // A journal or a log file is read by others too, so the link is for a terminal only.
            guard isatty(STDERR_FILENO) == 1 else {
                return hub.log.labelled("web").info("hub is at http://\(address); hub web prints a link that logs in")
            }
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
