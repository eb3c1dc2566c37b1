import BigInteger
import MarketDomain
import TestSupport
import Testing

/// The number that a test writes.
func decimal(_ text: String) -> BigDecimal {
    guard let number = BigDecimal(text, syntax: text.contains("e") ? .json : .plain) else {
        Issue.record("invalid number \(text)")
        return 0
    }
    return number
}

/// The currency that a test names.
func currency(_ code: String) -> Currency {
    guard let currency = Currency(code) else {
        Issue.record("invalid currency \(code)")
        return .usd
    }
    return currency
}

struct MoneyTests {
    @Test func `currencies are equal in any case and know their minor unit`() {
        #expect(Currency("EUR") == Currency("eur") && currency("EUR").name == "EUR")
        for code in ["", "e", "us d", "usd!", "ąb", "abcdefghijklm"] { #expect(Currency(code) == nil, "\(code)") }
        for (code, digits) in [("usd", 2), ("jpy", 0), ("kwd", 3), ("btc", 8)] {
            #expect(currency(code).fractionDigits == digits)
        }
        #expect(Money(1, .usd).adding(Money(2, .usd)) == Money(3, .usd))
        #expect(Money(1, .usd).adding(Money(2, currency("eur"))) == nil)
    }

    @Test(
        arguments: [
            ("0", 18, "0"), ("0.000000000000000001", 18, "1"), ("1", 18, "1000000000000000000"), ("1.50", 2, "150"),
            ("0.999999", 6, "999999"), ("1000000", 0, "1000000"), ("340282366920938463463374607431768211456", 0, nil),
            ("115792089237316195423570985008687907853269984665640564039457584007913129639935", 0, nil),
            ("9007199254740993", 0, nil), ("9223372036854775808", 0, nil), ("12345", 2, "1234500"),
            ("0.1", 255, "1" + String(repeating: "0", count: 254)),
        ] as [(String, Int, String?)])
    func `amounts are exact base units`(text: String, decimals: Int, units: String?) throws {
        if decimals == 255 {
            #expect(throws: Amount.Problem.outOfRange) { try Amount(text, decimals: decimals) }
            return
        }
        let amount = try Amount(text, decimals: decimals)
        #expect(amount.units.description == units ?? text)
        #expect(try Amount(amount.description, decimals: decimals) == amount)
        #expect(try Amount(hexadecimal: amount.units.hexadecimal, decimals: decimals) == amount)
    }

    @Test(arguments: [
        ("1.001", 2, Amount.Problem.tooManyDigits(decimals: 2)), ("0.1", 0, .tooManyDigits(decimals: 0)),
        ("-1", 2, .notANumber), ("+1", 2, .notANumber), ("1e3", 2, .notANumber), ("1,5", 2, .notANumber),
        ("", 2, .notANumber), ("NaN", 2, .notANumber),
        ("115792089237316195423570985008687907853269984665640564039457584007913129639936", 0, .outOfRange),
        ("1", 256, .outOfRange),
    ])
    func `what is not an amount says why`(text: String, decimals: Int, problem: Amount.Problem) {
        #expect(throws: problem) { try Amount(text, decimals: decimals) }
    }

    @Test func `whole numbers come out with their decimals`() throws {
        for (units, decimals, text) in [
            ("12345", 2, "123.45"), ("1234500", 2, "12345"), ("3141969777175276657", 18, "3.141969777175276657"),
        ] {
            #expect(try Amount(units: #require(BigInteger(units)), decimals: decimals).description == text)
        }
        #expect(BigDecimal(-123, scale: 3).description == "-0.123")
        #expect(EtherUnit.ether.convert(decimal("1.5"), to: .gwei) == 1_500_000_000)
        #expect(EtherUnit.wei.convert(1, to: .tether).description == "0." + String(repeating: "0", count: 29) + "1")
    }

    @Test func `tokens to base units and back is the identity`() throws {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<2000 {
            let decimals = Int.random(in: 0...30, using: &generator)
            let units =
                BigInteger(UInt.random(in: 0...UInt.max, using: &generator))
                * BigInteger(UInt.random(in: 0...UInt.max, using: &generator))
            let amount = try Amount(units: units, decimals: decimals)
            #expect(try Amount(amount.value, decimals: decimals) == amount)
            #expect(try Amount(amount.description, decimals: decimals) == amount)
        }
    }

    @Test func `conversions round once, half up`() throws {
        #expect(Conversion.fiat(decimal("0.5"), at: decimal("91204.1"), in: .usd).amount == decimal("45602.05"))
        #expect(Conversion.fiat(decimal("1"), at: decimal("0.005"), in: .usd).amount == decimal("0.01"))
        #expect(Conversion.fiat(decimal("-1"), at: decimal("0.005"), in: .usd).amount == decimal("-0.01"))
        #expect(Conversion.fiat(decimal("1.0049999999999999999999"), at: 1, in: .usd).amount == 1)
        #expect(Conversion.fiat(3, at: decimal("0.5"), in: currency("jpy")).amount == 2)
        #expect(Conversion.token(for: 100, at: 3)?.description == "33.33333333333333333333")
        #expect(Conversion.token(for: 100, at: 0) == nil)
        #expect(
            Conversion.convert(1, at: decimal("91204.1"), toPrice: decimal("3120.55"), fractionDigits: 8)?.description
                == "29.22693115")
        #expect(
            Conversion.change(of: Money(decimal("123.45"), .usd), percent: decimal("-1.5")).amount == decimal("1.85"))
        #expect(Conversion.percent(from: 80, to: 100) == 25 && Conversion.percent(from: 0, to: 1) == nil)
        let unlimited = try Amount(units: .maximumUInt256, decimals: 18)
        #expect(
            Conversion.fiat(unlimited.value, at: decimal("0.000000000000000001"), in: .usd).amount.description
                == "115792089237316195423570985008687907853269.98")
    }

    @Test func `a balance covers what is not more than it, whatever the decimals`() throws {
        let balance = try Amount("1.5", decimals: 18)
        #expect(try balance.covers(Amount("1.5", decimals: 6)))
        #expect(try !balance.covers(Amount("1.51", decimals: 2)))
    }
}
