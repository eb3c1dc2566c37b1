package import BigInteger
package import CivilDate

/// Daily rates of currencies, each the number of its units for one euro, as the European Central Bank publishes them.
package struct ExchangeRates: Hashable, Sendable {
    /// A rate of a day.
    package struct Rate: Hashable, Sendable {
        /// The day.
        package let day: CivilDate
        /// The number of units for one euro, above zero.
        package let units: BigDecimal

        package init(day: CivilDate, units: BigDecimal) {
            self.day = day
            self.units = units
        }
    }

    /// The number of days that a rate stays in use when none is published: weekends and holidays are shorter.
    package static let maximumAge = 7

    private let rates: [Currency: [Rate]]

    /// Takes rates in any order.
    package init(_ rates: [Currency: [Rate]] = [:]) {
        self.rates = rates.mapValues { $0.sorted { $0.day < $1.day } }
    }

    /// The euro, in which all rates are given.
    package static let euro = Currency(known: "eur")

    /// Returns the number of units of a currency for one euro on a day: the last rate of that day or the seven days before it;
    /// nil if there is none.
    package func units(of currency: Currency, on day: CivilDate) -> BigDecimal? {
        if currency == Self.euro { return 1 }
        guard let known = rates[currency] else { return nil }
        var (low, high) = (0, known.count)
        while low < high {
            let middle = (low + high) / 2
            if known[middle].day <= day { low = middle + 1 } else { high = middle }
        }
        guard low > 0, day.daysSinceEpoch - known[low - 1].day.daysSinceEpoch <= Self.maximumAge else { return nil }
        return known[low - 1].units
    }

    /// Returns an amount in another currency at the rates of a day, rounded once to ``CostBasis/fractionDigits``; nil without a
    /// rate. In the same currency the amount stays as it is.
    package func convert(
        _ amount: BigDecimal, from currency: Currency, to other: Currency, on day: CivilDate
    ) -> BigDecimal? {
        if currency == other { return amount }
        guard let own = units(of: currency, on: day), let wanted = units(of: other, on: day) else { return nil }
        return (amount * wanted).divided(by: own, fractionDigits: CostBasis.fractionDigits)
    }
}

/// The days for which the rates of a currency are known.
package struct RateRange: Hashable, Sendable {
    /// The currency.
    package let currency: Currency
    /// The day of the first rate.
    package let first: CivilDate
    /// The day of the last rate.
    package let last: CivilDate
    /// The number of rates.
    package let count: Int

    package init(currency: Currency, first: CivilDate, last: CivilDate, count: Int) {
        self.currency = currency
        self.first = first
        self.last = last
        self.count = count
    }
}
