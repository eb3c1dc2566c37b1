import CivilDate
import ContactsDomain
import Testing

struct PartialDateTests {
    @Test(arguments: [
        ("19850412", "1985-04-12"), ("1985-04-12", "1985-04-12"), ("1985-04", "1985-04"), ("1985", "1985"),
        ("--0415", "--04-15"), ("--04-15", "--04-15"), ("---15", "---15"), ("--04", "--04"),
        ("1953-10-15T23:10:00Z", "1953-10-15"), ("19531015T231000Z", "1953-10-15"),
        ("20090808T1430-0500", "2009-08-08"), ("1604-05-09", "--05-09"), ("16040509", "--05-09"),
        ("1900-12-10", "1900-12-10"), ("--0229", "--02-29"), ("1985-04-12 00:00:00", "1985-04-12"),
    ])
    func `every form of a card is read`(text: String, date: String) {
        #expect(PartialDate(card: text)?.description == date)
    }

    @Test(arguments: [
        "", "-", "---", "0000-00-00", "NaN", "1985-02-31", "1985-13-01", "circa 1800", "1985-4-12", "19850230", "1604",
        "１９８５", "--", "-----", "99999999", "T", "2000-02-3a",
    ])
    func `what is no date is refused`(text: String) {
        #expect(PartialDate(card: text) == nil)
    }

    @Test func `Apple's parameter names the year that means nothing`() {
        let details = card("BDAY;X-APPLE-OMIT-YEAR=1804:1804-05-09").details
        #expect(details.birthday == PartialDate(month: 5, day: 9).map(ContactDate.date))
    }

    @Test(arguments: ["---", "", "0000-00-00", "NaN"])
    func `a birthday that says nothing is absent`(text: String) {
        #expect(card("BDAY:\(text)").details.birthday == nil)
    }

    @Test func `a date that the calendar lacks is kept as text, with a warning`() throws {
        let card = try #require(Samples.cards("moment").last)
        #expect(card.details.birthday == .text("1985-02-31"))
        let problem = try #require(card.problems(firstLine: 7).first)
        #expect(problem.message == "invalid birthday \"1985-02-31\", kept as text")
        #expect(problem.line == 14)
        #expect(problem.subject == "Łukasz Nowak")
    }

    @Test(arguments: [
        ("1985-02-28", "1985-02-28"), ("--02-28", "--02-28"), ("28.02.1985", "1985-02-28"), ("28.2.1985", "1985-02-28"),
        ("28 Feb 1985", "1985-02-28"), ("Feb 28", "--02-28"), ("28 february", "--02-28"),
        ("feb 28, 1985", "1985-02-28"),
        ("28.2.", "--02-28"), ("1985", "1985"), ("1985-2-8", "1985-02-08"), ("2/28/1985", "1985-02-28"),
        ("28/2/1985", "1985-02-28"), ("May 1985", "1985-05"), (" 19850228 ", "1985-02-28"),
        ("3rd March 1985", "1985-03-03"),
        ("2/2/1985", "1985-02-02"), ("29 Feb", "--02-29"), ("--2-8", "--02-08"),
    ])
    func `people's forms are read`(text: String, date: String) throws {
        #expect(try PartialDate(input: text).description == date)
    }

    @Test(arguments: [
        ("31.02.1985", "February 1985 has 28 days", "1985-02-28, --02-28"),
        ("1985-02-31", "February 1985 has 28 days", "1985-02-28, --02-28"),
        ("30 Feb", "February has at most 29 days", "1985-02-28, --02-28"),
        ("31 Apr 1990", "April 1990 has 30 days", "1990-04-30, --04-30"),
        ("1985-13-01", "month 13 does not exist", "1985-12-01, --12-01"),
        ("02/03/1985", "ambiguous date: day or month first?", "1985-03-02, --03-02"),
        ("soon", "not a valid date", "1985-02-28, --02-28"),
        ("12.34.5678.9", "not a valid date", "1985-02-28, --02-28"), ("", "not a valid date", "1985-02-28, --02-28"),
        ("99999999999999999999 May", "not a valid date", "1985-02-28, --02-28"),
    ])
    func `a wrong date says why and what to write`(text: String, reason: String, near: String) {
        #expect {
            try PartialDate(input: text)
        } throws: { error in
            let error = error as? PartialDate.InputError
            return error?.reason == reason
                && error?.hint == "write \(near) without a year, or \"in quotes\" for free text"
        }
    }

    @Test(arguments: [
        ("--02-29", "2026-01-01", "2026-02-28"), ("--02-29", "2028-01-01", "2028-02-29"),
        ("--02-29", "2026-03-01", "2027-02-28"), ("1985-11-20", "2026-11-20", "2026-11-20"),
        ("1985-11-19", "2026-11-20", "2027-11-19"), ("--12-31", "2026-12-31", "2026-12-31"),
    ])
    func `the next occurrence`(date: String, today: String, next: String) throws {
        let date = try #require(PartialDate(card: date))
        let today = try #require(CivilDate(today))
        #expect(date.next(from: today)?.description == next)
    }

    @Test func `29 February may be kept on 1 March`() throws {
        let date = try #require(PartialDate(year: 2000, month: 2, day: 29))
        let today = try #require(CivilDate("2026-01-01"))
        #expect(date.next(from: today, leapDay: .march1)?.description == "2026-03-01")
    }

    @Test(
        arguments: [
            ("1985-11-20", "2026-11-20", 41), ("1985-11-21", "2026-11-20", 40), ("2000-02-29", "2001-02-28", 1),
            ("--11-20", "2026-11-20", nil), ("2030-01-01", "2026-11-20", nil), ("1985", "2026-11-20", nil),
        ] as [(String, String, Int?)])
    func `the age`(date: String, day: String, age: Int?) throws {
        let date = try #require(PartialDate(card: date))
        #expect(date.age(on: try #require(CivilDate(day))) == age)
    }

    @Test func `every month and day is written and read alike`() throws {
        for month in 1...12 {
            for day in 1...31 {
                guard let date = PartialDate(year: 1984, month: month, day: day) else { continue }
                #expect(PartialDate(card: date.description) == date)
                #expect(PartialDate(card: date.basicDescription) == date)
                #expect(try PartialDate(input: date.description) == date)
            }
        }
    }
}
