import BigInteger
import HubKit
import HubKitTesting
import MarketDomain
import MarketKnownProviders
import SQLite
import Storage
import TestSupport
import Testing

@testable import Market

/// The tables of Market.
struct StoreTests {
    private let database: Database
    private let store: Store
    private let clock = MarketClock()
    private let source = PriceSource(.coingecko, .usd)
    private let cache = Operation("test", kind: .cache)

    init() {
        database = Database(
            at: .memory, plugins: [MarketPlugin.descriptor.schema], clock: clock, executors: .queues)
        store = database.store(for: "market")
    }

    @Test func `the tables follow the rules of history`() throws {
        #expect(try TableRules.breaches(of: MarketPlugin.descriptor.schema) == [])
    }

    /// Tables of before the ledger hold purchases and sales only.
    @Test func `trades of before the ledger are kept, and can be undone`() async throws {
        let folder = try TemporaryFolder()
        let schema = MarketPlugin.descriptor.schema
        let before = PluginSchema(
            owner: "market", migrations: Array(schema.migrations.prefix(2)), recorded: schema.recorded)
        let old = Database(at: .directory(folder.path), plugins: [before], clock: clock)
        try await old.prepare()
        for (id, time) in [("b", 1), ("a", nil)] as [(String, Int?)] {
            try await old.store(for: "market").write(Operation("add")) {
                try $0.run(
                    """
                    INSERT INTO market_trade (id, token, kind, amount, price, fee, currency, day, time, source, revision,
                        created_at, changed_at) VALUES (?, 'bitcoin', 'sell', '0.5', '7', '1', 'eur', '2025-01-02', ?, 's', 1, 0, 0)
                    """, id, time)
            }
        }
        await old.close()
        let new = Database(at: .directory(folder.path), plugins: [schema], clock: clock)
        #expect(try await new.prepare().isEmpty)
        let trades = try await new.store(for: "market").read { try $0.trades().map(\.trade) }
        #expect(trades.map(\.id) == ["a", "b"] && trades.map(\.time) == [nil, 1])
        #expect(trades.map(\.price) == [7, 7] && trades.map(\.fee) == [.money(1), .money(1)])
        #expect(try await new.store(for: "market").read { try $0.hasTrade(from: "s") })
        #expect(try await new.history.undo(as: Operation("undo")).isPossible)
        #expect(try await new.store(for: "market").read { try $0.trades().map(\.id) } == ["b"])
        await new.close()
    }

