import BigInteger
import TestSupport
import Testing

struct BigDecimalTests {
    static func number(_ generator: inout SeededGenerator) -> BigDecimal {
        BigDecimal(
            BigIntegerTests.number(&generator, bits: 128), scale: Int.random(in: 0...30, using: &generator))
    }

    @Test(arguments: [
        ("0", "0"), ("-0", "0"), ("0.00", "0"), ("1.50", "1.5"), ("+1.5", "1.5"), (".5", "0.5"), ("-.05", "-0.05"),
        ("1200", "1200"), ("1200.00", "1200"), ("100.5", "100.5"), ("0012.30", "12.3"), ("0.000001", "0.000001"),
        ("123456789012345678.9", "123456789012345678.9"), ("1234567890123456789.01", "1234567890123456789.01"),
        (
            "115792089237316195423570985008687907853269984665640564039457584007913129639935.5",
            "115792089237316195423570985008687907853269984665640564039457584007913129639935.5"
        ),
    ])
    func `text is read exactly`(text: String, expected: String) throws {
        #expect(try #require(BigDecimal(text)).description == expected)
    }

    @Test(arguments: [
        ("1e3", "1000"), ("1.5E-3", "0.0015"), ("1e-05", "0.00001"), ("-2.50e+1", "-25"), ("0e99999999999", "0"),
        ("12300e-2", "123"), ("0.00012e4", "1.2"), ("1e99", "1" + String(repeating: "0", count: 99)),
        ("1e-100", "0." + String(repeating: "0", count: 99) + "1"), ("-0.0", "0"), ("43602", "43602"),
        ("2280.2", "2280.2"),
    ])
    func `numbers of JSON are read exactly`(text: String, expected: String) throws {
        #expect(try #require(BigDecimal(text, syntax: .json)).description == expected)
    }

    @Test(arguments: [
        "", "-", ".", "1.", "1..2", "1.2.3", "1,5", "12abc", "0x10", " 1", "1 ", "1e5", "NaN", "inf", "1_0", "+-1", "١",
    ])
    func `text that is not a number is refused`(text: String) {
        #expect(BigDecimal(text) == nil)
    }

    @Test(arguments: [
        "+1", ".5", "1.", "01", "-", "1e", "1e+", "e5", "1e400", "-1e-400", "1e308", "1e100", "1e-101",
        "1e99999999999999999999", "--1", "1e5.5",
    ])
    func `what JSON does not allow or no money needs is refused`(text: String) {
        #expect(BigDecimal(text, syntax: .json) == nil)
    }

    @Test func `text and values round-trip`() {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<3000 {
            let number = Self.number(&generator)
            #expect(BigDecimal(number.description) == number)
            #expect(BigDecimal(number.text(fractionDigits: 40)) == number)
            // One form for each value: as many zeros as one likes change nothing.
            let padded = BigDecimal(number.coefficient * .powerOfTen(25), scale: number.scale + 25)
            #expect(padded == number && padded.hashValue == number.hashValue && padded.scale == number.scale)
        }
    }

    @Test func `arithmetic obeys the laws of numbers`() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<2000 {
            let (a, b, c) = (Self.number(&generator), Self.number(&generator), Self.number(&generator))
            #expect((a + b) + c == a + (b + c) && a * (b + c) == a * b + a * c && a - b + b == a)
            #expect((a < b) == (a - b).isNegative)
            if let quotient = a.divided(by: b, fractionDigits: 30, rounding: .down) {
                let rest = a - quotient * b
                #expect(rest.magnitude < (b.magnitude * BigDecimal(1, scale: 30)))
                #expect(rest.isZero || rest.isNegative == a.isNegative)
            }
        }
        #expect(BigDecimal(1).divided(by: 0, fractionDigits: 2) == nil)
    }

    @Test func `rounding and cutting happen once`() throws {
        func round(_ text: String, _ digits: Int, _ mode: RoundingMode = .halfUp) throws -> String {
            try #require(BigDecimal(text)).text(fractionDigits: max(digits, 0), rounding: mode)
        }
        #expect(try round("2.345", 2) == "2.35" && round("-2.345", 2) == "-2.35")
        #expect(try round("0.125", 2) == "0.13" && round("0.125", 2, .halfEven) == "0.12")
        #expect(try round("1.005", 2) == "1.01" && round("-0.004", 2) == "0.00")
        #expect(try round("-2.5", 0, .halfCeiling) == "-2" && round("2.345", 1, .halfCeiling) == "2.3")
        #expect(try #require(BigDecimal("14250")).rounded(fractionDigits: -2).description == "14300")
        #expect(BigDecimal(2).divided(by: 3, fractionDigits: 20)?.description == "0.66666666666666666667")
    }

    @Test func `exponents and shifts`() throws {
        for (text, exponent) in [("123", 2), ("0.00123", -3), ("1", 0), ("0.5", -1), ("-1000", 3)] {
            #expect(try #require(BigDecimal(text)).leadingExponent == exponent)
        }
        #expect(BigDecimal.zero.leadingExponent == nil)
        #expect(BigDecimal(5).shifted(by: -3).description == "0.005" && BigDecimal(5).shifted(by: 3) == 5000)
        #expect(try #require(BigDecimal("0.1")).approximate == 0.1)
    }

    @Test func `words have the digits and the nearest Double that their text has`() throws {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<5000 {
            let word = Int.random(in: Int.min...Int.max, using: &generator) >> Int.random(in: 0..<64, using: &generator)
            let number = BigDecimal(BigInteger(word), scale: Int.random(in: 0...40, using: &generator))
            let text = number.description
            #expect(BigDecimal(text) == number && !text.hasPrefix(".") && !text.hasSuffix("."))
            #expect(!text.contains(".") || !text.hasSuffix("0"), "one form for each value")
            #expect(number.approximate == Double(text))
            var bytes: [UInt8] = []
            number.append(to: &bytes)
            #expect(String(decoding: bytes, as: UTF8.self) == text)
        }
        for (coefficient, scale, text) in [(-5, 2, "-0.05"), (123, 2, "1.23"), (.min, 0, "\(Int.min)"), (7, 0, "7")] {
            #expect(BigDecimal(BigInteger(coefficient), scale: scale).description == text)
        }
    }
}
