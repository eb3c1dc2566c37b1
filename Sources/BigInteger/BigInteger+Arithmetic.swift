extension BigInteger: AdditiveArithmetic {
    /// The sum.
    package static func + (left: BigInteger, right: BigInteger) -> BigInteger {
        if case .word(let first) = left.storage, case .word(let second) = right.storage {
            let (sum, isOver) = first.addingReportingOverflow(second)
            if !isOver { return BigInteger(sum) }
        }
        let (first, second) = (left.limbs, right.limbs)
        if left.isNegative == right.isNegative {
            return BigInteger(isNegative: left.isNegative, magnitude: Limbs.add(first, second))
        }
        return Limbs.compare(first, second) >= 0
            ? BigInteger(isNegative: left.isNegative, magnitude: Limbs.subtract(first, second))
            : BigInteger(isNegative: right.isNegative, magnitude: Limbs.subtract(second, first))
    }

    /// The difference.
    package static func - (left: BigInteger, right: BigInteger) -> BigInteger {
        if case .word(let first) = left.storage, case .word(let second) = right.storage {
            let (difference, isOver) = first.subtractingReportingOverflow(second)
            if !isOver { return BigInteger(difference) }
        }
        return left + -right
    }

    /// The number with the opposite sign.
    package static prefix func - (number: BigInteger) -> BigInteger {
        if case .word(let value) = number.storage, value != .min { return BigInteger(-value) }
        return BigInteger(isNegative: !number.isNegative, magnitude: number.limbs)
    }

    /// The product.
    package static func * (left: BigInteger, right: BigInteger) -> BigInteger {
        if case .word(let first) = left.storage, case .word(let second) = right.storage {
            let (product, isOver) = first.multipliedReportingOverflow(by: second)
            if !isOver { return BigInteger(product) }
        }
        return BigInteger(
            isNegative: left.isNegative != right.isNegative, magnitude: Limbs.multiply(left.limbs, right.limbs))
    }

    /// The number without its sign.
    package var magnitude: BigInteger { isNegative ? -self : self }

    /// Divides, the quotient rounded toward zero; the remainder has the sign of the dividend. Traps for a divisor of zero,
    /// as `Int` does.
    package func quotientAndRemainder(
        dividingBy divisor: BigInteger
    ) -> (quotient: BigInteger, remainder: BigInteger) {
        precondition(!divisor.isZero, "division by zero")
        if case .word(let first) = storage, case .word(let second) = divisor.storage,
            !(first == .min && second == -1)
        {
            // A machine divides 64 bits in one instruction, 128 in a call.
            if let first = Int(exactly: first), let second = Int(exactly: second), first != .min {
                let (quotient, remainder) = first.quotientAndRemainder(dividingBy: second)
                return (BigInteger(quotient), BigInteger(remainder))
            }
            let (quotient, remainder) = first.quotientAndRemainder(dividingBy: second)
            return (BigInteger(quotient), BigInteger(remainder))
        }
        let (quotient, remainder) = Limbs.divide(limbs, by: divisor.limbs)
        return (
            BigInteger(isNegative: isNegative != divisor.isNegative, magnitude: quotient),
            BigInteger(isNegative: isNegative, magnitude: remainder)
        )
    }

    /// Returns the quotient, rounded once. Traps for a divisor of zero.
    package func divided(by divisor: BigInteger, rounding: RoundingMode) -> BigInteger {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        guard !remainder.isZero else { return quotient }
        let isNegative = isNegative != divisor.isNegative
        // A remainder next to half the divisor decides all modes that look for the nearest.
        let twice = remainder.magnitude + remainder.magnitude
        let half = divisor.magnitude
        let movesAway = rounding.movesAwayFromZero(
            isNegative: isNegative, isOdd: !quotient.isEven, half: twice == half ? .tie : twice > half ? .above : .below
        )
        guard movesAway else { return quotient }
        return isNegative ? quotient - 1 : quotient + 1
    }

    /// Returns 10 to the power of `exponent`, which is not negative.
    package static func powerOfTen(_ exponent: Int) -> BigInteger {
        if exponent < powersOfTen.count { return powersOfTen[exponent] }
        let half = powerOfTen(exponent / 2)
        return exponent.isMultiple(of: 2) ? half * half : half * half * 10
    }

    private static let powersOfTen: [BigInteger] = (1..<256).reduce(into: [1]) { powers, index in
        powers.append(powers[index - 1] * 10)
    }
}
