package import BigInteger
package import CivilDate
package import Time

/// Tokens that come or go on a day, and what was paid for them. Rule R3 of docs/market.md.
package struct PortfolioMovement: Hashable, Sendable {
    /// The day in UTC.
    package let day: CivilDate
    /// The token.
    package let tokenID: String
    /// The number of tokens, negative when they go.
    package let amount: BigDecimal
    /// The money that was paid in, with fees.
    package let paidIn: Double
    /// The money that was taken out, without fees.
    package let takenOut: Double
    /// Whether the tokens themselves were brought in or taken out, so that they count at the price of the day.
    package let isMoved: Bool

    package init(
        day: CivilDate, tokenID: String, amount: BigDecimal, paidIn: Double = 0, takenOut: Double = 0,
        isMoved: Bool = false
    ) {
        self.day = day
        self.tokenID = tokenID
        self.amount = amount
        self.paidIn = paidIn
        self.takenOut = takenOut
        self.isMoved = isMoved
    }

    /// Returns what an entry of the ledger brings in and takes out at a place, or with nil in all places together. `convert` returns
    /// an amount of the entry's currency in that of the values; nil without a rate.
    package static func movements(
        of trade: Trade, at place: String?, convert: (BigDecimal) -> BigDecimal?
    ) -> [PortfolioMovement] {
        func money(_ amount: BigDecimal?) -> Double? { amount.flatMap(convert)?.approximate }
        let fee = money(trade.fee.money) ?? 0
        func movement(_ change: (tokenID: String, amount: BigDecimal)) -> PortfolioMovement {
            let isOwn = change.tokenID == trade.tokenID
            switch (trade.kind, isOwn ? money(trade.total) : nil) {
            case (.buy, let total?):
                return PortfolioMovement(
                    day: trade.date, tokenID: change.tokenID, amount: change.amount, paidIn: total + fee)
            case (.sell, let total?):
                return PortfolioMovement(
                    day: trade.date, tokenID: change.tokenID, amount: change.amount, takenOut: total - fee)
            case (.buy, nil) where isOwn, (.sell, nil) where isOwn, (.giftReceived, _) where isOwn,
                (.giftGiven, _) where isOwn:
                return PortfolioMovement(
                    day: trade.date, tokenID: change.tokenID, amount: change.amount, isMoved: true)
            default:
                return PortfolioMovement(
                    day: trade.date, tokenID: change.tokenID, amount: change.amount,
                    isMoved: trade.kind == .transfer && isOwn)
            }
        }
        let movements = trade.changes(at: place).map(movement)
        let isPaid = (trade.kind == .buy || trade.kind == .sell) && money(trade.total) != nil
        guard fee > 0, !isPaid else { return movements }
        return movements + [PortfolioMovement(day: trade.date, tokenID: trade.tokenID, amount: 0, paidIn: fee)]
    }
}

/// A day of a portfolio.
package struct PortfolioDay: Hashable, Sendable {
    /// The value at the end of the day.
    package let value: Double
    /// The money that was paid in on the day.
    package let paidIn: Double
    /// The money that was taken out on the day.
    package let takenOut: Double

    package init(value: Double, paidIn: Double = 0, takenOut: Double = 0) {
        self.value = value
        self.paidIn = paidIn
        self.takenOut = takenOut
    }
}

/// What a portfolio was worth in the past. It is drawn, never booked, so its values are `Double`.
package struct PortfolioDays: Sendable {
    private let movements: [PortfolioMovement]
    private let prices: [String: ChartSeries]

    /// Creates the past of some movements; tokens without prices count as nothing, neither their values nor what was paid for them.
    package init(_ movements: [PortfolioMovement], prices: [String: ChartSeries]) {
        self.prices = prices.filter { !$0.value.points.isEmpty }
        self.movements = movements.filter { prices[$0.tokenID].map { !$0.points.isEmpty } ?? false }
            .sorted { $0.day < $1.day }
    }

    /// Returns the values at some times, the earliest first. A movement counts from the beginning of its day; before its
    /// first known price a token has that one, and after a price that one until the next.
    package func values(at times: [Instant]) -> [Double] {
        var values = [Double](repeating: 0, count: times.count)
        for (id, own) in Dictionary(grouping: movements, by: \.tokenID) {
            guard let points = prices[id]?.points else { continue }
            var (held, amount, movement, point) = (BigDecimal.zero, 0.0, 0, 0)
            for (place, time) in times.enumerated() {
                let before = movement
                while movement < own.count, own[movement].day.start <= time {
                    held = held + own[movement].amount
                    movement += 1
                }
                if movement != before { amount = held.approximate }
                while point + 1 < points.count, points[point + 1].time <= time { point += 1 }
                values[place] += amount * points[point].value
            }
        }
        return values
    }

    /// Returns the days from the first to the last one, which ends at `now` if that is on it.
    package func days(_ range: ClosedRange<CivilDate>, now: Instant) -> [PortfolioDay] {
        let days = (range.lowerBound.daysSinceEpoch...range.upperBound.daysSinceEpoch).map {
            CivilDate(daysSinceEpoch: $0)
        }
        let values = values(at: days.map { min($0.end, now) })
        let byDay = Dictionary(grouping: movements, by: \.day)
        return zip(days, values).map { day, value in
            var (paidIn, takenOut) = (0.0, 0.0)
            for movement in byDay[day] ?? [] {
                paidIn += movement.paidIn
                takenOut += movement.takenOut
                guard movement.isMoved else { continue }
                let worth = movement.amount.approximate * price(of: movement.tokenID, at: min(day.end, now))
                if worth > 0 { paidIn += worth } else { takenOut -= worth }
            }
            return PortfolioDay(value: value, paidIn: paidIn, takenOut: takenOut)
        }
    }

    /// The last price of a token at a time, or the first one after it.
    private func price(of id: String, at time: Instant) -> Double {
        let points = prices[id]?.points ?? []
        return (points.last { $0.time <= time } ?? points.first)?.value ?? 0
    }
}

