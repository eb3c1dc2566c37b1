import CellarDomain
import CivilDate
import Testing

struct BottleTests {
    @Test(arguments: [(-30, 0, true), (0, 0, true), (1, 0, false), (1, 1, true), (8, 7, false)])
    func `an item is due from some days before its day`(days: Int, ahead: Int, isDue: Bool) throws {
        let today = try #require(CivilDate("2026-11-20"))
        #expect(Bottle(id: "a", name: "First", day: today.adding(days: days)).isDue(on: today, ahead: ahead) == isDue)
    }

    @Test func `an item without a day is never due`() throws {
        #expect(!Bottle(id: "a", name: "First").isDue(on: try #require(CivilDate("2026-11-20")), ahead: 365))
    }

    @Test func `words are compared in small letters`() {
        #expect(Bottle.words("Żółty, no. 2") == ["żółty", "no", "2"])
        #expect(Bottle(id: "a", name: "First one", tags: ["Green"]).searchText == " first one green")
    }
}
