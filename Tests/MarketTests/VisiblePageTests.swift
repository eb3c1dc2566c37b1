import Market
import Testing

struct VisiblePageTests {
    @Test(arguments: [
        (14, 11, 13, 2), (10, 6, 8, 2), (0, 7, 7, 1), (0, 1, 1, 1), (9, 1, 1, 10), (5, 2, 4, 2), (4, 5, 9, 1),
    ])
    func `the vectors of the visible page`(first: Int, count: Int, size: Int, page: Int) {
        #expect(VisiblePage(first: first, count: count) == VisiblePage(size: size, number: page))
    }

    @Test func `the visible page covers the window and is the smallest that does`() {
        #expect(VisiblePage(first: 15, count: 0) == nil && VisiblePage(first: -1, count: 3) == nil)
        for first in 0...120 {
            for count in 1...40 {
                let least = (count...first + count).first { first / $0 == (first + count - 1) / $0 }
                guard let page = VisiblePage(first: first, count: count) else {
                    Issue.record("no page for \(first), \(count)")
                    continue
                }
                #expect(page.size == least && page.number == first / page.size + 1)
                #expect(page.rows.contains(first) && page.rows.contains(first + count - 1))
            }
        }
    }
}
