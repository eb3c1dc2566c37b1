/// An exact decimal number: a whole number divided by a power of ten.
///
/// It has one form for each value, without zeros at the end of its fraction, so equal numbers have equal hashes. Sums,
/// differences and products are exact; only a division and an explicit rounding lose digits, in the mode that is named.
package struct BigDecimal: Hashable, Sendable {
    /// The number without its decimal point.
    package let coefficient: BigInteger
    /// The number of digits after the point, 0 or more.
    package let scale: Int

    /// Creates `coefficient` / 10^`scale`; a negative scale multiplies.
    package init(_ coefficient: BigInteger, scale: Int = 0) {
        guard scale > 0, !coefficient.isZero else {
            self.coefficient = scale < 0 ? coefficient * .powerOfTen(-scale) : coefficient
            self.scale = 0
            return
        }
        var (rest, left) = (coefficient, scale)
        while left > 0, rest.isMultipleOfTen {
            // Long numbers lose zeros in blocks where they can.
            if left >= 8 {
                let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: .powerOfTen(8))
                if remainder.isZero {
                    (rest, left) = (quotient, left - 8)
                    continue
                }
            }
            (rest, left) = (rest.quotientAndRemainder(dividingBy: 10).quotient, left - 1)
        }
        self.coefficient = rest
        self.scale = left
    }

    /// Creates a whole number.
    package init(_ value: Int) { self.init(BigInteger(value)) }

    /// Creates a number that is known to have no zeros at the end of its fraction.
    init(normalized coefficient: BigInteger, scale: Int) {
        self.coefficient = coefficient
        self.scale = scale
    }

    /// Zero.
    package static let zero = BigDecimal(0)

    /// Whether it is below zero.
    package var isNegative: Bool { coefficient.isNegative }

    /// Whether it is zero.
    package var isZero: Bool { coefficient.isZero }

    /// The number without its sign.
    package var magnitude: BigDecimal { BigDecimal(normalized: coefficient.magnitude, scale: scale) }

    /// The nearest `Double`, for drawings; never for money.
    package var approximate: Double {
        // Both numbers are exact, so the division rounds once.
        if scale < BigDecimal.exactPowersOfTen.count, let word = Int(exactly: coefficient), word.magnitude < 1 << 53 {
            return Double(word) / BigDecimal.exactPowersOfTen[scale]
        }
        return Double(description) ?? (isNegative ? -.infinity : .infinity)
    }

    /// The powers of ten that a `Double` has exactly: 10^0 to 10^22.
    private static let exactPowersOfTen: [Double] = (0..<22).reduce(into: [1]) { powers, index in
        powers.append(powers[index] * 10)
    }

    /// The coefficient that the number has with `scale` digits after its point, which are at least its own.
    func coefficient(atScale scale: Int) -> BigInteger {
        scale == self.scale ? coefficient : coefficient * .powerOfTen(scale - self.scale)
    }
}

extension BigDecimal: ExpressibleByIntegerLiteral {
    /// Creates a number from a literal.
    package init(integerLiteral value: Int) { self.init(value) }
}

extension BigDecimal: Comparable {
    /// Whether `left` is less.
    package static func < (left: BigDecimal, right: BigDecimal) -> Bool {
        let scale = max(left.scale, right.scale)
        return left.coefficient(atScale: scale) < right.coefficient(atScale: scale)
    }
}