/// The return of a portfolio over days, of which the first one is the base: what it was worth at its end. Rules R1 to R6 of
/// docs/market.md.
package enum PortfolioReturn {
    /// Returns the time-weighted return in percent; nil when nothing was held.
    package static func timeWeighted(_ days: [PortfolioDay]) -> Double? {
        var (growth, isKnown) = (1.0, false)
        for (before, day) in zip(days, days.dropFirst()) {
            let invested = before.value + day.paidIn
            guard invested > 0 else { continue }
            growth *= (day.value + day.takenOut) / invested
            isKnown = true
        }
        return isKnown ? (growth - 1) * 100 : nil
    }

    /// Returns the money-weighted return over all days in percent; nil when nothing was held.
    package static func moneyWeighted(_ days: [PortfolioDay]) -> Double? {
        guard let first = days.first, let last = days.last, days.count > 1 else { return nil }
        let count = Double(days.count - 1)
        guard first.value > 0 || days.dropFirst().contains(where: { $0.paidIn > 0 }) else { return nil }
        /// What all that was invested would be worth at the end, if it grew by this factor over all days, less what there is.
        func surplus(_ logarithm: Double) -> Double {
            var sum = first.value * exponential(logarithm) - last.value
            for (index, day) in days.enumerated().dropFirst() where day.paidIn != 0 || day.takenOut != 0 {
                let left = Double(days.count - 1 - index)
                sum += day.paidIn * exponential(logarithm * (left + 1) / count)
                sum -= day.takenOut * exponential(logarithm * left / count)
            }
            return sum
        }
        var (low, high) = (-40.0, 40.0)
        guard surplus(low) <= 0, surplus(high) >= 0 else { return nil }
        for _ in 0..<100 {
            let middle = (low + high) / 2
            if surplus(middle) < 0 { low = middle } else { high = middle }
        }
        return (exponential(high) - 1) * 100
    }

    /// e to the power of a number from -40 to 40: a series after halving the number ten times.
    private static func exponential(_ number: Double) -> Double {
        let small = number / 1024
        var (sum, term) = (1.0, 1.0)
        for index in 1...12 {
            term *= small / Double(index)
            sum += term
        }
        for _ in 0..<10 { sum *= sum }
        return sum
    }
}

/// The closing prices of days.
package enum DailyCloses {
    /// Returns the last price of each day in UTC that is over; a price at midnight closes the day before.
    package static func closes(of series: ChartSeries, before today: CivilDate) -> [CivilDate: Double] {
        var closes: [CivilDate: Double] = [:]
        for point in series.points {
            let day = CivilDate(daysSinceEpoch: Int((point.time.milliseconds - 1).floorDivided(by: 86_400_000)))
            if day < today { closes[day] = point.value }
        }
        return closes
    }

    /// Returns closing prices as a series: each at the last moment of its day.
    package static func series(_ closes: [CivilDate: Double]) -> [ChartPoint] {
        closes.sorted { $0.key < $1.key }.map { ChartPoint(time: $0.key.end, value: $0.value) }
    }
}

extension CivilDate {
    /// The first moment of the day in UTC.
    package var start: Instant { Instant(milliseconds: Int64(daysSinceEpoch) * 86_400_000) }
    /// The last moment of the day in UTC.
    package var end: Instant { Instant(milliseconds: Int64(daysSinceEpoch + 1) * 86_400_000 - 1) }
}

extension Int64 {
    fileprivate func floorDivided(by divisor: Int64) -> Int64 {
        self >= 0 ? self / divisor : -((-self + divisor - 1) / divisor)
    }
}
