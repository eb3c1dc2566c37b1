extension BigDecimal {
    /// The maximum number of digits on either side of the point of a number that is parsed. A `uint256` has 78.
    package static let maximumDigits = 100

    /// The numbers that are accepted.
    package enum Syntax: Sendable {
        /// Digits with at most one point, and a sign; `.5` is a number.
        case plain
        /// A number of JSON (RFC 8259 section 6), which may have an exponent.
        case json
    }

    /// Parses the whole `text`; nil for anything else, and for a value with more than 100 digits on a side of its point.
    package init?(_ text: some StringProtocol, syntax: Syntax = .plain) {
        var text = String(text)
        let parsed = text.withUTF8 { BigDecimal($0, syntax: syntax) }
        guard let parsed else { return nil }
        self = parsed
    }

    /// Parses the whole text that `bytes` hold; see ``init(_:syntax:)``.
    package init?(_ bytes: UnsafeBufferPointer<UInt8>, syntax: Syntax) {
        if let number = BigDecimal.short(bytes) {
            self = number
            return
        }
        var scan = NumberScan(bytes: bytes)
        guard bytes.count <= 1024, scan.read(syntax) else { return nil }
        // What is written is `significant` digits times 10^exponent.
        guard scan.significantDigits > 0 else {
            self = .zero
            return
        }
        let limit = BigDecimal.maximumDigits
        let (count, exponent) = (scan.significantDigits, scan.exponent)
        guard exponent >= -limit, count + exponent <= limit else { return nil }
        let coefficient = scan.coefficient
        if exponent >= 0 {
            self.init(normalized: exponent == 0 ? coefficient : coefficient * .powerOfTen(exponent), scale: 0)
        } else {
            self.init(normalized: coefficient, scale: -exponent)
        }
    }

    /// Parses the common case: at most 18 digits without an exponent, in the form that both syntaxes have. Nil for all else.
    private static func short(_ bytes: UnsafeBufferPointer<UInt8>) -> BigDecimal? {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let start = isNegative ? 1 : 0
        guard start < bytes.count, bytes.count - start <= 19 else { return nil }
        var (word, point) = (0, -1)
        for index in start..<bytes.count {
            let digit = bytes[index] &- 0x30
            if digit < 10 {
                word = word &* 10 &+ Int(digit)
            } else if bytes[index] == UInt8(ascii: "."), point < 0, index > start, index + 1 < bytes.count {
                point = index
            } else {
                return nil
            }
        }
        let whole = (point < 0 ? bytes.count : point) - start
        guard whole == 1 || bytes[start] != 0x30, bytes.count - start - (point < 0 ? 0 : 1) <= 18 else { return nil }
        var scale = point < 0 ? 0 : bytes.count - 1 - point
        while scale > 0, word.isMultiple(of: 10) { (word, scale) = (word / 10, scale - 1) }
        return BigDecimal(normalized: BigInteger(isNegative ? -word : word), scale: scale)
    }

    /// Returns the number with exactly `fractionDigits` digits after the point, 0 or more: `-1204.50`.
    package func text(fractionDigits: Int, rounding: RoundingMode = .halfUp) -> String {
        let rounded = rounded(fractionDigits: fractionDigits, rounding)
        return BigDecimal.text(rounded.coefficient(atScale: fractionDigits), scale: fractionDigits)
    }

    private static func text(_ coefficient: BigInteger, scale: Int) -> String {
        guard scale > 0 else { return coefficient.description }
        if let word = Int(exactly: coefficient) {
            return String(unsafeUninitializedCapacity: length(scale: scale)) { buffer in
                buffer.update(fromContentsOf: write(word, scale: scale, to: buffer))
            }
        }
        var digits = coefficient.magnitude.description
        let missing = scale + 1 - digits.utf8.count
        if missing > 0 { digits = String(repeating: "0", count: missing) + digits }
        let point = digits.index(digits.endIndex, offsetBy: -scale)
        return (coefficient.isNegative ? "-" : "") + digits[..<point] + "." + digits[point...]
    }
}

