import DBus
import HubKit
import WebServer

/// Opens the page in the browser of the desktop, logged in.
struct PageOpener: Sendable {
    private let hub: Hub

    init(_ hub: Hub) { self.hub = hub }

    /// Returns a one-time link to a path of the page, as soon as it is served. Throws `unavailable` when it is not within `patience`:
    /// the desktop calls a service that it has just started.
    func link(to path: String, patience: Duration = .zero) async throws -> String {
        let end = ContinuousClock.now + patience
        while try DaemonState.current(hub)?.page == nil, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(50))
        }
        guard let address = try DaemonState.current(hub)?.page else {
            throw HubError(
                .unavailable, code: "not-served", "the web page is not running",
                hint: "hub serve, or hub service install")
        }
        let access = WebAccess(store: DatabaseCredentialStore(try hub.database()), bus: hub.bus, clock: hub.clock)
        return WebLogin.link(
            to: address, code: try await access.makeCode(), page: path,
            isEncrypted: try WebCertificate(hub, for: address) != nil)
    }

    /// Opens a link: by the desktop's portal on `connection`, since a service must not start a browser in its own sandbox, else by
    /// systemd, else directly. `token` is what the desktop gave, so that the window comes to the front.
    func open(_ link: String, on connection: DBusConnection?, token: String? = nil) async throws {
        if let connection {
            var options: [String: DBusValue] = [:]
            if let token { options["activation_token"] = .string(token) }
            let answer = try? await connection.call(
                "org.freedesktop.portal.Desktop", path: "/org/freedesktop/portal/desktop",
                interface: "org.freedesktop.portal.OpenURI", member: "OpenURI",
                [.string(""), .string(link), .properties(options)], timeout: .seconds(5))
            if answer != nil { return }
            let service = Subprocess("systemd-run", ["--user", "--collect", "--quiet", "xdg-open", link])
            if let done = try? await service.run(outputLimit: 1 << 16, timeout: .seconds(10)), done.status.isSuccess {
                return
            }
        }
        let opener = Subprocess("xdg-open", [link])
        guard let done = try? await opener.run(outputLimit: 1 << 16, timeout: .seconds(30)), done.status.isSuccess
        else {
            throw HubError(
                .unavailable, code: "no-browser", "the desktop cannot open a browser",
                hint: "hub web prints a link to open by hand; xdg-open is part of xdg-utils")
        }
    }
}
