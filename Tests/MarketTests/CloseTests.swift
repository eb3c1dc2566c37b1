import CivilDate
import HTTPClient
import HubKit
import MarketDomain
import MarketKnownProviders
import Storage
import TestSupport
import Testing

@testable import Market

/// Stored closing prices as the values of entries that have none of their own.
@Suite(.timeLimit(.minutes(20)))
struct CloseTests {
    private func day(_ text: String) throws -> CivilDate { try #require(CivilDate(text)) }

    /// Stores closing prices of a coin.
    private func store(_ closes: [String: Double], of coin: String, in currency: Currency, _ hub: MarketHub)
        async throws
    {
        let days = try closes.map { (try day($0.key), $0.value) }
        let range = try #require(days.map(\.0).min())...(try #require(days.map(\.0).max()))
        try await hub.market { market in
            _ = try await market.store.write(Operation("test", who: .service("market"), kind: .fetched)) {
                try $0.storeCloses(
                    Dictionary(uniqueKeysWithValues: days), of: TokenKey(coin), in: currency, range: range)
            }
        }
    }

    private func hub() async throws -> MarketHub {
        let hub = try MarketHub()
        for line in [
            "income 2 btc --date 2026-01-01", "swap 1 btc 4 eth --date 2026-01-02",
            "gift received 3 ada --date 2026-01-05", "sell 1 btc --price 120.005 --date 2026-02-01",
        ] {
            let run = await hub.run("market portfolio \(line)")
            #expect(run.exit == 0, "\(run.all)")
        }
        return hub
    }

    @Test func `what has no value counts at the stored close, marked everywhere`() async throws {
        let hub = try await hub()
        let id = { (symbol: String) async -> String in
            await hub.run("market portfolio history \(symbol) --plain=token --limit 1").output.filter { $0 != "\n" }
        }
        // Nothing is stored: nothing is known, and it is said which closes are missing.
        let bare = await hub.run("market portfolio gains --plain=gain,income,unknown,unknown_income,by_close")
        #expect(bare.output == "0.00\t0.00\t2\t1\t0\n" && bare.exit == 2, "\(bare.all)")
        #expect(bare.messages.contains("no closing price is stored of ADA on 2026-01-05, BTC on 2026-01-01"))
        try await store(["2026-01-01": 100.01, "2026-01-02": 110.5], of: await id("btc"), in: .usd, hub)
        let gains = await hub.run(
            "market portfolio gains --json=gain,income,exact_income,unknown,by_close,income_by_close")
        #expect(
            gains.output
                == #"[{"gain":"30.49","income":"200.02","exact_income":"200.02","unknown":0,"by_close":2,"income_by_close":1}]"#
                + "\n", "\(gains.all)")
        let table = await hub.run("market portfolio gains")
        #expect(table.output.contains("~30.49") && table.all.contains("~ by the close of the day"), "\(table.all)")
        let sales = await hub.run("market portfolio report --plain=kind,proceeds,cost,exact_proceeds,by_close")
        #expect(
            sales.output == "swap\t110.50\t100.01\t110.5\tproceeds,cost\nsell\t120.01\t100.01\t120.005\tcost\n",
            "\(sales.all)")
        let csv = await hub.run("market portfolio report --as csv").output.split(whereSeparator: \.isNewline)
        #expect(csv.count == 3 && csv[0].hasSuffix(",by_close") && csv[1].hasSuffix(",proceeds cost"), "\(csv)")
        let list = await hub.run("market portfolio list --plain=coin,cost,exact_cost,cost_by_close")
        #expect(list.output.contains("ETH\t110.50\t110.5\ttrue\n"), "\(list.all)")
        #expect(list.output.contains("ADA\t\t\tfalse\n") && list.messages.contains("the cost of 3 ADA is not known"))
        #expect(await hub.run("market portfolio list").output.contains("~110.50"))
        // The page reads the same.
        let page = try await hub.call(.get, "/api/market/portfolio")
        let year = try #require(page["gains"]?.array?.first)
        #expect(
            year["by_close"]?.integer == 2 && year["income_by_close"]?.integer == 1 && year["gain"]?.string == "30.49")
        #expect(page["missing_closes"]?.string?.contains("ADA on 2026-01-05") ?? false)
        // An export has what was typed, and no value that hub found.
        let export = await hub.run("market portfolio export").output
        #expect(!export.contains("100.01") && !export.contains("110.5"), "\(export)")
    }

    @Test func `a close in another currency counts at the rate of its day`() async throws {
        let hub = try await hub()
        let id = await hub.run("market portfolio history btc --plain=token --limit 1").output.filter { $0 != "\n" }
        try await store(["2026-01-01": 100, "2026-01-02": 110], of: id, in: .usd, hub)
        try hub.write("Date,USD,\n2026-02-02,1.6,\n2026-01-30,1.6,\n2026-01-02,1.25,\n2025-12-31,2,\n", to: "r.csv")
        let missing = await hub.run("market portfolio gains --currency eur --plain=income")
        #expect(missing.exit == 2 && missing.messages.contains("no rate of USD is known"), "\(missing.all)")
        await hub.run("market rates import \(hub.folder)/r.csv")
        let gains = await hub.run("market portfolio gains --currency eur --plain=proceeds,cost,income")
        #expect(gains.output == "163.00\t100.00\t100.00\n", "\(gains.all)")
    }

    @Test func `views fetch the closes that they need once, and none offline`() async throws {
        let backend = try Backend("--tokens", "20")
        let hub = try MarketHub(backend.config("coingecko"))
        await hub.run("market list")
        let run = await hub.run("market portfolio income 2 coin-3 --date 2026-08-01")
        #expect(run.exit == 0, "\(run.all)")
        try await backend.control("log", method: .delete)
        let offline = await hub.run("market portfolio gains --offline --plain=unknown_income")
        #expect(offline.output == "1\n" && offline.exit == 2, "\(offline.all)")
        #expect(try await backend.paths().isEmpty)
        hub.clock.advance(by: .seconds(90))
        let first = await hub.run("market portfolio gains --plain=income,income_by_close")
        #expect(first.exit == 0 && first.output.hasSuffix("\t1\n") && !first.output.hasPrefix("0.00"), "\(first.all)")
        #expect(try await backend.paths().filter { $0.hasSuffix("market_chart") }.count == 1)
        hub.clock.advance(by: .seconds(90))
        #expect(await hub.run("market portfolio gains --plain=income,income_by_close").output == first.output)
        #expect(try await backend.paths().filter { $0.hasSuffix("market_chart") }.count == 1)
        // The chart of the page has the same value at the end of that day.
        let past = try await hub.market { try await $0.portfolioHistory(in: .usd, days: nil) }
        let close = try #require(past.series.points.first)
        let income = try #require(Double(first.output.prefix { $0 != "\t" }))
        #expect(abs(close.value - income) < 0.01, "\(close) \(first.output)")
    }
}
