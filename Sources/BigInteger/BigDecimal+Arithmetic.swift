extension BigDecimal: AdditiveArithmetic {
    /// The exact sum.
    package static func + (left: BigDecimal, right: BigDecimal) -> BigDecimal {
        let scale = max(left.scale, right.scale)
        return BigDecimal(left.coefficient(atScale: scale) + right.coefficient(atScale: scale), scale: scale)
    }

    /// The exact difference.
    package static func - (left: BigDecimal, right: BigDecimal) -> BigDecimal {
        let scale = max(left.scale, right.scale)
        return BigDecimal(left.coefficient(atScale: scale) - right.coefficient(atScale: scale), scale: scale)
    }

    /// The number with the opposite sign.
    package static prefix func - (number: BigDecimal) -> BigDecimal {
        BigDecimal(normalized: -number.coefficient, scale: number.scale)
    }

    /// The exact product.
    package static func * (left: BigDecimal, right: BigDecimal) -> BigDecimal {
        BigDecimal(left.coefficient * right.coefficient, scale: left.scale + right.scale)
    }

    /// Returns the quotient with at most `fractionDigits` digits after the point, rounded once; nil for a divisor of zero.
    package func divided(
        by divisor: BigDecimal, fractionDigits: Int, rounding: RoundingMode = .halfUp
    ) -> BigDecimal? {
        guard !divisor.isZero else { return nil }
        // self / divisor * 10^digits, as one fraction of whole numbers.
        let shift = fractionDigits + divisor.scale - scale
        let dividend = shift > 0 ? coefficient * .powerOfTen(shift) : coefficient
        let denominator = shift < 0 ? divisor.coefficient * .powerOfTen(-shift) : divisor.coefficient
        return BigDecimal(dividend.divided(by: denominator, rounding: rounding), scale: fractionDigits)
    }

    /// Returns the number with at most `fractionDigits` digits after the point; negative numbers of digits round to tens,
    /// hundreds and so on.
    package func rounded(fractionDigits: Int, _ rounding: RoundingMode = .halfUp) -> BigDecimal {
        guard scale > fractionDigits else { return self }
        return BigDecimal(
            coefficient.divided(by: .powerOfTen(scale - fractionDigits), rounding: rounding), scale: fractionDigits)
    }

    /// Returns the number times 10^`places`.
    package func shifted(by places: Int) -> BigDecimal { BigDecimal(coefficient, scale: scale - places) }

    /// The exponent of the first digit that is not zero: 2 for 123, -3 for 0.00123; nil for zero.
    package var leadingExponent: Int? {
        isZero ? nil : coefficient.magnitude.description.utf8.count - 1 - scale
    }
}

/// A rule for what lies between two neighbors, as in Java's `RoundingMode`.
package enum RoundingMode: Sendable, CaseIterable {
    /// Away from zero.
    case up
    /// Toward zero: digits are cut off.
    case down
    /// Toward positive infinity.
    case ceiling
    /// Toward negative infinity.
    case floor
    /// To the nearest, ties away from zero: what people expect of money.
    case halfUp
    /// To the nearest, ties to the even neighbor.
    case halfEven
    /// To the nearest, ties toward positive infinity, as JavaScript's `Math.round`.
    case halfCeiling

    /// What is cut off, compared with half of the last digit that is kept.
    enum Half { case below, tie, above }

    /// Whether a value that is not exact is moved to the neighbor with the greater magnitude.
    func movesAwayFromZero(isNegative: Bool, isOdd: Bool, half: Half) -> Bool {
        switch self {
        case .up: true
        case .down: false
        case .ceiling: !isNegative
        case .floor: isNegative
        case .halfUp: half != .below
        case .halfEven: half == .above || half == .tie && isOdd
        case .halfCeiling: half == .above || half == .tie && !isNegative
        }
    }
}
