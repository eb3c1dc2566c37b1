import CivilDate
import Testing

struct CivilDateTests {
    @Test func `every day from 1600 to 2400 follows the one before it`() throws {
        var expected = try #require(CivilDate(year: 1600, month: 1, day: 1))
        for year in 1600...2400 {
            for month in 1...12 {
                for day in 1...CivilDate.daysInMonth(month, of: year) {
                    let date = try #require(CivilDate(year: year, month: month, day: day))
                    #expect(date == expected)
                    let back = date.components
                    #expect(back == (year, month, day))
                    expected = expected.adding(days: 1)
                }
            }
        }
    }

    @Test(arguments: [("1970-01-01", 0), ("2000-02-29", 11_016), ("1969-12-31", -1), ("2026-11-20", 20_777)])
    func `text and day number agree`(text: String, days: Int) throws {
        let date = try #require(CivilDate(text))
        #expect(date.daysSinceEpoch == days)
        #expect(date.description == text)
    }

    @Test(arguments: [
        "2026-02-29", "2026-13-01", "2026-00-10", "2026-1-01", "20261120", "2026-11-20 ", "２026-11-20", "",
    ])
    func `text that is no day is refused`(text: String) {
        #expect(CivilDate(text) == nil)
    }

    @Test func `weekdays are those of the calendar`() throws {
        #expect(try #require(CivilDate("2026-11-20")).weekday == .friday)
        #expect(try #require(CivilDate("1970-01-01")).weekday == .thursday)
        #expect(try #require(CivilDate("1969-12-28")).weekday == .sunday)
    }
}
