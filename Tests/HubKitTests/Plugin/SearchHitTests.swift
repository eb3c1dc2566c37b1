import HubKit
import Testing

@Suite struct SearchHitTests {
    @Test(arguments: [
        (["ada", "king"], SearchHit.Match.wholeTitle), (["ada"], .titleStart), (["ada", "ki"], .titleStart),
        (["king"], .titleWords), (["ki", "a"], .titleWords), (["ing"], .insideTitle), (["ada", "engine"], .text),
    ])
    func `the place of the words in a title ranks a hit`(words: [String], match: SearchHit.Match) {
        #expect(SearchHit.Match(words, in: ["ada", "king"]) == match)
    }

    @Test func `the whole title is the best place and the text the last`() {
        let places: [SearchHit.Match] = [.titleWords, .wholeTitle, .text, .insideTitle, .titleStart]
        #expect(places.sorted(by: >) == [.wholeTitle, .titleStart, .titleWords, .insideTitle, .text])
    }
}
