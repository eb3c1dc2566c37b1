import Storage
import TestSupport
import Testing

struct SortedIDsTests {
    @Test func `each id of sorted rows is found at its place, whatever it begins with`() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            // Few letters, so that many ids begin alike, are equal to the beginning of others, or are empty.
            let pool = (0..<40).map { _ in
                let length = Int.random(in: 0...12, using: &random)
                return (0..<length).map { _ in Int.random(in: 0..<6, using: &random) == 0 ? "b" : "a" }.joined()
            }
            let ids = Array(Set(pool.prefix(25))).shuffled(using: &random)
            let rows = Set(pool.suffix(30)).sorted()
            var places = SortedIDs(ids)
            for _ in 0..<2 {
                places.restart()
                for row in rows {
                    let found = Array(row.utf8).withUnsafeBytes { places.place(of: $0) }
                    #expect(found == ids.firstIndex(of: row))
                }
            }
        }
    }

    @Test func `an id that comes several times in a row is found each time`() {
        var places = SortedIDs(["8b", "7a"])
        for row in ["7a", "7a", "7b", "8b", "8b"] {
            let found = Array(row.utf8).withUnsafeBytes { places.place(of: $0) }
            #expect(found == ["8b", "7a"].firstIndex(of: row))
        }
    }
}
