package import CivilDate
package import HubKit

/// Which day it is for the person: a day begins when their night ends, not at midnight.
package struct MinteeDay: Sendable {
    /// The source of the current time.
    package let clock: any Clock
    /// Minutes after midnight at which a day begins.
    package let startsAt: Int

    package init(clock: any Clock, startsAt: Int = 0) {
        self.clock = clock
        self.startsAt = startsAt
    }

    /// The day to which a moment belongs.
    func day(of moment: Instant) -> CivilDate { day(of: moment, in: .system) }

    /// The same in a zone. The clock on the wall says when a day begins, also in a night in which it is changed.
    func day(of moment: Instant, in zone: LocalZone) -> CivilDate {
        let time = zone.localTime(at: moment)
        return time.millisecond < startsAt * 60_000 ? time.day.adding(days: -1) : time.day
    }

    /// The day it is.
    package var today: CivilDate {
        if startsAt == 0 { return clock.today(in: .local) }
        return day(of: clock.now)
    }

    /// Minutes after midnight on the wall.
    package var minutes: Int { LocalZone.system.localTime(at: clock.now).millisecond / 60_000 }
}