    private func row(_ id: String, _ price: BigDecimal?, at time: Instant) throws -> MarketRow {
        var value = Price()
        value[.current] = Price.Observation(price, at: time)
        return MarketRow(token: try #require(Token(id: id, symbol: "x", name: id)), rank: nil, price: value)
    }

    /// Stores a page, and returns the ids in the order of their places.
    private func places(page: Int, size: Int, ids: [String], total: Int? = nil) async throws -> [String] {
        let rows = try ids.map { try row($0, 1, at: clock.now) }
        let slice = BoardSlice(
            places: (page - 1) * size..<page * size, total: total,
            rows: MarketPage(rows: rows, sentCount: rows.count, droppedRows: 0, lostFields: 0))
        return try await store.write(cache) { [source] transaction in
            _ = try transaction.storeSlice(slice, from: source)
            return try transaction.places(of: source).map(\.token.id)
        }
    }

    @Test func `pages fill their places in any order`() async throws {
        func ids(_ range: ClosedRange<Int>) -> [String] { range.map { "c\($0)" } }
        #expect(try await places(page: 2, size: 20, ids: ids(21...40), total: 100) == ids(21...40))
        #expect(try await places(page: 1, size: 20, ids: ids(1...20), total: 100) == ids(1...40))
    }

    @Test func `a token has its rank in one place`() async throws {
        _ = try await places(page: 1, size: 3, ids: ["a", "b", "c"], total: 10)
        func ranks() async throws -> (known: [Int?], stored: [Int?]) {
            try await store.read { transaction in
                (
                    try ["a", "b", "c", "d"].map { try transaction.token(TokenKey($0))?.rank },
                    try transaction.rows("SELECT rank FROM market_token ORDER BY token") { $0.optionalInt(0) }
                )
            }
        }
        // A search says a rank; a token on the board has its place.
        let hits = try ["b", "d"].map {
            SearchHit(token: try #require(Token(id: $0, symbol: "x", name: $0)), rank: 40)
        }
        try await store.write(cache) { try $0.storeTokens(hits, of: .coingecko) }
        #expect(try await ranks() == ([1, 2, 3, 40], [nil, nil, nil, 40]))
        // The price of one token brings its rank too.
        let single = try MarketRow(token: #require(Token(id: "d", symbol: "x", name: "d")), rank: 41, price: Price())
        try await store.write(cache) { [source] in _ = try $0.storeRows([single], from: source) }
        #expect(try await ranks() == ([1, 2, 3, 41], [nil, nil, nil, 41]))
        _ = try await places(page: 2, size: 3, ids: ["d"], total: 10)
        #expect(try await ranks() == ([1, 2, 3, 4], [nil, nil, nil, nil]))
    }

    @Test func `a token that moves between pages has one place, and no gap shows`() async throws {
        _ = try await places(page: 1, size: 3, ids: ["a", "b", "c"])
        // c fell to the next page, and d rose to the first one while it was read.
        #expect(try await places(page: 2, size: 3, ids: ["c", "e", "f"]) == ["a", "b", "c", "e", "f"])
        #expect(try await places(page: 1, size: 3, ids: ["a", "b", "d"]) == ["a", "b", "d", "c", "e", "f"])
        #expect(try await places(page: 2, size: 3, ids: ["c", "f", "g"]) == ["a", "b", "d", "c", "f", "g"])
    }

    @Test func `a short page is the last, and a total that shrinks cuts the board`() async throws {
        _ = try await places(page: 1, size: 3, ids: ["a", "b", "c"])
        _ = try await places(page: 2, size: 3, ids: ["d", "e", "f"])
        #expect(try await places(page: 1, size: 3, ids: ["a", "x"]) == ["a", "x"])
        _ = try await places(page: 1, size: 2, ids: ["a", "b"], total: 6)
        _ = try await places(page: 2, size: 2, ids: ["c", "d"], total: 6)
        #expect(try await places(page: 1, size: 2, ids: ["a", "b"], total: 3) == ["a", "b", "c"])
    }

    /// The order of the store is that of the model, whatever pages come.
    @Test func `places are those of the leaderboard, for any pages`() async throws {
        var random = SeededGenerator(seed: 5)
        var board = Leaderboard()
        for _ in 0..<150 {
            let (number, size) = (Int.random(in: 1...4, using: &random), 5)
            let count = Int.random(in: 0..<4, using: &random) == 0 ? Int.random(in: 0...5, using: &random) : 5
            let ids = (0..<40).shuffled(using: &random).prefix(count).map { "coin-\($0)" }
            let total = Bool.random(using: &random) ? 20 : nil
            board.apply(page: number, size: size, ids: Array(ids), total: total)
            let stored = try await places(page: number, size: size, ids: Array(ids), total: total)
            #expect(stored == board.ids)
        }
    }

    /// A stored price merges as the domain's does, in any order.
    @Test func `prices merge field by field, the later one wins`() async throws {
        var random = SeededGenerator(seed: 9)
        for round in 0..<100 {
            let id = "coin-\(round)"
            var expected = Price()
            for _ in 0..<6 {
                var price = Price()
                for field in Price.Field.allCases where Bool.random(using: &random) {
                    let value = Int.random(in: 0..<4, using: &random)
                    price[field] = Price.Observation(
                        value == 0 ? nil : BigDecimal(BigInteger(value), scale: 2),
                        at: clock.now + .seconds(Int.random(in: 0..<5, using: &random)))
                }
                expected.merge(price)
                let update = MarketRow(token: try #require(Token(id: id)), price: price)
                let source = source
                _ = try await store.write(cache) { try $0.storeRows([update], from: source) }
            }
            let source = source
            let key = Provider.coingecko.key(id)
            let stored = try await store.read { try $0.boardRows([key], from: source).first?.price?.price ?? Price() }
            for field in Price.Field.allCases { #expect(stored.value(field) == expected.value(field)) }
        }
    }

    /// A store that something else has written to, or that a damaged disk has changed.
    @Test(arguments: ["", "=", "0", "0=", "x=1", "0=NaN", "0=1e999999999", "99=1 0", "0=12@x@", "0= 0= 0=", "\u{1}"])
    func `a stored price that cannot be read costs its field, and the next one heals it`(damaged: String) async throws {
        let (source, cache, now) = (source, cache, clock.now)
        let rows = try ["a", "b", "c"].map { try row($0, 5, at: now) }
        let keys = rows.map { source.provider.key($0.token.id) }
        let newer = try row("b", 7, at: now + .seconds(1))
        _ = try await store.write(cache) { try $0.storeRows(rows, from: source) }
        try await store.write(cache) { transaction in
            try transaction.run(
                "UPDATE market_price SET fields = ?, sparkline = ? WHERE token = ?", damaged, [0] as [UInt8],
                keys[1].text)
        }
        let read = try await store.read { try $0.boardRows(keys, from: source) }
        #expect(read.map(\.key) == keys && read[0].value(.current) == 5 && read[2].value(.current) == 5)
        #expect(read[1].value(.current) == nil || damaged.contains("12"))
        let changed = try await store.write(cache) { try $0.storeRows([newer], from: source) }
        let healed = try await store.read { try $0.boardRows(keys, from: source) }
        #expect(changed == [keys[1]] && healed.map { $0.value(.current) } == [5, 7, 5])
    }

    @Test func `prices of two sources are kept apart, and a token is matched by name and symbol only`() async throws {
        let (first, second) = (source, PriceSource(.coinpaprika, .usd))
        let bitcoin = MarketRow(
            token: try #require(Token(id: "bitcoin", symbol: "btc", name: "Bitcoin")),
            price: try row("x", 1, at: clock.now).price)
        let other = MarketRow(
            token: try #require(Token(id: "btc-bitcoin", symbol: "BTC", name: "Bitcoin")),
            price: try row("x", 2, at: clock.now).price)
        let fake = MarketRow(
            token: try #require(Token(id: "btc-fake", symbol: "BTC", name: "Bitcoin Fake")),
            price: try row("x", 3, at: clock.now).price)
        let found = try await store.write(cache) { transaction in
            _ = try transaction.storeRows([bitcoin], from: first)
            _ = try transaction.storeRows([other, fake], from: second)
            return (
                try transaction.counterpart(of: TokenKey("bitcoin"), in: .coinpaprika),
                try transaction.counterpart(of: TokenKey("coinpaprika:btc-fake"), in: .coingecko),
                try transaction.boardRows([TokenKey("bitcoin")], from: first).first?.value(.current),
                try transaction.boardRows([TokenKey("bitcoin")], from: second).first?.value(.current)
            )
        }
        #expect(found.0 == TokenKey("coinpaprika:btc-bitcoin") && found.1 == nil)
        #expect(found.2 == 1 && found.3 == nil)
    }
}
