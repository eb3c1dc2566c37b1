import CivilDate
import MinteeDomain
import Testing

/// The days that a calendar shows.
struct SyncWindowTests {
    private static let today = CivilDate(daysSinceEpoch: 20_777)

    @Test func `a window shows due days around today, and filled ones further back`() throws {
        let window = SyncWindow(today: Self.today, back: 30, ahead: 14, filledBack: 90)
        func shows(_ offset: Int, _ isFilled: Bool) -> Bool {
            window.shows(Self.today.adding(days: offset), isFilled: isFilled)
        }
        #expect(shows(-30, false) && !shows(-31, false) && shows(14, false) && !shows(15, false))
        #expect(shows(-90, true) && !shows(-91, true) && shows(60, true))
        #expect(
            SyncWindow(today: Self.today, back: 30, filledBack: 0).shows(Self.today.adding(days: -30), isFilled: true))
        let schedule = Schedule.recurring(
            from: Self.today.adding(days: -1000), to: Self.today.adding(days: 1000),
            [try TargetSet("Mon")])
        #expect(schedule.days(in: window.due).count == (schedule.days.filter { window.due.contains($0) }).count)
        #expect(Schedule.specific([Self.today, Self.today.adding(days: 40)]).days(in: window.due) == [Self.today])
    }
}
