import BigInteger
import Commands
import MarketDomain
import MarketKnownProviders
import TestSupport
import Testing

@testable import Market

/// The live board as a value.
struct BoardScreenTests {
    private func rows(_ range: Range<Int>) throws -> [RankedRow] {
        try range.map { number in
            let token = try #require(Token(id: "coin-\(number)", symbol: "c\(number)", name: "ビット \(number)"))
            return RankedRow(
                number: number + 1,
                row: BoardRow(
                    key: Provider.coingecko.key(token.id), token: token, price: nil, sparkline: nil,
                    seenAt: nil),
                currency: .usd, provider: .coingecko)
        }
    }

    @Test func `the selection stays within the rows, whatever keys come`() {
        var random = SeededGenerator(seed: 7)
        var screen = BoardScreen(size: ScreenSize(columns: 80, rows: 13))
        let keys: [ScreenKey] = [
            .up, .down, .pageUp, .pageDown, .home, .end, .character("j"), .character("k"), .character("G"),
            .character("g"), .character(" "), .character("r"), .character("7"),
        ]
        for _ in 0..<2000 {
            if Int.random(in: 0..<20, using: &random) == 0 { screen.setCount(Int.random(in: 0...60, using: &random)) }
            if Int.random(in: 0..<40, using: &random) == 0 {
                screen.size = ScreenSize(columns: 80, rows: Int.random(in: 1...40, using: &random))
                screen.setCount(screen.count)
            }
            if let key = keys.randomElement(using: &random) { _ = screen.handle(key) }
            #expect(screen.selected >= 0 && screen.selected < max(screen.count, 1))
            #expect(screen.first <= screen.selected && screen.selected < screen.first + screen.height)
        }
    }

    @Test func `keys sort, turn around and ask`() {
        var screen = BoardScreen(size: ScreenSize(columns: 80, rows: 24))
        #expect(screen.handle(.character("p")) == nil && screen.order == LeaderboardOrder(.price))
        #expect(screen.handle(.character("p")) == nil && !screen.order.isDescending)
        #expect(screen.handle(.character("r")) == nil && screen.order.isDescending)
        #expect(screen.handle(.character("W")) == nil && screen.showsWatchlist)
        #expect(screen.handle(.character("w")) == .toggleWatch && screen.handle(.character("R")) == .refresh)
        #expect(
            screen.handle(.character("q")) == .quit && screen.handle(.interrupt) == .quit
                && screen.handle(.escape) == .quit)
    }

    @Test func `a filter is typed, kept and cleared, and its letters are no keys`() throws {
        var screen = BoardScreen(size: ScreenSize(columns: 80, rows: 24))
        screen.setCount(50)
        _ = screen.handle(.end)
        for key in "/quit p" { #expect(screen.handle(.character(key)) == nil) }
        #expect(screen.isTyping && screen.filter == "quit p" && screen.first == 0 && screen.order.column == .rank)
        #expect(screen.sight([], hasMore: true) == PricesInSight(places: 0..<1))
        let help = screen.footer(nil, now: Instant(milliseconds: 0)).last?.map(\.text).joined() ?? ""
        #expect(help.hasPrefix("/quit p_") && DisplayWidth.of(help) <= 80)
        _ = screen.handle(.backspace)
        _ = screen.handle(.backspace)
        #expect(screen.handle(.enter) == nil && screen.filter == "quit" && !screen.isTyping)
        // Keys are keys again, and the first Esc shows all tokens.
        #expect(screen.handle(.character("p")) == nil && screen.order.column == .price)
        #expect(screen.handle(.escape) == nil && screen.filter.isEmpty)
        #expect(screen.handle(.escape) == .quit)
        _ = screen.handle(.character("/"))
        #expect(screen.handle(.backspace) == nil && !screen.isTyping)
        _ = screen.handle(.character("/"))
        for _ in 0..<1000 { _ = screen.handle(.character("ビ")) }
        #expect(screen.filter.count == 40 && screen.handle(.interrupt) == .quit)
    }

    @Test(arguments: [29, 40, 60, 80, 132])
    func `a line fits every width, wide characters too, and has the price`(width: Int) throws {
        var screen = BoardScreen(size: ScreenSize(columns: width, rows: 10))
        screen.setCount(50)
        let lines =
            screen.lines(try rows(0..<7), watched: [], currency: .usd)
            + screen.footer(nil, now: Instant(milliseconds: 0))
        for line in lines { #expect(line.reduce(0) { $0 + DisplayWidth.of($1.text) } <= width) }
        #expect(lines[0].map(\.text).joined().contains("PRICE USD"))
    }

    @Test func `a wider terminal has more columns, and the order is marked in the heading`() throws {
        func heading(_ width: Int, _ key: Character = "#") -> [Substring] {
            var screen = BoardScreen(size: ScreenSize(columns: width, rows: 10))
            if key != "#" { _ = screen.handle(.character(key)) }
            return screen.lines([], watched: [], currency: .usd)[0].map(\.text).joined().split(separator: "  ")
                .map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
        }
        #expect(heading(80) == ["# COIN", "PRICE USD", "24 H", "7 D", "MARKET CAP"])
        #expect(heading(60, "p") == ["# COIN", "▼PRICE USD", "24 H"])
        #expect(heading(140, "v").suffix(3) == ["MARKET CAP", "▼VOLUME", "7 DAYS"] && heading(140).count == 8)
        #expect(heading(80, "n")[0] == "# ▲COIN")
    }

    @Test func `rows in sight and as many again are kept live, in the order of ranks`() {
        var screen = BoardScreen(size: ScreenSize(columns: 80, rows: 13))
        screen.setCount(100)
        #expect(screen.sight([], hasMore: true) == PricesInSight(places: 0..<20))
        _ = screen.handle(.end)
        #expect(
            screen.sight([], hasMore: true).places == 90..<110 && screen.sight([], hasMore: false).places == 90..<100)
        // In another order they are anywhere on the board.
        _ = screen.handle(.character("p"))
        let rows = [7, 3, 5].compactMap { (number: Int) -> RankedRow? in
            Token(id: "c\(number)").map {
                BoardRow(
                    key: TokenKey(.demo, $0.id), token: $0, price: nil, sparkline: nil, seenAt: nil)
            }.map { RankedRow(number: number, row: $0, currency: .usd, provider: .demo) }
        }
        #expect(screen.sight(rows, hasMore: true).tokens.map(\.id) == ["c7", "c3", "c5"])
    }
}
