import BigInteger
import MarketDomain
import MarketFormats
import TestSupport
import Testing
import Time

struct MarketBackendTests {
    /// What the backend writes.
    private static func backend(_ arguments: [String]) throws -> [String] {
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return try PythonProgram(
            "../MarketBackend/backend.py", arguments, interpreter: "\(root)/.build/peers/bin/python"
        ).lines()
    }

    /// The answer of the backend to a GET.
    private static func answer(_ target: String, _ arguments: String...) throws -> [UInt8] {
        Array(try backend(["--manual-clock", "--print", target] + arguments).joined(separator: "\n").utf8)
    }

    @Test func `the answers of the fake backend are what the decoders read`() throws {
        let arrival = Instant(milliseconds: 1_790_000_000_000)
        let request = CoinGeckoAPI(plan: .keyless).markets(page: 2, size: 250, in: .usd, sparkline: true)
        let page = try CoinGeckoMarkets.page(Self.answer("/api/v3" + request.target, "--odd-names"), arrival: arrival)
        #expect(page.rows.count == 250 && page.droppedRows == 0 && page.lostFields == 0)
        #expect(page.rows.first?.token.id == "coin-250" && page.rows.first?.rank == 251)
        #expect(page.rows.allSatisfy { $0.sparkline?.levels.count == 56 && $0.price.value(.current) != nil })
        #expect(
            page.rows.contains { $0.token.name == "Red" } && !page.rows.contains { $0.token.name.contains("\u{1B}") })

        let tickers = try Self.answer("/v1" + CoinPaprikaAPI.tickers(in: .usd).target, "--tokens", "40")
        let others = try CoinPaprikaTickers(currency: .usd).page(tickers, arrival: arrival)
        #expect(others.rows.count == 40 && others.droppedRows == 0 && others.lostFields == 0)
        // Both tell the price of the same market, under ids of their own.
        let first = try CoinGeckoMarkets.page(
            Self.answer("/api/v3/coins/markets?vs_currency=usd&per_page=40"), arrival: arrival)
        #expect(zip(first.rows, others.rows).allSatisfy { $0.price.value(.current) == $1.price.value(.current) })
        #expect(Set(first.rows.map(\.token.id)).isDisjoint(with: others.rows.map(\.token.id)))

        let api = CoinGeckoAPI(plan: .keyless)
        let series = try CoinGeckoChart.series(Self.answer("/api/v3" + api.chart("coin-1", days: 7, in: .usd).target))
        let candles = try CoinGeckoChart.candles(
            Self.answer("/api/v3" + api.candles("coin-1", days: 7, in: .usd).target))
        #expect(series.points.count == 168 && candles.count == 42)
        #expect(
            try CoinGeckoSearch.hits(Self.answer("/api/v3" + api.search("Coin 7").target)).first?.token.id == "coin-7")
        let some = try #require(api.markets(ids: ["coin-3", "none"], in: .usd, sparkline: false).first)
        let rows = try CoinGeckoMarkets.page(Self.answer("/api/v3" + some.target), arrival: arrival).rows
        #expect(rows.map(\.token.id) == ["coin-3"])
        #expect(rows.first?.price.value(.current) == first.rows[3].price.value(.current))
        #expect(throws: GatewayError.malformed("coin not found")) {
            try CoinGeckoChart.series(Self.answer("/api/v3" + api.chart("none", days: 1, in: .usd).target))
        }
    }

    /// The fake backend speaks what the decoders read; its own checks run over sockets of loopback.
    @Test func `the fake backend passes its self-test`() throws {
        let lines = try Self.backend(["--self-test"])
        #expect(lines.count == 8)
        for line in lines { #expect(line.hasPrefix("ok "), "\(line)") }
    }
}
