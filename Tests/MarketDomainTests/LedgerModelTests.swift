import BigInteger
import CivilDate
import Glibc
import MarketDomain
import TestSupport
import Testing

/// Random ledgers with every kind of entry, against the model in Python.
struct LedgerModelTests {
    /// The number of ledgers; `HUB_LEDGERS=1000` for many.
    private static let count = getenv("HUB_LEDGERS").flatMap { Int(String(cString: $0)) } ?? 120

    @Test func `random ledgers agree with the model to the last digit`() throws {
        var generator = SeededGenerator(seed: 53)
        var (input, expected): ([String], [String]) = ([], [])
        var (kinds, bases): (Set<Trade.Kind>, Set<CostBasis>) = ([], [])
        for _ in 0..<Self.count {
            let ledger = try RandomLedger(&generator)
            kinds.formUnion(ledger.trades.map(\.kind))
            bases.insert(ledger.basis)
            input.append(ledger.json)
            expected.append(Self.line(ledger.worked))
        }
        let model = try PythonProgram("Models/ledger_model.py").lines(input)
        #expect(model.count == Self.count)
        for (index, (ours, theirs)) in zip(expected, model).enumerated() where ours != theirs {
            let (one, other) = (ours.split(separator: "; "), theirs.split(separator: "; "))
            let place = zip(one, other).enumerated().first { $1.0 != $1.1 }?.offset ?? min(one.count, other.count)
            Issue.record(
                "ledger \(index), part \(place):\n\(one.dropFirst(place).first ?? "")\n\(other.dropFirst(place).first ?? "")\n\(input[index])"
            )
            break
        }
        #expect(kinds.count == Trade.Kind.allCases.count && bases.count == CostBasis.allCases.count)
        let all = model.joined(separator: "; ")
        // Each kind of part occurs.
        for word in ["sell ", "swap ", "gift ", "loss ", "fee ", "move ", " ?", "held "] { #expect(all.contains(word)) }
    }

    /// A ledger in the words of the model.
    private static func line(_ ledger: Ledger) -> String {
        func text(_ number: BigDecimal?) -> String { number?.description ?? "?" }
        let report = SaleReport(ledger)
        let years = report.years.reversed().map { year in
            let sums = [year.proceeds, year.cost, year.income, year.exactProceeds, year.exactCost, year.longTermGain]
            return (["\(year.year)"] + sums.map(text) + ["\(year.unknownGains)", "\(year.unknownIncome)"])
                .joined(separator: " ")
        }
        let held = ledger.lots.sorted {
            ($0.key.tokenID, $0.key.portfolio, $0.key.place ?? "") < (
                $1.key.tokenID, $1.key.portfolio, $1.key.place ?? ""
            )
        }.map { key, lots in
            let unknown = lots.filter { $0.cost == nil }
            let sums = [
                lots.reduce(0) { $0 + $1.amount }, lots.reduce(0) { $0 + ($1.cost ?? 0) },
                unknown.reduce(0) { $0 + $1.amount },
            ]
            return "held \(key.tokenID) \(key.portfolio) \(key.place ?? "") " + sums.map(text).joined(separator: " ")
        }
        let rows = report.rows.map { row in
            let part = row.part
            let words = [
                row.disposal.use.rawValue, row.disposal.key.tokenID, "\(row.sale.date.daysSinceEpoch)",
                part.acquired.map { "\($0.daysSinceEpoch)" } ?? "-", row.heldDays.map { "\($0)" } ?? "-",
                row.isLongTerm.map { $0 ? "1" : "0" } ?? "-",
            ]
            let numbers = [part.amount, part.proceeds, part.cost, part.fee, row.proceeds, row.cost, row.fee]
            return (words + numbers.map(text)).joined(separator: " ")
        }
        let refused = ledger.shortfalls.map {
            "\($0.use?.rawValue ?? "move") \($0.key.tokenID) \($0.amount) \($0.held)"
        }
        return (years + held + rows + refused + ["refused \(refused.count)"]).joined(separator: "; ")
    }
}

/// A random ledger, and the same as JSON for the model.
private struct RandomLedger {
    let basis: CostBasis
    let trades: [Trade]
    let worked: Ledger
    let json: String

