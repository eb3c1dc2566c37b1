import BigInteger
package import CivilDate
package import MarketDomain
import MarketKnownProviders
import SQLite
package import Storage

/// The closing prices of days that are over, which never change.
extension Transaction {
    /// Returns the closing prices of a coin.
    package func closes(of coin: TokenKey, in currency: Currency) throws -> [CivilDate: Double] {
        try Dictionary(
            uniqueKeysWithValues: rows(
                "SELECT day, close FROM market_close WHERE token = ? AND currency = ?", coin.text, currency.code
            ) { (CivilDate(daysSinceEpoch: $0.int(0)), $0.double(1)) })
    }

    /// Returns the closing prices of tokens on days, of those that are stored: in `currency`, or else in another one that has rates.
    package func closePrices(
        of wanted: Set<Valuation.TokenDay>, in currency: Currency
    ) throws -> [Valuation.TokenDay: Money] {
        var prices: [Valuation.TokenDay: Money] = [:]
        for (tokenID, days) in Dictionary(grouping: wanted, by: \.tokenID) {
            let coin = try coin(of: TokenKey(tokenID))
            let others = try rows(
                "SELECT currency FROM market_close_range WHERE token = ? AND currency <> ? ORDER BY currency",
                coin.text, currency.code
            ) { Currency($0.text(0)) }.compactMap(\.self).filter { !$0.isCoin }
            for day in days {
                for own in [currency] + others where prices[day] == nil {
                    prices[day] = try close(of: coin, in: own, on: day.day).map { Money($0, own) }
                }
            }
        }
        return prices
    }

    private func close(of coin: TokenKey, in currency: Currency, on day: CivilDate) throws -> BigDecimal? {
        try row(
            "SELECT close FROM market_close WHERE token = ? AND currency = ? AND day = ?", coin.text, currency.code,
            day.daysSinceEpoch
        ) { BigDecimal("\($0.double(0))", syntax: .json) }.flatMap(\.self)
    }

    /// Returns the days whose closing prices were fetched, whether there were any or not; nil for none.
    package func closeRange(of coin: TokenKey, in currency: Currency) throws -> ClosedRange<CivilDate>? {
        try row(
            "SELECT first, last FROM market_close_range WHERE token = ? AND currency = ?", coin.text, currency.code
        ) { row in
            let first = row.int(0)
            return CivilDate(daysSinceEpoch: first)...CivilDate(daysSinceEpoch: max(row.int(1), first))
        }
    }

    /// Stores closing prices, and the days that were fetched. One that is known stays, since figures were made of it.
    package func storeCloses(
        _ closes: [CivilDate: Double], of coin: TokenKey, in currency: Currency, range: ClosedRange<CivilDate>
    ) throws {
        for (day, close) in closes {
            try run(
                "INSERT OR IGNORE INTO market_close (token, currency, day, close) VALUES (?, ?, ?, ?)", coin.text,
                currency.code, day.daysSinceEpoch, close)
        }
        try run(
            "INSERT OR REPLACE INTO market_close_range (token, currency, first, last) VALUES (?, ?, ?, ?)", coin.text,
            currency.code, range.lowerBound.daysSinceEpoch, range.upperBound.daysSinceEpoch)
    }
}
