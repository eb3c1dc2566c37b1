package import CivilDate
package import Commands
import Hashing

/// The part of a plugin in the store of `hub demo`: a year of an invented person's life.
package struct DemoDeclaration: Sendable {
    /// The settings of the plugin in that store, as lines of TOML below `plugins.<id>`.
    package let settings: [String]
    /// The services that do not run there, since they look for things outside of the store, by their names.
    package let idleServices: Set<String>
    /// Returns what happened in that year, in any order.
    package let steps: @Sendable (DemoYear) -> [DemoStep]

    package init(
        settings: [String] = [], idleServices: Set<String> = [],
        steps: @escaping @Sendable (DemoYear) -> [DemoStep]
    ) {
        self.settings = settings
        self.idleServices = idleServices
        self.steps = steps
    }
}

/// Something that happened in the invented year: at its time, the use cases of a plugin are called.
package struct DemoStep: Sendable {
    /// The time, which the clock of the plugin shows meanwhile.
    package let at: Instant
    /// Calls the use cases.
    package let run: @Sendable (any PluginHost) async throws -> Void
}

/// The year that ends today, and the people in it. All of them are invented, and their addresses lead nowhere (RFC 2606).
package struct DemoYear: Sendable {
    /// The time at which it ends.
    package let now: Instant
    /// The day of that time.
    package let today: CivilDate
    /// The number that all random choices follow from.
    package let seed: UInt64
    private let zone: TimeZoneRules

    /// Creates the year that ends at `now`.
    package init(now: Instant, zone: TimeZoneRules, seed: UInt64) {
        self.now = now
        self.seed = seed
        self.zone = zone
        today = zone.localTime(at: now).day
    }

    /// The friends and relatives that several plugins mention.
    package static let friends = ["Ines Okafor", "Jonas Wieland", "Ruth Adeyemi", "Tomas Breivik", "Lena Marchetti"]

    /// Returns what a plugin does `daysAgo` days before today, at a time such as `19:40`, or as late as possible if that lies ahead.
    package func step<P: Sendable>(
        daysAgo: Int, _ time: String, _ run: @escaping @Sendable (P) async throws -> Void
    ) -> DemoStep {
        let minutes = TimeOfDay(time)?.minutes ?? 0
        let wanted = zone.instant(at: LocalTime(day: day(daysAgo), millisecond: minutes * 60_000))
        return DemoStep(at: min(wanted, now)) { host in try await run(host.plugin(P.self)) }
    }

    /// The day so many days before today.
    package func day(_ daysAgo: Int) -> CivilDate { today.adding(days: -daysAgo) }

    /// Random numbers of a part of the year, which do not depend on the other parts.
    package func random(_ part: String) -> DemoRandom { DemoRandom(state: seed ^ FNV1a.hash(part.utf8)) }
}

/// Random numbers that a seed decides (SplitMix64).
package struct DemoRandom: RandomNumberGenerator, Sendable {
    fileprivate var state: UInt64

    /// Returns the next number.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns one of `items`, which are not empty.
    package mutating func pick<Item>(_ items: [Item]) -> Item { items[Int.random(in: items.indices, using: &self)] }

    /// Returns true in `percent` of a hundred cases.
    package mutating func happens(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}
