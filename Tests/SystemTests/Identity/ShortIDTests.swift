import System
import Testing

@Suite struct ShortIDTests {
    @Test func `an id is shown as short as it is unique, never under three characters`() {
        let ids = ["7kt3", "7kt4", "7kx1", "8aaa"]
        let shown = ids.map { id in
            ShortIDs.shorten(id) { prefix in ids.filter { $0.hasPrefix(prefix) }.count == 1 }
        }
        #expect(shown == [4, 4, 3, 3])
        #expect(ShortIDs.shorten("7kt4", before: "7kt3", after: "7kx1") == 4)
        #expect(ShortIDs.shorten("8aaa", before: "7kx1", after: nil) == 3)
    }

    @Test func `the lengths of a list are those that tell its ids apart`() {
        #expect(ShortIDs.lengths(["8aaa", "7kt3", "7kx1", "7kt4"]) == [3, 4, 3, 4])
        #expect(ShortIDs.lengths([]) == [])
    }
}
