package import CivilDate
package import MarketDomain
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

    /// Returns the days whose closing prices were fetched, whether there were any or not; nil for none.
    package func closeRange(of coin: TokenKey, in currency: Currency) throws -> ClosedRange<CivilDate>? {
        try row(
            "SELECT first, last FROM market_close_range WHERE token = ? AND currency = ?", coin.text, currency.code
        ) { row in
            let first = row.int(0)
            return CivilDate(daysSinceEpoch: first)...CivilDate(daysSinceEpoch: max(row.int(1), first))
        }
    }

    /// Stores closing prices, and the days that were fetched.
    package func storeCloses(
        _ closes: [CivilDate: Double], of coin: TokenKey, in currency: Currency, range: ClosedRange<CivilDate>
    ) throws {
        for (day, close) in closes {
            try run(
                "INSERT OR REPLACE INTO market_close (token, currency, day, close) VALUES (?, ?, ?, ?)", coin.text,
                currency.code, day.daysSinceEpoch, close)
        }
        try run(
            "INSERT OR REPLACE INTO market_close_range (token, currency, first, last) VALUES (?, ?, ?, ?)", coin.text,
            currency.code, range.lowerBound.daysSinceEpoch, range.upperBound.daysSinceEpoch)
    }
}
