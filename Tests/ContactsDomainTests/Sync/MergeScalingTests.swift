import ContactsDomain
import Testing

/// The time of a merge grows with the cards and not with their square.
struct MergeScalingTests {
    private func card(_ count: Int, _ digit: Int) -> Card {
        let phones = (0..<count).map { "TEL;TYPE=CELL:+\(digit)\($0)\r\n" }.joined()
        return Card("BEGIN:VCARD\r\nVERSION:3.0\r\nUID:u\r\nFN:u\r\nN:;u;;;\r\n\(phones)END:VCARD\r\n")
    }

    /// The shortest of some runs, in seconds.
    private func time(_ count: Int) -> Double {
        let (base, ours, theirs) = (card(count, 1), card(count, 2), card(count, 3))
        return (0..<3).map { _ in
            let start = ContinuousClock.now
            let merge = CardMerge(ours: ours, ourBase: base, theirBase: base, theirs: theirs)
            let elapsed = ContinuousClock.now - start
            #expect(merge.conflicts.count == count)
            return Double(elapsed.components.attoseconds) / 1e18 + Double(elapsed.components.seconds)
        }.min() ?? 0
    }

    @Test func `eight times the numbers take eight times as long, and not sixty-four`() {
        let ratio = time(2400) / time(300)
        #expect(ratio < 24, "\(ratio)")
    }
}
