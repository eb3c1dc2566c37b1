import Glibc
import HubKit
import Storage
import Synchronization
import WebServer

/// `hub serve`: the one process that runs the services of the enabled plugins.
struct Daemon: Sendable {
    /// The lock that says that a daemon runs.
    private static let lock = "serve"

    /// Called when the page can be reached, at its address; again whenever the settings have changed.
    typealias Ready = @Sendable (Hub, SocketAddress) -> Void

    private let hub: Hub
    /// The services to run, by name; nil stands for all.
    private let only: [String]?
    /// Where the page and the listeners of plugins listen, also while their services start again.
    private let sockets: ListeningSockets

    init(_ hub: Hub, only: [String]? = nil, sockets: ListeningSockets = ListeningSockets()) {
        self.hub = hub
        self.only = only
        self.sockets = sockets
    }

    /// The daemon that runs on this store, or nil.
    static func holder(_ hub: Hub) throws -> FileLock.Holder? {
        try FileLocks(directory: hub.directories.locks, clock: hub.clock).holder(of: lock)
    }

    /// Serves until a signal arrives, and then closes the hub. When the config file gets other settings, the services stop, and start
    /// again with them; SIGHUP has the file read at once.
    func run(ready: @escaping Ready) async throws {
        let terminal = ControllingTerminal()
        let received = await ProcessSignals.stream(ProcessSignals.stopping)
        let signals = SignalRelay { terminal.isGone }
        let reader = Task { await signals.follow(received) }
        defer { reader.cancel() }
        let locks = FileLocks(directory: hub.directories.locks, clock: hub.clock)
        guard let right = try Self.starting({ try locks.tryAcquire(Self.lock) }) else {
            throw try Self.alreadyRunning(hub)
        }
        defer { withExtendedLifetime(right) {} }
        try await run(signals, ready)
    }

    /// Runs in rounds, each with its own hub and settings.
    func run(_ signals: SignalRelay, _ ready: @escaping Ready) async throws {
        defer {
            ServiceReports(hub).remove()
            DaemonState.remove(hub)
        }
        var daemon = self
        while true {
            let next = try await daemon.serve(until: signals, ready)
            guard let next, !signals.haveCome else { break }
            await daemon.hub.close()
            daemon = Daemon(next, only: only, sockets: sockets)
        }
        await daemon.hub.finish()
    }

    /// Serves with the settings of this hub, until a signal, or until the file has others; then returns the hub that has read them.
    private func serve(until signals: SignalRelay, _ ready: @escaping Ready) async throws -> Hub? {
        let problems: [String: HubError]
        do {
            problems = try await hub.database().prepare()
            if let refusal = try await hub.database().writeRefusal() { throw refusal }
        } catch {
            throw Self.startFailure(error)
        }
        for (plugin, problem) in problems { hub.log.error("\(plugin): \(problem)") }
        for problem in try hub.configuration().warnings { hub.log.labelled("config").warning(problem.lines[0]) }
        hub.listen()
        let reports = ServiceReports(hub)
        let state = DaemonState(process: getpid(), fingerprint: try hub.configuration().fingerprint)
        state.write(hub)
        let reload = Reload()
        sockets.keep(only: try addresses())
        let services = try services(reload) { [hub] address in
            var state = state
            state.page = address
            state.write(hub)
            ready(hub, address)
        }
        let supervisor = Supervisor(services, clock: hub.clock, log: hub.log)
        let notifier = SystemdNotifier(environment: hub.environment.variables)
        let rereads = signals.rereads()
        let reader = Task { for await _ in rereads { reread(state.fingerprint, reload) } }
        defer { reader.cancel() }
        let stops = Hub.draining(signals.next()) {
            notifier?.notify(.stopping)
            await drain()
        }
        await ServiceHost(supervisor, notifier: notifier, clock: hub.clock, log: hub.log) { reports.write($0) }
            .run(until: stops, or: reload.requests)
        return reload.next
    }

    /// Has the clients of listeners sent away that are on.
    private func drain() async {
        for descriptor in (try? hub.enabledDescriptors()) ?? [] {
            for listener in descriptor.listeners {
                guard let drain = listener.drain, (try? listener.isOn(hub)) == true,
                    only?.contains(where: { Self.matches("\(descriptor.id)/\(listener.id)", $0) }) ?? true
                else { continue }
                await drain(hub)
            }
        }
    }

    /// The wish to go on with other settings.
    private final class Reload: Sendable {
        /// One element when there is a hub to go on with.
        let requests: AsyncStream<Void>
        private let request: AsyncStream<Void>.Continuation
        private let renewed = Mutex<Hub?>(nil)

        init() { (requests, request) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

        /// The hub with the latest settings.
        var next: Hub? { renewed.withLock(\.self) }

        func begin(_ hub: Hub) {
            renewed.withLock { $0 = hub }
            request.yield()
        }
    }

    /// Has the services started again with what the config file says now, unless that cannot be used.
    private func takeOver(_ reload: Reload) {
        let log = hub.log.labelled("config")
        let next = hub.renewed()
        do {
            _ = try Daemon(next, only: only).serviceNames()
            log.notice("the settings have changed; starting the services again")
            reload.begin(next)
        } catch {
            log.error("the previous settings stay in effect: \((error as? HubError)?.message ?? "\(error)")")
        }
    }

