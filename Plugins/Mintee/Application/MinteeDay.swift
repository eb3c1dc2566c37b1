package import CivilDate
package import HubKit

/// Which day it is for the person: a day begins when their night ends, not at midnight.
package struct MinteeDay: Sendable {
    /// Where time comes from.
    package let clock: any Clock
    /// Minutes after midnight at which a day begins.
    package let startsAt: Int

    package init(clock: any Clock, startsAt: Int = 0) {
        self.clock = clock
        self.startsAt = startsAt
    }

    /// The day to which a moment belongs.
    func day(of moment: Instant) -> CivilDate {
        LocalZone.system.localTime(at: moment - .seconds(startsAt * 60)).day
    }

    /// The day it is.
    package var today: CivilDate {
        if startsAt == 0 { return clock.today(in: .local) }
        return LocalZone.system.localTime(at: clock.now - .seconds(startsAt * 60)).day
    }

    /// Minutes after midnight on the wall.
    package var minutes: Int { LocalZone.system.localTime(at: clock.now).millisecond / 60_000 }
}
