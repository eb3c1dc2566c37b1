import BigInteger
import Commands
import HTTPClient
import MarketDomain
import MarketKnownProviders
import Storage
import Synchronization
import Testing

@testable import Market

/// The live board in a terminal, over the fake backend.
@Suite(.timeLimit(.minutes(20)))
struct WatchTests {
    /// A terminal that remembers the latest frame.
    private final class Terminal: FullScreen {
        let size = ScreenSize(columns: 100, rows: 12)
        let events: AsyncStream<ScreenEvent>
        private let keys: AsyncStream<ScreenEvent>.Continuation
        private let frames: AsyncStream<[String]>
        private let frame: AsyncStream<[String]>.Continuation

        init() {
            (events, keys) = AsyncStream.makeStream()
            (frames, frame) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        }

        func show(_ frame: ScreenFrame) {
            self.frame.yield(frame.lines.map { line in line.map(\.text).joined() })
        }

        func close() {}

        func press(_ key: ScreenKey) { keys.yield(.key(key)) }

        /// The next frame that fulfils a condition.
        func frame(where holds: ([String]) -> Bool) async -> [String] {
            for await lines in frames where holds(lines) { return lines }
            return []
        }
    }

    /// The coins of a frame in their order.
    private func coins(_ frame: [String]) -> [String] {
        frame.compactMap { line in
            line.split(separator: " ").first { $0.hasPrefix("C") && Int($0.dropFirst()) != nil }.map(String.init)
        }
    }

    @Test func `pulling the network in mid-watch keeps names, order and age, and it comes back by itself`() async throws
    {
        let backend = try Backend("--tokens", "30")
        let hub = try MarketHub(backend.config("coingecko"), clock: MarketClock(patience: .milliseconds(500)))
        let terminal = Terminal()
        let isOver = Atomic(false)
        // A second passes with each request, so that the screen comes along.
        let time = Task {
            while !isOver.load(ordering: .relaxed) {
                hub.clock.advance(by: .seconds(1))
                try await backend.control("state", method: .get)
            }
        }
        try await hub.market { market in
            async let watching: Void = BoardLoop(market: market, screen: terminal, currency: .usd, isOffline: false)
                .run()
            let before = await terminal.frame { coins($0).count == 9 }
            try await backend.fail(#"{"path": "/api/v3/coins/markets", "transport": "reset", "times": -1}"#)
            let away = await terminal.frame { $0.contains { $0.hasPrefix("! coingecko cannot be reached") } }
            #expect(coins(away) == coins(before))
            #expect(away.contains { $0.contains("prices are ") && $0.contains(" old") }, "\(away)")
            try await backend.control("faults", method: .delete)
            let back = await terminal.frame { frame in
                !frame.contains { $0.hasPrefix("!") } && frame.contains { $0.contains("Data provided by CoinGecko") }
            }
            #expect(coins(back) == coins(before))
            terminal.press(.character("q"))
            try await watching
        }
        isOver.store(true, ordering: .relaxed)
        try await time.value
    }

    @Test func `scrolling fetches more rows, and all of them stay live by the smallest page`() async throws {
        let backend = try Backend("--tokens", "300")
        let hub = try MarketHub(backend.config("status-go"), clock: MarketClock(patience: .milliseconds(500)))
        let terminal = Terminal()
        try await hub.market { market in
            async let watching: Void = BoardLoop(market: market, screen: terminal, currency: .usd, isOffline: false)
                .run()
            _ = await terminal.frame { $0.contains { $0.contains("1 to 9 of 100") } }
            try await backend.waitForLivePage(1, size: 100)
            terminal.press(.end)
            // The last row is the hundredth, so nine more than it are wanted, in steps of fifty.
            _ = await terminal.frame { $0.contains { $0.contains("92 to 100 of 150") } }
            try await backend.waitForLivePage(1, size: 150)
            terminal.press(.character("g"))
            _ = await terminal.frame { $0.contains { $0.contains("1 to 9 of 150") } }
            try await backend.control("market", #"{"tick": 1, "share": 1}"#)
            try await backend.control("clock", #"{"advance": 3}"#)
            let frame = await terminal.frame { lines in !lines.contains { $0.contains("90,000.00") } }
            #expect(coins(frame).count == 9)
            terminal.press(.character("q"))
            try await watching
        }
    }

    @Test func `10,000 coins, and ticks of rows that are out of sight change no line`() async throws {
        let backend = try Backend("--tokens", "10000")
        let hub = try MarketHub(backend.config("coinpaprika"))
        #expect(await hub.run("market list --limit 1").exit == 0)
        try await hub.market { market in
            var screen = BoardScreen(size: ScreenSize(columns: 100, rows: 12))
            var query = BoardQuery(currency: .usd)
            query.limit = 9
            let view = try await market.storedBoard(query)
            #expect(view.count == 10_000 && view.rows.count == 9, "only rows in sight are read")
            screen.setCount(view.count)
            let lines = screen.lines(view.rows, watched: [], currency: .usd)
            let source = try #require(view.origin.source)
            let hidden = try await market.store.read { try $0.places(of: source, offset: 5_000, limit: 500) }
            for second in 1...60 {
                let ticks = hidden.map { row in
                    var price = Price()
                    price[.current] = Price.Observation(.init(second), at: market.clock.now + .seconds(second))
                    return (id: row.token.id, price: price)
                }
                try await market.store(ticks, from: source)
            }
            let now = try await market.storedBoard(query)
            #expect(screen.lines(now.rows, watched: [], currency: .usd) == lines)
            let changed = try await market.store.read { try $0.places(of: source, offset: 5_000, limit: 1) }
            #expect(changed.first?.value(.current) == 60)
        }
    }
}