    /// Reads the config file now, as SIGHUP asks for, whether or not it looks changed.
    private func reread(_ fingerprint: String, _ reload: Reload) {
        let log = hub.log.labelled("config")
        do throws(HubError) {
            guard try hub.configManager.load().checked().fingerprint != fingerprint else {
                return log.notice("SIGHUP: the settings are the same")
            }
            takeOver(reload)
        } catch {
            log.error("the previous settings stay in effect: \(error.message)")
        }
    }

    /// The names of the services that would run.
    func serviceNames() throws -> [String] { try services(Reload()) { _ in }.map(\.id) }

    /// Returns the services to run: event delivery, recovery, housekeeping, the page, and those of the enabled
    /// plugins.
    private func services(
        _ reload: Reload, _ ready: @escaping @Sendable (SocketAddress) -> Void
    ) throws -> [SupervisedService] {
        let (hub, start) = (hub, hub.clock.now)
        let fingerprint = try hub.configuration().fingerprint
        var all = [
            SupervisedService("events") { DeliveryService(hub, since: start) },
            SupervisedService("recovery") { CrashRecovery(hub) },
            SupervisedService("housekeeping") { MaintenanceService(hub) },
            SupervisedService("backup") { BackupService(hub) },
            SupervisedService("desktop") { DesktopService(hub) },
            SupervisedService("config") {
                ConfigWatch(
                    manager: hub.configManager, fingerprint: fingerprint, clock: hub.clock,
                    log: hub.log.labelled("config")
                ) { takeOver(reload) }
            },
            SupervisedService("machines") { MachineService(hub) },
            SupervisedService("web") { try PageService(hub, sockets: sockets, ready: ready) },
            SupervisedService("devices") {
                guard let address = try DeviceListener.configured(hub) else { return ListenerOff() }
                return try DeviceListener(hub, at: address, sockets: sockets)
            },
        ]
        for descriptor in try hub.enabledDescriptors() {
            all += descriptor.services.map { declaration in
                SupervisedService("\(descriptor.id)/\(declaration.id)") { try declaration.make(hub) }
            }
            all += descriptor.listeners.map { listener in
                SupervisedService("\(descriptor.id)/\(listener.id)") {
                    guard try listener.isOn(hub), let settings = try listener.settings(hub) else {
                        return ListenerOff()
                    }
                    return try ListenerService(
                        listener, of: descriptor.id, settings, host: hub, log: hub.log.labelled(descriptor.id),
                        sockets: sockets)
                }
            }
        }
        guard let only else { return all }
        for name in only where !all.contains(where: { Self.matches($0.id, name) }) {
            throw HubError(
                .usage, code: "no-service", "no service named \"\(name)\"",
                hint: "available services: \(all.map(\.id).joined(separator: ", "))")
        }
        return all.filter { service in only.contains { Self.matches(service.id, $0) } }
    }

    /// The addresses on which services listen by the settings; one whose settings cannot be used has none.
    private func addresses() throws -> Set<SocketAddress> {
        let listeners = try hub.enabledDescriptors().flatMap(\.listeners).compactMap { listener in
            guard let isOn = try? listener.isOn(hub), isOn, let settings = try? listener.settings(hub) else {
                return SocketAddress?.none
            }
            return try? SocketAddress(settings.address)
        }
        let devices = (try? DeviceListener.configured(hub)) ?? nil
        return Set(listeners + [try? WebAddress.configured(hub), devices].compactMap(\.self))
    }

    private static func matches(_ id: String, _ name: String) -> Bool { id == name || id.hasPrefix(name + "/") }

    /// Runs a part of the start; see ``startFailure(_:)``.
    private static func starting<T: ~Copyable>(_ body: () throws -> T) throws -> T {
        do { return try body() } catch { throw startFailure(error) }
    }

    /// The error for a start that found no room, in terms of the service; any other error as it is.
    ///
    /// A command that reads makes do without room: it takes the store for itself. A process that runs for long must share
    /// it, for which SQLite needs some kilobytes beside the database.
    private static func startFailure(_ error: any Error) -> any Error {
        let told = (error as? SystemError).map { HubError(storeFile: $0) } ?? error
        guard let failure = told as? HubError, failure.code == "disk-full" else { return error }
        return HubError(
            .busy, code: failure.code, "hub serve cannot start: the disk of the store is full",
            details: ["commands that only read still work, such as hub contacts list"],
            hint: "free some space and start it again; systemd retries automatically", cause: error)
    }

    private static func alreadyRunning(_ hub: Hub) throws -> HubError {
        let holder = try holder(hub)
        let details = holder.map { ["process \($0.process): \($0.command)"] } ?? []
        return HubError(
            .busy, code: "already-running", "hub serve is already running on this store", details: details,
            hint: "hub status shows its state")
    }
}

/// Rolls back the unfinished work of processes that died, so that half an import is not visible for long.
struct CrashRecovery: Service {
    private static let interval = Duration.seconds(30)

    private let hub: Hub

    init(_ hub: Hub) { self.hub = hub }

    func run() async throws {
        while true {
            try await hub.database().rollBackAbandoned()
            try await hub.clock.sleep(for: Self.interval)
        }
    }
}
