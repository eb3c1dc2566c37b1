import Contacts
import Glibc
import HubKit
import HubKitTesting
import HubRuntimeTesting
import Mintee
import NetworkTestSupport
import Storage
import TestSupport
import Testing
import WebServer

@testable import HubRuntime

/// Settings that change while `hub serve` runs.
@Suite(.timeLimit(.minutes(20)))
struct DaemonReloadTests {
    private let test: TestHub
    private let clock = ManualClock(now: FixedClock.noon)

    init() throws { test = try TestHub(ContactsPlugin.self, MinteePlugin.self) }

    private func write(_ config: String) throws { try test.folder.write(config, to: ".config/hub/config.toml") }

    /// A hub for the daemon, whose log is kept.
    private func hub(_ lines: AsyncStream<String>.Continuation) -> Hub {
        Hub(
            plugins: [ContactsPlugin.self, MinteePlugin.self], environment: test.environment, mode: .daemon,
            clock: clock, log: Log(label: "test") { _, _, text in lines.yield(text) })
    }

    /// Runs the daemon of some services while `body` runs. `body` gets the lines of the log.
    private func serving(
        _ only: [String], _ body: (_ hub: Hub, _ lines: AsyncStream<String>) async throws -> Void
    ) async throws {
        let (lines, line) = AsyncStream.makeStream(of: String.self)
        let hub = hub(line)
        try Directory.make(try #require(hub.directories.runtime))
        let locks = FileLocks(directory: hub.directories.locks, clock: clock)
        let (signals, signal) = AsyncStream.makeStream(of: Int32.self)
        let relay = SignalRelay()
        let reader = Task { await relay.follow(signals) }
        let right = try await locks.tryAcquire("serve")
        let running = Task { try await Daemon(hub, only: only.isEmpty ? nil : only).run(relay) { _, _ in } }
        let ticking = Task { [clock] in
            while (try? await Task.sleep(for: .milliseconds(50))) != nil { clock.advance(by: .seconds(1)) }
        }
        defer { ticking.cancel() }
        do { try await body(hub, lines) } catch {
            signal.yield(SIGTERM)
            throw error
        }
        signal.yield(SIGTERM)
        try await running.value
        reader.cancel()
        withExtendedLifetime(right) {}
    }

    /// Waits while the clock moves on.
    private func wait(until isDone: () throws -> Bool) async throws {
        while try !isDone() { try await Task.sleep(for: .milliseconds(10)) }
    }

    private func services(_ hub: Hub) -> [String] {
        ServiceReports(hub).read().filter { $0.state == "running" }.map(\.service)
    }

    @Test func `the services of a plugin stop and start as it is disabled and enabled`() async throws {
        try write("")
        try await serving(["config", "contacts", "mintee", "recovery"]) { hub, _ in
            try await wait { services(hub).contains { $0.hasPrefix("mintee/") } }
            try write("plugins.enabled = [\"contacts\"]\n")
            // The names that --only gave include those of a plugin that is gone: nothing is restarted for them.
            try await wait { try DaemonState.isOutdated(test.hub()) }
        }
    }

    @Test func `with all services, those of a disabled plugin end and come back`() async throws {
        let port = try LoopbackPort()
        try write("hub.web.listen = \"127.0.0.1:\(port.number)\"\n")
        try await serving([]) { hub, _ in
            try await wait { services(hub).contains("web") && services(hub).contains { $0.hasPrefix("mintee/") } }
            #expect(try DaemonState.current(test.hub())?.page?.port == port.number)
            #expect(await test.run("status").output.contains("http://127.0.0.1:\(port.number)"))
            await test.run("plugins disable mintee")
            try await wait {
                let running = services(hub)
                return try !DaemonState.isOutdated(test.hub()) && running.contains("web")
                    && running.contains { $0.hasPrefix("contacts/") } && !running.contains { $0.hasPrefix("mintee/") }
            }
            await test.run("plugins enable mintee")
            try await wait { services(hub).contains { $0.hasPrefix("mintee/") } }
        }
        #expect(try DaemonState.current(test.hub()) == nil)
    }

    @Test func `the page moves to another address, and links lead there`() async throws {
        let (first, second) = (try LoopbackPort(), try LoopbackPort())
        try write("hub.web.listen = \"127.0.0.1:\(first.number)\"\n")
        try await serving(["web", "config"]) { _, _ in
            try await wait { try DaemonState.current(test.hub())?.page?.port == first.number }
            await test.run("config set hub.web.listen 127.0.0.1:\(second.number)")
            try await wait { try DaemonState.current(test.hub())?.page?.port == second.number }
            #expect(await test.run("web").output.hasPrefix("http://127.0.0.1:\(second.number)/login?code="))
        }
    }

    @Test func `nobody is refused while the services start again`() async throws {
        let port = try LoopbackPort()
        try write("hub.web.listen = \"127.0.0.1:\(port.number)\"\n")
        try await serving(["web", "config"]) { _, _ in
            try await wait { try DaemonState.current(test.hub())?.page?.port == port.number }
            await test.run("config set hub.currency eur")
            var refusals = 0
            while try DaemonState.isOutdated(test.hub()) {
                if !port.isListening { refusals += 1 }
                await Task.yield()
            }
            #expect(refusals == 0)
        }
    }

    @Test func `what is read again each time restarts nothing`() throws {
        func fingerprint(_ config: String) throws -> String {
            try write(config)
            return try test.hub().configuration().fingerprint
        }
        let plain = try fingerprint("hub.region = \"PL\"\n")
        let live = """
            hub.region = "PL" # the same
            hub.week_start = "sun"
            alias.c = "contacts"
            plugins.contacts.accounts.home.address = "~/cards"

            """
        #expect(try fingerprint(live) == plain)
        for other in [
            "hub.region = \"DE\"\n", "",
            "hub.region = \"PL\"\nhub.currency = \"eur\"\n", "hub.region = \"PL\"\nflows.x = true\n",
            "hub.region = \"PL\"\n[hooks.a]\non = \"app.user/a\"\nrun = \"true\"\n",
        ] {
            #expect(try fingerprint(other) != plain, "\(other)")
        }
    }

    @Test func `a file that cannot be used changes nothing, and says so`() async throws {
        try write("")
        try await serving(["config", "recovery"]) { hub, lines in
            try await wait { services(hub).contains("config") }
            try write("[hub\n")
            for await line in lines where line.contains("config.toml:1") { break }
            #expect(services(hub).contains("recovery"))
        }
    }
}
