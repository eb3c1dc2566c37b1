package import Commands
import Glibc
import HubKit
import Storage

extension Hub {
    /// Serves the listeners of a plugin until a signal ends it, beside a running `hub serve` too. Durable events are delivered
    /// meanwhile.
    package func serveListeners(
        of id: String, prepare: @Sendable (any PluginHost) async throws -> Void,
        ready: @escaping @Sendable ([String]) async -> Void
    ) async throws {
        let hub = asDaemon()
        let signals = await ProcessSignals.stream(ProcessSignals.stopping)
        if let problem = try await hub.database().prepare()[id] { throw problem }
        if let refusal = try await hub.database().writeRefusal() { throw refusal }
        try await prepare(hub)
        hub.listen()
        let log = hub.log.labelled(id)
        // A port that is in use ends the command, instead of being tried again.
        let listeners = try hub.descriptor(named: id).listeners.compactMap { declaration in
            try declaration.settings(hub).map { settings in
                (
                    declaration.id,
                    try ListenerService(declaration, of: id, settings, host: hub, log: log)
                )
            }
        }
        let start = hub.clock.now
        let services =
            [SupervisedService("events") { DeliveryService(hub, since: start) }]
            + listeners.map { name, service in SupervisedService("\(id)/\(name)") { service } }
        await ready(listeners.map { "\($0.1.address)" })
        let supervisor = Supervisor(services, clock: hub.clock, log: hub.log)
        let drains = try hub.descriptor(named: id).listeners.compactMap(\.drain)
        let notifier = SystemdNotifier(environment: hub.environment.variables)
        let stops = Self.draining(signals) {
            notifier?.notify(.stopping)
            for drain in drains { await drain(hub) }
        }
        await ServiceHost(supervisor, notifier: notifier, clock: hub.clock, log: hub.log).run(until: stops)
        await hub.finish()
    }

    /// Returns the signals, of which the first SIGTERM waits for `drain`. One that comes meanwhile does not.
    static func draining(_ signals: AsyncStream<Int32>, _ drain: @escaping @Sendable () async -> Void) -> AsyncStream<
        Int32
    > {
        let (stops, stop) = AsyncStream.makeStream(of: Int32.self)
        let relay = Task {
            var draining: Task<Void, Never>?
            defer { draining?.cancel() }
            for await signal in signals {
                guard signal == SIGTERM, draining == nil else {
                    draining?.cancel()
                    stop.yield(signal)
                    continue
                }
                draining = Task {
                    await drain()
                    if !Task.isCancelled { stop.yield(signal) }
                }
            }
        }
        stop.onTermination = { _ in relay.cancel() }
        return stops
    }
}
