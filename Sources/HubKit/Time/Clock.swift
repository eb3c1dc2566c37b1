package import CivilDate

/// The source of time. Tests use a clock that only moves when it is advanced.
package protocol Clock: Sendable {
    /// The moment now, in UTC.
    var now: Instant { get }
    /// Time since an arbitrary start; it never goes back.
    var monotonicNow: Duration { get }
    /// Returns the current date of the user in the time zone `zone`.
    func today(in zone: TimeZoneID) -> CivilDate
    /// Waits for `duration`; throws `CancellationError` when the task is cancelled first.
    func sleep(for duration: Duration) async throws
}

/// A time zone by its name in the IANA database; `local` is the one that this machine is set to.
package struct TimeZoneID: Hashable, Sendable {
    /// The IANA name, such as `Europe/Warsaw`; empty for the machine's own zone.
    package let name: String

    package init(_ name: String) { self.name = name }

    /// The zone that this machine is set to.
    package static let local = TimeZoneID("")
}