extension BigDecimal {
    /// Appends all digits without an exponent, as ``description`` has them.
    package func append(to text: inout [UInt8]) {
        guard let word = Int(exactly: coefficient) else { return text.append(contentsOf: description.utf8) }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: BigDecimal.length(scale: scale)) { buffer in
            text.append(contentsOf: BigDecimal.write(word, scale: scale, to: buffer))
        }
    }

    /// The maximum length of a word with `scale` digits after its point: a sign, 19 digits and a point, or zeros before them.
    private static func length(scale: Int) -> Int { max(scale + 1, 19) + 2 }

    /// Writes a word with `scale` digits after its point to the end of a buffer, and returns the bytes.
    private static func write(
        _ word: Int, scale: Int, to buffer: UnsafeMutableBufferPointer<UInt8>
    ) -> UnsafeBufferPointer<UInt8> {
        var (left, digits, start) = (word.magnitude, 0, buffer.count)
        func put(_ byte: UInt8) {
            start -= 1
            buffer[start] = byte
        }
        repeat {
            let (rest, digit) = left.quotientAndRemainder(dividingBy: 10)
            put(UInt8(truncatingIfNeeded: digit) | 0x30)
            (left, digits) = (rest, digits + 1)
            if digits == scale { put(UInt8(ascii: ".")) }
        } while left > 0 || digits <= scale
        if word < 0 { put(UInt8(ascii: "-")) }
        return UnsafeBufferPointer(rebasing: buffer[start...])
    }
}

extension BigDecimal: CustomStringConvertible {
    /// All digits without an exponent: `-1204.5`.
    package var description: String { BigDecimal.text(coefficient, scale: scale) }
}

/// One pass over the text of a number.
private struct NumberScan {
    let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    private var isNegative = false
    /// From the first digit that is not zero to the end of the last one, the point included.
    private var significant = 0..<0
    /// The digits up to the last one that is not zero, while they fit.
    private var word = 0
    /// The number of significant digits.
    private(set) var significantDigits = 0
    /// The power of ten of the last significant digit.
    private(set) var exponent = 0

    init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Whether the whole text is a number.
    mutating func read(_ syntax: BigDecimal.Syntax) -> Bool {
        if peek == UInt8(ascii: "-") || syntax == .plain && peek == UInt8(ascii: "+") {
            isNegative = peek == UInt8(ascii: "-")
            position += 1
        }
        let start = position
        var pendingZeros = 0
        var whole = 0
        var fraction = 0
        var hasPoint = false
        var isOpen = true
        while isOpen, position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: ".") where !hasPoint:
                if syntax == .json, whole == 0 { return false }
                hasPoint = true
            case 0x30...0x39:
                if hasPoint { fraction += 1 } else { whole += 1 }
                if byte == 0x30 {
                    if significantDigits > 0 { pendingZeros += 1 }
                } else {
                    append(byte, after: pendingZeros)
                    pendingZeros = 0
                    exponent = hasPoint ? -fraction : 0
                }
            default:
                isOpen = false
                continue
            }
            position += 1
        }
        guard whole + fraction > 0, !hasPoint || fraction > 0 else { return false }
        if syntax == .json, whole > 1, bytes[start] == 0x30 { return false }
        // Zeros of the whole part behind the last significant digit.
        if exponent == 0 { exponent = max(0, pendingZeros - fraction) }
        return readExponent(syntax) && position == bytes.count
    }

    private mutating func append(_ digit: UInt8, after zeros: Int) {
        if significantDigits == 0 { significant = position..<position }
        significantDigits += zeros + 1
        significant = significant.lowerBound..<position + 1
        guard significantDigits <= 18 else { return }
        for _ in 0..<zeros { word *= 10 }
        word = word * 10 + Int(digit - 0x30)
    }

    private mutating func readExponent(_ syntax: BigDecimal.Syntax) -> Bool {
        guard syntax == .json, let byte = peek, byte | 0x20 == UInt8(ascii: "e") else { return true }
        position += 1
        let isDivisor = peek == UInt8(ascii: "-")
        if isDivisor || peek == UInt8(ascii: "+") { position += 1 }
        let start = position
        var power = 0
        while let byte = peek, (0x30...0x39).contains(byte) {
            // A power of that size is out of range whatever the digits are.
            power = min(power * 10 + Int(byte - 0x30), 100_000)
            position += 1
        }
        exponent += isDivisor ? -power : power
        return position > start
    }

    /// The significant digits as a whole number.
    var coefficient: BigInteger {
        if significantDigits <= 18 { return BigInteger(isNegative ? -word : word) }
        let digits = bytes[significant].filter { $0 != UInt8(ascii: ".") }.map { $0 - 0x30 }
        return BigInteger(isNegative: isNegative, digits: digits, base: 10)
    }
}
