import BigInteger
import CivilDate
import Glibc
import HubKit
import HubKitTesting
import Market
import MarketDomain
import MarketFormats
import MarketKnownProviders
import Storage

/// How long the market takes: decoding pages, storing them, sorting a board, and working through a portfolio.
///
/// The time is the processor's, so that other programs do not count, and the best of some rounds.
struct MarketBenchmark {
    private static let rounds = HubBench.size(15)

    /// Prints one line for each stage, its name and its milliseconds.
    func run(page: [UInt8]) throws {
        let arrival = Instant(milliseconds: 1_790_000_000_000)
        let decoded = try CoinGeckoMarkets.page(page, arrival: arrival)
        let ids = decoded.rows.map(\.token.id)
        let prices = Dictionary(decoded.rows.map { ($0.token.id, $0.price) }) { $1 }
        try measure("decode") { try CoinGeckoMarkets.page(page, arrival: arrival).rows.count }
        try measure("sort") { LeaderboardOrder(.price).sorted(ids, tokens: [:], prices: prices).count }
        try measure("merge") {
            var known = prices
            return decoded.rows.count { known[$0.token.id, default: Price()].merge($0.price) }
        }
        let trades = try lots(HubBench.size(10_000, smallest: 100))
        try measure("portfolio") {
            let ledger = Ledger(trades, basis: .fifo, in: Valuation(in: .usd))
            let worth = Dictionary(uniqueKeysWithValues: (0..<100).map { ("coin-\($0)", BigDecimal(90_000 + $0)) })
            return PortfolioSummary(ledger, prices: worth).positions.count + SaleReport(ledger).years.count
        }
    }

    /// Prints how long pages take from their bytes to a commit in the database below `directory`: `store` into an empty table,
    /// `update` over the rows of the page before, which is a minute older. Each is the processor time of a page, and the best of
    /// some rounds.
    func store(pages: [[UInt8]], directory: String) async throws {
        var stored = Double.infinity
        var updated = Double.infinity
        // The rounds of small pages are short, and one of five may well be disturbed in each.
        for round in 0..<(pages[0].count < 2 << 20 ? Self.rounds : HubBench.size(5)) {
            let database = Database(
                at: .directory("\(directory)/\(round)"), plugins: [MarketPlugin.descriptor.schema], clock: SystemClock()
            )
            try await database.prepare()
            let store = database.store(for: "market")
            for (number, page) in pages.enumerated() {
                let time = try await storing(page, number: number, in: store)
                if number == 0 { stored = min(stored, time) } else { updated = min(updated, time) }
            }
            await database.close()
        }
        print("store\t\(stored * 1000)\t1\nupdate\t\(updated * 1000)\t1")
    }

    private func storing(_ page: [UInt8], number: Int, in store: Store) async throws -> Double {
        let start = processorTime
        let arrival = Instant(milliseconds: 1_790_000_000_000 + Int64(number) * 60_000)
        let decoded = try CoinGeckoMarkets.page(page, arrival: arrival)
        let slice = BoardSlice(places: 0..<decoded.rows.count, total: nil, rows: decoded)
        try await store.write(Operation("market prices", kind: .fetched)) { transaction in
            _ = try transaction.storeSlice(slice, from: PriceSource(.coingecko, .usd))
        }
        return processorTime - start
    }

    /// Trades of a hundred tokens, one in five a sale.
    private func lots(_ count: Int) throws -> [Trade] {
        let start = CivilDate(daysSinceEpoch: 18_000)
        return try (0..<count).map { index in
            try Trade(
                id: "\(index)", tokenID: "coin-\(index % 100)", kind: index % 500 >= 400 ? .sell : .buy,
                amount: BigDecimal(BigInteger(1_500_000_000_000_000_001 + index), scale: 18),
                price: BigDecimal(BigInteger(4_200_010 + index), scale: 2), fee: BigDecimal(BigInteger(1255), scale: 2),
                currency: .usd, date: start.adding(days: index / 4))
        }
    }

    private func measure(_ stage: String, _ work: () throws -> Int) throws {
        var best = Double.infinity
        var kept = 0
        for _ in 0..<Self.rounds {
            let start = processorTime
            kept &+= try work()
            best = min(best, processorTime - start)
        }
        // What was made is counted, or the optimizer would not make it.
        print("\(stage)\t\(best * 1000)\t\(kept / Self.rounds)")
    }

    /// Seconds of processor time that this process has used.
    private var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
