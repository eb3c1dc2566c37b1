import BigInteger
package import CivilDate
package import MarketDomain
import SQLite
package import Storage

/// The daily rates of currencies.
extension Transaction {
    /// Stores rates; a day that is known takes the new one. Returns the number of rates that were not known before or differed.
    package func storeRates(_ rates: [Currency: [ExchangeRates.Rate]]) throws -> Int {
        var count = 0
        for (currency, own) in rates {
            for rate in own {
                count += try run(
                    """
                    INSERT INTO market_rate (currency, day, units) VALUES (?, ?, ?)
                    ON CONFLICT (currency, day) DO UPDATE SET units = excluded.units WHERE units <> excluded.units
                    """, currency.code, rate.day.daysSinceEpoch, rate.units.description)
            }
        }
        return count
    }

    /// Returns the rates of some currencies from the week before `first` to `last`.
    package func rates(
        of currencies: Set<Currency>, from first: CivilDate, to last: CivilDate
    ) throws -> ExchangeRates {
        var rates: [Currency: [ExchangeRates.Rate]] = [:]
        for currency in currencies where currency != ExchangeRates.euro {
            rates[currency] = try rows(
                "SELECT day, units FROM market_rate WHERE currency = ? AND day BETWEEN ? AND ? ORDER BY day",
                currency.code, first.daysSinceEpoch - ExchangeRates.maximumAge, last.daysSinceEpoch
            ) { row in
                BigDecimal(row.text(1)).map {
                    ExchangeRates.Rate(day: CivilDate(daysSinceEpoch: row.int(0)), units: $0)
                }
            }.compactMap { $0 }
        }
        return ExchangeRates(rates)
    }

    /// The time of the last attempt to fetch rates; nil for none.
    package func lastRateFetch() throws -> Instant? {
        try row("SELECT max(tried_at) FROM market_rate_fetch") { $0.optionalInt(0) }?.flatMap { $0 }.map {
            Instant(milliseconds: Int64($0))
        }
    }

    /// Notes an attempt to fetch rates from `url`.
    package func noteRateFetch(_ url: String) throws {
        try run(
            "INSERT INTO market_rate_fetch (url, tried_at) VALUES (?, ?) ON CONFLICT (url) DO UPDATE SET tried_at = ?",
            url,
            now.milliseconds, now.milliseconds)
    }

    /// The version of the file that was stored last from `url`; nil when it is not known.
    package func ratesVersion(_ url: String) throws -> RatesVersion? {
        try row("SELECT etag, modified FROM market_rate_fetch WHERE url = ?", url) {
            RatesVersion(etag: $0.optionalText(0), modified: $0.optionalText(1))
        }.flatMap(\.self)
    }

    /// Notes the version of the file that was stored from `url`.
    package func storeRatesVersion(_ version: RatesVersion?, _ url: String) throws {
        try run(
            "UPDATE market_rate_fetch SET etag = ?, modified = ? WHERE url = ?", version?.etag, version?.modified, url)
    }

    /// The currencies with the days of their first and last rates and their number, by code.
    package func rateRanges() throws -> [RateRange] {
        try rows("SELECT currency, min(day), max(day), count(*) FROM market_rate GROUP BY currency ORDER BY currency") {
            row in
            Currency(row.text(0)).map {
                RateRange(
                    currency: $0, first: CivilDate(daysSinceEpoch: row.int(1)),
                    last: CivilDate(daysSinceEpoch: row.int(2)), count: row.int(3))
            }
        }.compactMap { $0 }
    }
}
