import HubKit
import WebServer

/// `hub serve`: the one process that runs the services of the enabled plugins.
struct Daemon: Sendable {
    /// The lock that says that a daemon runs.
    private static let lock = "serve"

    private let hub: Hub
    /// The services to run, by name; nil stands for all.
    private let only: [String]?

    init(_ hub: Hub, only: [String]? = nil) {
        self.hub = hub
        self.only = only
    }

    /// The daemon that runs on this store, or nil.
    static func holder(_ hub: Hub) throws -> FileLock.Holder? {
        try FileLocks(directory: hub.directories.locks, clock: hub.clock).holder(of: lock)
    }

    /// Serves until a signal arrives. `ready` is called with the address of the page.
    func run(ready: @escaping @Sendable (SocketAddress) -> Void) async throws {
        let signals = await ProcessSignals.stream(ProcessSignals.stopping)
        let locks = FileLocks(directory: hub.directories.locks, clock: hub.clock)
        let (right, problems): (FileLock, [String: HubError])
        do {
            guard let free = try locks.tryAcquire(Self.lock) else { throw try Self.alreadyRunning(hub) }
            right = free
            problems = try await hub.database().prepare()
            if let refusal = try await hub.database().writeRefusal() { throw refusal }
        } catch {
            throw Self.startFailure(error)
        }
        defer { withExtendedLifetime(right) {} }
        for (plugin, problem) in problems { hub.log.error("\(plugin): \(problem)") }
        for problem in try hub.configuration().warnings { hub.log.labelled("config").warning(problem.lines[0]) }
        hub.listen()
        let reports = ServiceReports(hub)
        defer { reports.remove() }
        let supervisor = Supervisor(try services(ready), clock: hub.clock, log: hub.log)
        let notifier = SystemdNotifier(environment: hub.environment.variables)
        await ServiceHost(supervisor, notifier: notifier, clock: hub.clock, log: hub.log) { reports.write($0) }
            .run(until: signals)
    }

    /// The names of the services that would run.
    func serviceNames() throws -> [String] { try services { _ in }.map(\.id) }

    /// Returns the services to run: event delivery, recovery, housekeeping, the page, and those of the enabled
    /// plugins.
    private func services(_ ready: @escaping @Sendable (SocketAddress) -> Void) throws -> [SupervisedService] {
        let hub = hub
        var all = [
            SupervisedService("events") { DeliveryService(hub) },
            SupervisedService("recovery") { CrashRecovery(hub) },
            SupervisedService("housekeeping") { MaintenanceService(hub) },
            SupervisedService("config") {
                ConfigWatch(manager: hub.configManager, clock: hub.clock, log: hub.log.labelled("config"))
            },
            SupervisedService("web") { try PageService(hub, ready: ready) },
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
                        listener, of: descriptor.id, settings, host: hub, log: hub.log.labelled(descriptor.id))
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

    private static func matches(_ id: String, _ name: String) -> Bool { id == name || id.hasPrefix(name + "/") }

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
