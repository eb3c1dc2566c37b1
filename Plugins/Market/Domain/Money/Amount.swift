package import BigInteger

/// An amount of a token on a chain: a whole number of base units below 2²⁵⁶, and the number of decimals of the token.
package struct Amount: Hashable, Sendable {
    /// The reason why a text or number is not an amount.
    package enum Problem: Error, Hashable, Sendable {
        /// It is not a number without sign and exponent.
        case notANumber
        /// It has more digits after the point than the token has decimals.
        case tooManyDigits(decimals: Int)
        /// It is below zero or above 2²⁵⁶ - 1 base units.
        case outOfRange
    }

    /// The number of base units.
    package let units: BigInteger
    /// The number of decimals of the token, 0 to 255.
    package let decimals: Int

    /// Creates an amount of base units.
    package init(units: BigInteger, decimals: Int) throws(Problem) {
        guard units.isUInt256, (0...255).contains(decimals) else { throw .outOfRange }
        self.units = units
        self.decimals = decimals
    }

    /// Parses what a person types, such as `0.5`. More digits than the token has are an error, never a rounding.
    package init(_ text: some StringProtocol, decimals: Int) throws(Problem) {
        guard let value = BigDecimal(text), !text.hasPrefix("-"), !text.hasPrefix("+") else { throw .notANumber }
        try self.init(value, decimals: decimals)
    }

    /// Creates an amount of whole tokens.
    package init(_ value: BigDecimal, decimals: Int) throws(Problem) {
        guard value.scale <= decimals else { throw .tooManyDigits(decimals: decimals) }
        try self.init(units: value.shifted(by: decimals).coefficient, decimals: decimals)
    }

    /// Parses a quantity of Ethereum's JSON-RPC, such as `0x1bc16d674ec80000`.
    package init(hexadecimal text: some StringProtocol, decimals: Int) throws(Problem) {
        guard let units = BigInteger(hexadecimal: text) else { throw .notANumber }
        try self.init(units: units, decimals: decimals)
    }

    /// The number of whole tokens, exact.
    package var value: BigDecimal { BigDecimal(units, scale: decimals) }

    /// Whether this balance covers `other`; fees are in the native coin and checked by themselves.
    package func covers(_ other: Amount) -> Bool { value >= other.value }
}

extension Amount: CustomStringConvertible {
    /// The number of whole tokens, without zeros at its end: `3.141969777175276657`.
    package var description: String { value.description }
}

/// The units of ether and the power of ten of each in wei.
package enum EtherUnit: Int, CaseIterable, Sendable {
    case wei = 0, kwei = 3, mwei = 6, gwei = 9, szabo = 12, finney = 15, ether = 18, kether = 21, mether = 24
    case gether = 27, tether = 30

    /// Returns `value` of this unit in `other`, exact.
    package func convert(_ value: BigDecimal, to other: EtherUnit) -> BigDecimal {
        value.shifted(by: rawValue - other.rawValue)
    }
}
