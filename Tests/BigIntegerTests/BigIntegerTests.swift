import TestSupport
import Testing

@testable import BigInteger

struct BigIntegerTests {
    /// Random numbers of all sizes up to `bits`, with the edges of words among them.
    static func number(_ generator: inout SeededGenerator, bits: Int = 600) -> BigInteger {
        let edges: [BigInteger] = [
            0, 1, -1, BigInteger(Int.max), BigInteger(Int.min), BigInteger(UInt.max), .maximumUInt256,
            BigInteger(Int.min) * -1, BigInteger(UInt.max) + 1, twoTo127 - 1, twoTo127, -twoTo127, -twoTo127 - 1,
            twoTo127 * 2 - 1, twoTo127 * 2,
        ]
        if Int.random(in: 0..<4, using: &generator) == 0, let edge = edges.randomElement(using: &generator) {
            return edge
        }
        var number = BigInteger(Int.random(in: Int.min...Int.max, using: &generator))
        for _ in 0..<Int.random(in: 0...bits / 64, using: &generator) {
            number = number * BigInteger(UInt.max) + BigInteger(UInt.random(in: 0...UInt.max, using: &generator))
        }
        return Bool.random(using: &generator) ? number : -number
    }

    /// The first number that needs more than a word of 128 bits.
    private static let twoTo127 = BigInteger(isNegative: false, magnitude: [0, 1 << 63])

    @Test func `words and limbs meet at 128 bits`() {
        let edge = Self.twoTo127
        #expect(edge.description == "170141183460469231731687303715884105728" && edge.bitWidth == 128)
        #expect((-edge).description == "-170141183460469231731687303715884105728" && -(-edge) == edge)
        #expect((edge - 1).description == "170141183460469231731687303715884105727" && (edge - 1).bitWidth == 127)
        #expect(-edge - 1 + 1 == -edge && edge - 1 + 1 == edge && -edge < edge - 1 && edge - 1 < edge)
        #expect((-edge).quotientAndRemainder(dividingBy: -1) == (edge, 0))
        #expect(BigInteger(Int.min).quotientAndRemainder(dividingBy: -1) == (BigInteger(Int.max) + 1, 0))
        #expect((-edge) * -1 == edge && edge * 2 - edge == edge && (edge * 10).isMultipleOfTen)
    }

