import CGMP

/// Natural numbers as words of 64 bits, the lowest first; the highest word is not 0, so zero has none.
enum Limbs {
    static func trimmed(_ limbs: consuming [UInt]) -> [UInt] {
        while limbs.last == 0 { limbs.removeLast() }
        return limbs
    }

    /// Returns -1, 0 or 1.
    static func compare(_ left: [UInt], _ right: [UInt]) -> Int {
        guard left.count == right.count else { return left.count < right.count ? -1 : 1 }
        return left.isEmpty ? 0 : Int(cgmp_compare(left, right, left.count)).signum()
    }

    static func add(_ left: [UInt], _ right: [UInt]) -> [UInt] {
        guard left.count >= right.count else { return add(right, left) }
        guard !right.isEmpty else { return left }
        return [UInt](unsafeUninitializedCapacity: left.count + 1) { buffer, count in
            let carry = cgmp_add(buffer.baseAddress, left, left.count, right, right.count)
            buffer[left.count] = carry
            count = left.count + (carry == 0 ? 0 : 1)
        }
    }

    /// `left` is at least `right`.
    static func subtract(_ left: [UInt], _ right: [UInt]) -> [UInt] {
        guard !right.isEmpty else { return left }
        return trimmed(
            [UInt](unsafeUninitializedCapacity: left.count) { buffer, count in
                cgmp_subtract(buffer.baseAddress, left, left.count, right, right.count)
                count = left.count
            })
    }

    static func multiply(_ left: [UInt], _ right: [UInt]) -> [UInt] {
        guard left.count >= right.count else { return multiply(right, left) }
        guard !right.isEmpty else { return [] }
        return trimmed(
            [UInt](unsafeUninitializedCapacity: left.count + right.count) { buffer, count in
                cgmp_multiply(buffer.baseAddress, left, left.count, right, right.count)
                count = left.count + right.count
            })
    }

    /// `right` is not zero.
    static func divide(_ left: [UInt], by right: [UInt]) -> (quotient: [UInt], remainder: [UInt]) {
        guard left.count >= right.count else { return ([], left) }
        var remainder = [UInt](repeating: 0, count: right.count)
        let quotient = [UInt](unsafeUninitializedCapacity: left.count - right.count + 1) { buffer, count in
            cgmp_divide(buffer.baseAddress, &remainder, left, left.count, right, right.count)
            count = left.count - right.count + 1
        }
        return (trimmed(quotient), trimmed(remainder))
    }

    /// The digits 0 to `base` - 1, the highest first; none for zero.
    static func digits(_ limbs: [UInt], base: Int) -> [UInt8] {
        guard !limbs.isEmpty else { return [] }
        var copy = limbs
        // A word has at most 20 decimal digits, and GMP asks for one more in all.
        return [UInt8](unsafeUninitializedCapacity: limbs.count * (base == 16 ? 16 : 20) + 1) { buffer, count in
            count = cgmp_digits(buffer.baseAddress, Int32(base), &copy, copy.count)
        }
    }

    /// The number of these digits, which are below `base`.
    static func number(_ digits: some Collection<UInt8>, base: Int) -> [UInt] {
        let digits = Array(digits.drop { $0 == 0 })
        guard !digits.isEmpty else { return [] }
        // A digit has at most 4 bits; one word is spare.
        return trimmed(
            [UInt](unsafeUninitializedCapacity: digits.count / 16 + 2) { buffer, count in
                count = cgmp_number(buffer.baseAddress, digits, digits.count, Int32(base))
            })
    }
}
