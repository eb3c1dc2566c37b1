import ContactsDomain
import TestSupport
import Testing

/// The cost of a merge grows with the cards and not with their square.
struct MergeScalingTests {
    private func card(_ count: Int, _ digit: Int) -> Card {
        let phones = (0..<count).map { "TEL;TYPE=CELL:+\(digit)\($0)\r\n" }.joined()
        return Card("BEGIN:VCARD\r\nVERSION:3.0\r\nUID:u\r\nFN:u\r\nN:;u;;;\r\n\(phones)END:VCARD\r\n")
    }

    @Test func `a merge costs as much as its numbers, and not as their square`() {
        Scaling.expectLinear("a merge", size: 300) { count in
            (count, base: card(count, 1), ours: card(count, 2), theirs: card(count, 3))
        } _: { count, base, ours, theirs in
            let merge = CardMerge(ours: ours, ourBase: base, theirBase: base, theirs: theirs)
            #expect(merge.conflicts.count == count)
        }
    }
}