    @Test func `arithmetic obeys the laws of whole numbers`() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<3000 {
            let (a, b, c) = (
                Self.number(&generator), Self.number(&generator), Self.number(&generator)
            )
            #expect(a + b == b + a && (a + b) + c == a + (b + c))
            #expect(a * b == b * a && a * (b + c) == a * b + a * c)
            #expect(a - b == -(b - a) && a + b - b == a)
            #expect((a < b) == (b - a).magnitudeIsPositive)
            guard !b.isZero else { continue }
            let (quotient, remainder) = a.quotientAndRemainder(dividingBy: b)
            #expect(quotient * b + remainder == a)
            #expect(remainder.magnitude < b.magnitude && (remainder.isZero || remainder.isNegative == a.isNegative))
        }
    }

    @Test func `numbers of 128 bits come out as the language computes them`() {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<3000 {
            let (a, b) = (
                Int128(Int.random(in: .min ... .max, using: &generator)),
                Int128(Int.random(in: .min ... .max, using: &generator))
            )
            let (left, right) = (BigInteger(String(a)), BigInteger(String(b)))
            guard let left, let right else { continue }
            #expect((left * right).description == String(a * b))
            #expect((left + right).description == String(a + b))
            #expect((left * left - right).description == String(a * a - b))
            #expect((left < right) == (a < b))
            if b != 0 {
                let product = a * a
                let (quotient, remainder) = (left * left).quotientAndRemainder(dividingBy: right)
                #expect(quotient.description == String(product / b) && remainder.description == String(product % b))
            }
        }
    }

    @Test func `text in both bases round-trips, in one form for each value`() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<2000 {
            let number = Self.number(&generator)
            #expect(BigInteger(number.description) == number)
            #expect(BigInteger(hexadecimal: number.magnitude.hexadecimal) == number.magnitude)
            #expect((number + 1 - 1).hashValue == number.hashValue)
        }
        #expect(BigInteger("0000000000000000000000000000000000000042") == 42)
        #expect(BigInteger("-0") == 0 && BigInteger.zero.hexadecimal == "0x0")
        #expect(BigInteger(hexadecimal: "0x") == 0 && BigInteger(hexadecimal: "0XfF") == 255)
    }

    @Test(arguments: ["", "-", "+1", "1.0", "0x10", " 1", "1 ", "1_000", "١", "12abc", "--1"])
    func `text that is not a whole number is refused`(text: String) {
        #expect(BigInteger(text) == nil)
    }

    @Test func `text is bounded`() {
        #expect(BigInteger(String(repeating: "9", count: 1024))?.bitWidth == 3402)
        #expect(BigInteger(String(repeating: "9", count: 1025)) == nil)
        #expect(BigInteger(hexadecimal: "0x" + String(repeating: "f", count: 1025)) == nil)
        for text in ["", "0", "f", "0xg", "x0", "-0x1"] { #expect(BigInteger(hexadecimal: text) == nil, "\(text)") }
    }

    @Test func `the ranges of 256 bits have their edges`() {
        let maximum = BigInteger.maximumUInt256
        #expect(
            maximum.description == "115792089237316195423570985008687907853269984665640564039457584007913129639935")
        #expect(maximum.isUInt256 && !(maximum + 1).isUInt256 && !BigInteger(-1).isUInt256)
        #expect(maximum.hexadecimal == "0x" + String(repeating: "f", count: 64))
    }

    /// Java's table of rounding modes, with JavaScript's rule added.
    @Test(arguments: [
        (RoundingMode.up, [6, 3, 2, 2, 1, -1, -2, -2, -3, -6]), (.down, [5, 2, 1, 1, 1, -1, -1, -1, -2, -5]),
        (.ceiling, [6, 3, 2, 2, 1, -1, -1, -1, -2, -5]), (.floor, [5, 2, 1, 1, 1, -1, -2, -2, -3, -6]),
        (.halfUp, [6, 3, 2, 1, 1, -1, -1, -2, -3, -6]), (.halfEven, [6, 2, 2, 1, 1, -1, -1, -2, -2, -6]),
        (.halfCeiling, [6, 3, 2, 1, 1, -1, -1, -2, -2, -5]),
    ])
    func `quotients are rounded by the mode`(mode: RoundingMode, expected: [Int]) {
        let tenths = [55, 25, 16, 11, 10, -10, -11, -16, -25, -55]
        #expect(tenths.map { BigInteger($0).divided(by: 10, rounding: mode) } == expected.map { BigInteger($0) })
        #expect(tenths.map { BigInteger(-$0).divided(by: -10, rounding: mode) } == expected.map { BigInteger($0) })
        let large = BigInteger.powerOfTen(40)
        #expect(
            tenths.map { (BigInteger($0) * large).divided(by: large * 10, rounding: mode) }
                == expected.map { BigInteger($0) })
    }

    @Test func `powers of ten go past their table`() {
        for exponent in [0, 1, 18, 19, 255, 256, 257, 700] {
            #expect(BigInteger.powerOfTen(exponent).description == "1" + String(repeating: "0", count: exponent))
        }
    }

    @Test func `parsing costs are linear within the bound`() {
        Scaling.expectLinear("BigInteger", size: 20_000, { [String](repeating: "98765432109876543210", count: $0) }) {
            for text in $0 { _ = BigInteger(text) }
        }
    }
}

extension BigInteger {
    fileprivate var magnitudeIsPositive: Bool { signum > 0 }
}
