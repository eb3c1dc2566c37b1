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
