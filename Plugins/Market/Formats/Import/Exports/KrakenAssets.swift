/// The names of assets that Kraken alone uses.
enum KrakenAssets {
    /// The oldest coins, which have an X before their symbol, as money has a Z.
    private static let classic: Set<String> = [
        "XBT", "XDG", "ETC", "ETH", "ICN", "LTC", "MLN", "REP", "XLM", "XMR", "XRP", "ZEC",
    ]
    private static let symbols = ["XBT": "BTC", "XDG": "DOGE", "ETH2": "ETH"]

    /// What pairs without a separator end in. A longer list would split `DOTUSD` before TUSD.
    private static let quotes = [
        "AED", "AUD", "CAD", "CHF", "DAI", "DOT", "ETH", "EUR", "EURC", "EURQ", "EURR", "GBP", "JPY", "PYUSD", "RLUSD",
        "SOL",
        "USD", "USDC", "USDG", "USDQ", "USDR", "USDT", "XBT",
    ]

    /// The code of credits that pay fees, which cannot be traded.
    static let feeCredit = "KFEE"

    /// Returns the asset of a code: `XXBT` is BTC, `ZEUR` money, `DOT28.S`, `ETH.F` and `ETH2` are staked coins.
    static func asset(_ code: String) -> ImportedAsset? {
        var name = code.uppercased()
        if let point = name.lastIndex(of: "."), point > name.startIndex {
            let suffix = name[point...]
            name = String(name[..<point])
            // The number of days that they are bonded for.
            if suffix == ".S" {
                while name.count > 2, name.last?.isNumber ?? false, name != "ETH2" { name.removeLast() }
            }
        }
        let rest = String(name.dropFirst())
        if name.count == 4, name.first == "X" && classic.contains(rest) || name.first == "Z" && isMoney(rest) {
            name = rest
        }
        return ImportedAsset(symbol: symbols[name] ?? name)
    }

    private static func isMoney(_ code: String) -> Bool { FiatCodes.all.contains(code.lowercased()) }

    /// Splits a pair such as `XXBTZEUR`, `XBT/USD` or `ADAETH`.
    static func pair(_ text: String) -> TradingPair? {
        let name = text.uppercased()
        let (base, quote) = (String(name.prefix(4)), String(name.suffix(4)))
        let isClassic =
            quote.first == "Z" && isMoney(String(quote.dropFirst()))
            || quote.first == "X" && classic.contains(String(quote.dropFirst()))
        if name.count == 8, isClassic, base == "USDT" || base.first == "X" && classic.contains(String(base.dropFirst()))
        {
            return TradingPair(base: base, quote: quote)
        }
        return TradingPair(name, quotes: quotes)
    }
}
