import BigInteger
import CivilDate
import Commands
package import HubKit
import MarketDomain
import MarketKnownProviders
import Storage

/// The trades, lists and alerts of `hub demo`.
package enum DemoPortfolio {
    /// A year of purchases at the prices of the invented market, with a sale, a swap, staking, a watchlist and alerts.
    package static let declaration = DemoDeclaration(settings: [#"providers = ["demo"]"#]) { year in
        var random = year.random("trades")
        var steps = [prices(year, 364, "08:55"), prices(year, 0, "00:01")]
        for number in 0..<14 {
            let coin = number % 3 == 2 ? ether : number % 5 == 4 ? solana : bitcoin
            let share = "0.0\(Int.random(in: 11...49, using: &random))"
            let amount = coin == bitcoin ? share : number % 2 == 0 ? "1.5" : "0.75"
            steps.append(trade(year, 360 - number * 24, "09:12", .buy, coin, amount) { $0.place = "Tidal Exchange" })
        }
        for month in 0..<9 {
            let amount = "0.0\(Int.random(in: 4...9, using: &random))"
            let step = trade(year, 270 - month * 30, "04:00", .income, ether, amount) {
                $0.income = .staking
                $0.place = "Cold wallet"
            }
            steps.append(step)
        }
        steps += [
            trade(year, 63, "14:47", .sell, bitcoin, "0.05") { $0.note = "For the bicycle" },
            trade(year, 31, "18:03", .giftGiven, ether, "0.2") { $0.note = "For Lena's wedding" },
            year.step(daysAgo: 200, "20:20") { (market: MarketPlugin) in
                _ = try await market.addToWatchlist(
                    MarketPlugin.defaultList, [bitcoin, ether, solana, Coin("demo-4", "ADA")].map(\.key),
                    operation: command("watchlist add", "btc eth sol ada"))
            },
            alert(year, 90, bitcoin, "> 90000"), alert(year, 90, bitcoin, "-8% in 1d"),
            alert(year, 18, ether, "< 9000"),
        ]
        return steps
    }

    private static let bitcoin = Coin("demo-1", "BTC")
    private static let ether = Coin("demo-2", "ETH")
    private static let solana = Coin("demo-3", "SOL")

    /// A coin of the invented market.
    private struct Coin: Hashable {
        let key: TokenKey
        let symbol: String

        init(_ id: String, _ symbol: String) {
            key = TokenKey(.demo, id)
            self.symbol = symbol
        }
    }

    private static func command(_ verb: String, _ rest: String) -> Operation {
        Operation("market \(verb)", commandLine: "market \(verb) \(rest)")
    }

    /// Fetches the board of the invented market.
    private static func prices(_ year: DemoYear, _ daysAgo: Int, _ time: String) -> DemoStep {
        year.step(daysAgo: daysAgo, time) { (market: MarketPlugin) in
            _ = try await market.refreshBoard(0..<DemoMarket.count, in: market.currency, isOffline: false)
        }
    }

    private static func trade(
        _ year: DemoYear, _ daysAgo: Int, _ time: String, _ kind: Trade.Kind, _ coin: Coin, _ amount: String,
        _ change: (inout Trade.Details) -> Void = { _ in }
    ) -> DemoStep {
        var details = Trade.Details()
        change(&details)
        return year.step(daysAgo: daysAgo, time) { [details] (market: MarketPlugin) in
            let page = DemoMarket.rows([coin.key.id], in: market.currency, at: market.clock.now)
            let trade = try Trade(
                id: Identifier.make(), tokenID: coin.key.text, kind: kind,
                amount: BigDecimal(amount) ?? 1, value: page.rows.first?.price.value(.current).map { .each($0) },
                fee: .money(kind == .buy || kind == .sell ? 2 : 0), currency: market.currency,
                date: year.day(daysAgo), time: (TimeOfDay(time)?.minutes ?? 0) * 60, details: details)
            let words = "\(amount) \(coin.symbol.lowercased()) --date \(year.day(daysAgo))"
            _ = try await market.addTrade(trade, operation: command("portfolio \(kind.rawValue)", words))
        }
    }

    private static func alert(_ year: DemoYear, _ daysAgo: Int, _ coin: Coin, _ condition: String) -> DemoStep {
        year.step(daysAgo: daysAgo, "20:31") { (market: MarketPlugin) in
            guard let known = try await market.tokens(named: coin.symbol, isOffline: false).first else { return }
            _ = try await market.createAlert(
                on: known, try AlertCondition(condition), in: market.currency, command: nil,
                operation: command("alerts new", "\(coin.symbol.lowercased()) '\(condition)'"))
        }
    }
}
