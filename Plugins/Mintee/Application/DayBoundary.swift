package import CivilDate
import Commands
package import System

/// The current day of the user: a day begins at a configured time, not at midnight.
package struct DayBoundary: Sendable {
    /// The source of the current time.
    package let clock: any Clock
    /// The start of a day, in minutes after midnight.
    package let startsAt: Int

    package init(clock: any Clock, startsAt: Int = 0) {
        self.clock = clock
        self.startsAt = startsAt
    }

    /// Returns the day of a point in time.
    func day(of moment: Instant) -> CivilDate { day(of: moment, in: .system) }

    /// Returns the day in a time zone. Local clock time determines the start of a day, also across daylight saving
    /// changes.
    func day(of moment: Instant, in zone: TimeZoneRules) -> CivilDate {
        let time = zone.localTime(at: moment)
        return time.millisecond < startsAt * 60_000 ? time.day.adding(days: -1) : time.day
    }

    /// Returns noon of a day, or the start of the day if that is later.
    func middle(of day: CivilDate) -> Instant {
        TimeZoneRules.system.instant(at: LocalTime(day: day, millisecond: max(720, startsAt) * 60_000))
    }

    /// The current day.
    package var today: CivilDate {
        if startsAt == 0 { return clock.today }
        return day(of: clock.now)
    }

    /// The local clock time, in minutes after midnight.
    package var minutes: Int { TimeZoneRules.system.localTime(at: clock.now).millisecond / 60_000 }
}

extension MinteePlugin {
    /// The first day of a week, as the config file says now.
    var weekStart: Weekday { MinteePlugin.weekStart(settings, config) }

    /// The first day of a week, as `settings` say now, else `config`.
    static func weekStart(_ settings: any Settings, _ config: Config) -> Weekday {
        Weekday(((try? settings.current()) ?? config)[HubKeys.weekStart])
    }
}

extension Weekday {
    /// The day of the setting `hub.week_start`.
    fileprivate init(_ setting: HubKeys.WeekStart) {
        self =
            switch setting {
            case .mon: .monday
            case .tue: .tuesday
            case .wed: .wednesday
            case .thu: .thursday
            case .fri: .friday
            case .sat: .saturday
            case .sun: .sunday
            }
    }
}
