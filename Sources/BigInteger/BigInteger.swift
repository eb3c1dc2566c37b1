/// A whole number of up to 65,536 bits.
///
/// Numbers that fit 128 bits are kept in them, without an allocation; larger ones are limbs, which GMP works on. Like `Int`,
/// arithmetic traps when a result is out of range; text is bounded far below it, so a program that multiplies a few parsed
/// numbers cannot reach it.
package struct BigInteger: Hashable, Sendable {
    /// Each value has one form: limbs are used only for what does not fit the word.
    enum Storage: Hashable, Sendable {
        case word(Int128)
        case limbs(isNegative: Bool, magnitude: [UInt])
    }

    let storage: Storage

    /// The maximum number of bits of a magnitude.
    package static let maximumBitWidth = 1 << 16

    /// Creates a number from a word.
    package init(_ value: Int) { storage = .word(Int128(value)) }

    /// Creates a number from an unsigned word.
    package init(_ value: UInt) { storage = .word(Int128(value)) }

    /// Creates a number from a word of 128 bits.
    init(_ value: Int128) { storage = .word(value) }

    /// Creates a number from a sign and limbs, the lowest first, of which the highest is not 0.
    init(isNegative: Bool, magnitude: [UInt]) {
        precondition(magnitude.count <= BigInteger.maximumBitWidth / 64, "integer overflow")
        guard magnitude.count <= 2 else {
            storage = .limbs(isNegative: isNegative, magnitude: magnitude)
            return
        }
        let value = magnitude.reversed().reduce(UInt128.zero) { $0 << 64 | UInt128($1) }
        if value <= UInt128(Int128.max) {
            storage = .word(isNegative ? -Int128(value) : Int128(value))
        } else if isNegative, value == Int128.min.magnitude {
            storage = .word(.min)
        } else {
            storage = .limbs(isNegative: isNegative, magnitude: magnitude)
        }
    }

    /// Zero.
    package static let zero = BigInteger(0)

    /// Whether it is below zero.
    package var isNegative: Bool {
        switch storage {
        case .word(let value): value < 0
        case .limbs(let isNegative, _): isNegative
        }
    }

    /// Whether it is zero.
    package var isZero: Bool { storage == .word(0) }

    /// -1, 0 or 1.
    package var signum: Int { isNegative ? -1 : isZero ? 0 : 1 }

    /// Whether two divides it.
    package var isEven: Bool {
        switch storage {
        case .word(let value): value & 1 == 0
        case .limbs(_, let magnitude): magnitude[0] & 1 == 0
        }
    }

    /// Whether ten divides it. The weight of a limb, 2⁶⁴, leaves 1 when divided by 5, so the sum of the limbs decides.
    var isMultipleOfTen: Bool {
        guard isEven else { return false }
        switch storage {
        case .word(let value):
            let magnitude = value.magnitude
            let (high, low) = (UInt(truncatingIfNeeded: magnitude >> 64), UInt(truncatingIfNeeded: magnitude))
            return (high % 5 + low % 5).isMultiple(of: 5)
        case .limbs(_, let magnitude): return magnitude.reduce(0) { $0 + $1 % 5 }.isMultiple(of: 5)
        }
    }

    /// The number of bits of the magnitude; 0 for zero.
    package var bitWidth: Int {
        switch storage {
        case .word(let value): 128 - value.magnitude.leadingZeroBitCount
        case .limbs(_, let magnitude): magnitude.count * 64 - magnitude[magnitude.count - 1].leadingZeroBitCount
        }
    }

    /// The magnitude as limbs.
    var limbs: [UInt] {
        switch storage {
        case .word(let value):
            Limbs.trimmed([UInt(truncatingIfNeeded: value.magnitude), UInt(truncatingIfNeeded: value.magnitude >> 64)])
        case .limbs(_, let magnitude): magnitude
        }
    }

    /// The largest number of 256 bits without a sign: 2²⁵⁶ - 1.
    package static let maximumUInt256 = BigInteger(isNegative: false, magnitude: [.max, .max, .max, .max])

    /// Whether it is in 0...2²⁵⁶ - 1, the range of a `uint256`.
    package var isUInt256: Bool { !isNegative && bitWidth <= 256 }
}

extension Int {
    /// Creates a word from a number that fits; nil for any other.
    package init?(exactly number: BigInteger) {
        guard case .word(let value) = number.storage else { return nil }
        self.init(exactly: value)
    }
}

extension BigInteger: ExpressibleByIntegerLiteral {
    /// Creates a number from a literal.
    package init(integerLiteral value: Int) { self.init(value) }
}

extension BigInteger: Comparable {
    /// Whether `left` is less.
    package static func < (left: BigInteger, right: BigInteger) -> Bool {
        switch (left.storage, right.storage) {
        case (.word(let left), .word(let right)): return left < right
        case (.word, .limbs(let isNegative, _)): return !isNegative
        case (.limbs(let isNegative, _), .word): return isNegative
        case (.limbs(let isNegative, let leftLimbs), .limbs(let isOtherNegative, let rightLimbs)):
            guard isNegative == isOtherNegative else { return isNegative }
            let order = Limbs.compare(leftLimbs, rightLimbs)
            return isNegative ? order > 0 : order < 0
        }
    }
}
