import CivilDate
package import Commands
import Glibc
package import HubKit
import Storage
import Synchronization

/// The store of `hub demo`: a year of an invented person's life, as the plugins declare it.
package struct DemoStore: Sendable {
    /// The seed without an option.
    package static let seed: UInt64 = 7

    private let plugins: [any Plugin.Type]
    private let environment: ProcessEnvironment
    private let options: ParameterValues

    /// The store in the data folder that `environment` and `options` name.
    package init(
        _ plugins: [any Plugin.Type], environment: ProcessEnvironment, options: ParameterValues = ParameterValues()
    ) {
        self.plugins = plugins
        self.environment = environment
        self.options = options
    }

    /// The lines of the config file of a demo, whose page is at `address`.
    package static func config(of plugins: [any Plugin.Type], address: String) -> String {
        var lines = ["# The settings of hub demo.", "[hub.web]", "listen = \"\(address)\""]
        for descriptor in plugins.map({ $0.descriptor }) {
            guard let settings = descriptor.demo?.settings, !settings.isEmpty else { continue }
            lines += ["", "[plugins.\(descriptor.id)]"] + settings
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Does what the plugins declare, in the order of its time, until `isCancelled` or all is done; returns the number of steps.
    ///
    /// Each step works through the use cases of its plugin under a clock that shows the time of the step, so dates, history and the
    /// trash are those of a store that was used for a year. Nothing is delivered: what happened in that year is over.
    package func fill(
        seed: UInt64, now: Instant, zone: TimeZoneRules, isCancelled: @Sendable () -> Bool = { false }
    ) async throws -> Int {
        let clock = DemoClock(at: now, zone: zone)
        let hub = Hub(
            plugins: plugins, environment: environment, options: options, clock: clock,
            log: Log(label: "demo") { _, _, _ in })
        let year = DemoYear(now: now, zone: zone, seed: seed)
        var count = 0
        do {
            let steps = try hub.enabledDescriptors().compactMap(\.demo).flatMap { $0.steps(year) }
            // Steps of one time stay in the order in which they were declared.
            let order = steps.indices.sorted { (steps[$0].at, $0) < (steps[$1].at, $1) }
            for index in order {
                if isCancelled() { throw CancellationError() }
                clock.show(steps[index].at)
                try await steps[index].run(hub)
                count += 1
            }
        } catch {
            await hub.close()
            throw error
        }
        await hub.close()
        return count
    }
}

/// A clock that shows the times of a past year.
private final class DemoClock: Clock {
    private let shown: Mutex<Instant>
    private let zone: TimeZoneRules
    private let system = SystemClock()

    init(at time: Instant, zone: TimeZoneRules) {
        shown = Mutex(time)
        self.zone = zone
    }

    var now: Instant { shown.withLock(\.self) }
    var monotonicNow: Duration { system.monotonicNow }
    var today: CivilDate { zone.localTime(at: now).day }

    func sleep(for duration: Duration) async throws { try await system.sleep(for: duration) }

    func show(_ time: Instant) { shown.withLock { $0 = time } }
}