    private static let tokens = ["btc", "eth", "ada"]
    private static let places = ["", "a", "b"]
    private static let codes = ["usd", "eur", "jpy"]
    private static let first = 19_700

    init(_ generator: inout SeededGenerator) throws {
        basis = try #require(CostBasis.allCases.randomElement(using: &generator))
        let report = try #require(Self.codes.randomElement(using: &generator))
        let isPerPlace = Bool.random(using: &generator)
        // Either a few days with many entries, or two years.
        let days = Bool.random(using: &generator) ? 40 : 800
        let rates = Self.rates(days, &generator)
        let prices = Self.prices(days, &generator)
        var lines: [String] = []
        trades = try (0..<Int.random(in: 1...45, using: &generator)).map { index in
            let trade = try Self.trade(index, days, &generator)
            lines.append(Self.json(trade))
            return trade
        }
        let known = Dictionary(grouping: rates) { currency($0.code) }.mapValues {
            $0.map { ExchangeRates.Rate(day: CivilDate(daysSinceEpoch: $0.day), units: $0.units) }
        }
        let daily = prices.map {
            (
                Valuation.TokenDay(tokenID: $0.token, day: CivilDate(daysSinceEpoch: $0.day)),
                Money($0.price, currency($0.code))
            )
        }
        worked = Ledger(
            trades, basis: basis,
            in: Valuation(
                in: currency(report), rates: ExchangeRates(known), prices: Dictionary(daily) { first, _ in first }),
            perPlace: isPerPlace)
        let rateText = Dictionary(grouping: rates, by: \.code).map { code, own in
            #""\#(code)":[\#(own.map { #"[\#($0.day),"\#($0.units)"]"# }.joined(separator: ","))]"#
        }
        let priceText = prices.map { #"["\#($0.token)",\#($0.day),"\#($0.price)","\#($0.code)"]"# }
        json = """
            {"basis":"\(basis.rawValue)","currency":"\(report)","per_place":\(isPerPlace),"rates":{\(rateText.joined(separator: ","))},\
            "prices":[\(priceText.joined(separator: ","))],"entries":[\(lines.joined(separator: ","))]}
            """
    }

    /// Rates of most days, so that some are taken from days before, and some are missing.
    private static func rates(
        _ days: Int, _ generator: inout SeededGenerator
    ) -> [(code: String, day: Int, units: BigDecimal)] {
        ["usd", "jpy"].flatMap { code in
            (0..<days).compactMap { day in
                let isKnown = day / 60 % 5 != 4 && Int.random(in: 0..<7, using: &generator) < 4
                guard isKnown else { return nil }
                let units = BigDecimal(BigInteger(Int.random(in: 5_000...20_000, using: &generator)), scale: 4)
                return (code, first + day, code == "jpy" ? units * 140 : units)
            }
        }
    }

    private static func prices(
        _ days: Int, _ generator: inout SeededGenerator
    ) -> [(token: String, day: Int, price: BigDecimal, code: String)] {
        var prices: [(token: String, day: Int, price: BigDecimal, code: String)] = []
        for token in tokens {
            for day in 0..<days where Bool.random(using: &generator) {
                prices.append(
                    (
                        token, first + day, number(1...12, scale: 0...8, &generator),
                        codes.randomElement(using: &generator) ?? "usd"
                    ))
            }
        }
        return prices
    }

    private static func number(
        _ digits: ClosedRange<Int>, scale: ClosedRange<Int>, _ generator: inout SeededGenerator
    ) -> BigDecimal {
        let text = (0..<Int.random(in: digits, using: &generator)).map { _ in
            String(Int.random(in: 0...9, using: &generator))
        }.joined()
        return BigDecimal(BigInteger(text) ?? 0, scale: Int.random(in: scale, using: &generator))
    }

    /// Amounts are small whole numbers half of the time, so that lots end exactly.
    private static func amount(_ generator: inout SeededGenerator) -> BigDecimal {
        Bool.random(using: &generator)
            ? BigDecimal(Int.random(in: 1...4, using: &generator))
            : number(1...19, scale: 17...18, &generator) + BigDecimal(1, scale: 18)
    }

    private static func trade(_ index: Int, _ days: Int, _ generator: inout SeededGenerator) throws -> Trade {
        func pick<T>(_ all: [T]) -> T { all[Int.random(in: 0..<all.count, using: &generator)] }
        func chance(_ one: Int, in all: Int) -> Bool { Int.random(in: 0..<all, using: &generator) < one }
        let kind = chance(2, in: 5) ? .buy : pick(Trade.Kind.allCases)
        let token = pick(tokens)
        var details = Trade.Details()
        details.place = pick(places)
        details.portfolio = chance(1, in: 6) ? "other" : ""
        if kind == .transfer { details.destination = pick(places.filter { $0 != details.place }) }
        if kind == .income { details.income = pick(Trade.Income.allCases) }
        var value: Trade.Value?
        if kind.hasValue, chance(4, in: 5) {
            let sum = number(1...12, scale: 0...6, &generator)
            value = chance(1, in: 3) ? .total(sum) : .each(sum)
        }
        let amount = amount(&generator)
        let received =
            kind == .swap
            ? Trade.Tokens(tokenID: pick(tokens.filter { $0 != token }), amount: Self.amount(&generator)) : nil
        var fee = Trade.Fee.nothing
        if kind != .fee, chance(1, in: 2) {
            let coin = Trade.Tokens(
                tokenID: pick(tokens), amount: number(1...15, scale: 15...17, &generator) + BigDecimal(1, scale: 18))
            fee =
                chance(1, in: 2)
                ? .money(number(0...5, scale: 0...3, &generator))
                : .coin(coin, value: chance(1, in: 3) ? number(1...5, scale: 0...3, &generator) : nil)
        }
        let day = first + Int.random(in: 0..<days, using: &generator)
        return try Trade(
            id: "\(index)", tokenID: token, kind: kind, amount: amount, value: value, received: received, fee: fee,
            currency: currency(pick(codes)), date: CivilDate(daysSinceEpoch: day),
            time: chance(1, in: 3) ? Int.random(in: 0..<86_400, using: &generator) : nil, details: details)
    }

    private static func json(_ trade: Trade) -> String {
        var members = [
            #""kind":"\#(trade.kind.rawValue)","token":"\#(trade.tokenID)","amount":"\#(trade.amount)""#,
            #""currency":"\#(trade.currency.code)","day":\#(trade.date.daysSinceEpoch)"#,
            #""place":"\#(trade.details.place)","destination":"\#(trade.details.destination)""#,
            #""portfolio":"\#(trade.details.portfolio)""#,
        ]
        switch trade.value {
        case .each(let price)?: members.append(#""price":"\#(price)""#)
        case .total(let total)?: members.append(#""total":"\#(total)""#)
        case nil: break
        }
        if let received = trade.received {
            members.append(#""received":["\#(received.tokenID)","\#(received.amount)"]"#)
        }
        switch trade.fee {
        case .money(let fee): members.append(#""fee":"\#(fee)""#)
        case .coin(let coin, let value):
            members.append(
                #""fee_coin":["\#(coin.tokenID)","\#(coin.amount)",\#(value.map { "\"\($0)\"" } ?? "null")]"#)
        }
        if let time = trade.time { members.append(#""time":\#(time)"#) }
        return "{\(members.joined(separator: ","))}"
    }
}
