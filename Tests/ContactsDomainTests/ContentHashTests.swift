import ContactsDomain
import Testing

struct ContentHashTests {
    private let plain = card("FN:Ada Lovelace", "TEL;TYPE=CELL:1", "UID:1", "REV:2020", "PRODID:x")

    @Test(arguments: [
        card("TEL;TYPE=CELL:1", "FN:Ada Lovelace", "UID:1"), card("FN:Ada", "  Lovelace", "tel;TYPE=CELL:1"),
        card("FN:Ada Lovelace", "TEL;TYPE=CELL:1", "REV:2021", lineEnd: "\n"),
        card("FN:Ada Lovelace", "TEL;TYPE=CELL:1", "", "CREATED:x", "X-RADICALE-NAME:y"),
    ])
    func `order, folds, line ends and program's own lines do not count`(other: Card) {
        #expect(other.contentHash == plain.contentHash)
    }

    @Test(arguments: [
        card("FN:Ada Lovelace", "TEL;TYPE=CELL:2"), card("FN:Ada Lovelace", "TEL;TYPE=HOME:1"), card("FN:Ada Lovelace"),
        card("FN:Ada Lovelace", "TEL;TYPE=CELL:1", "TEL;TYPE=CELL:1"),
    ])
    func `every value counts`(other: Card) {
        #expect(other.contentHash != plain.contentHash)
    }

    @Test func `lines that change together do not cancel each other out`() {
        let cards = (0..<5000).map { card("FN:Person \($0)", "TEL:\($0 + 100_000)", "EMAIL:p\($0)@x.org") }
        #expect(Set(cards.map { UInt64(truncatingIfNeeded: $0.contentHash) }).count == 5000)
    }
}
