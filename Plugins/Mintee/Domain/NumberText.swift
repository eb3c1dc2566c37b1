package import Text

/// Formats and parses numbers.
package enum NumberText {
    /// Formats a number without decimals if it has none, else with the fewest digits that parse to the same number.
    package static func text(_ number: Double) -> String {
        if number == 0 { return "0" }
        if number == number.rounded(), abs(number) < 1e15 { return String(Int(number)) }
        let text = String(abs(number))
        let sign = number < 0 ? "-" : ""
        guard let mark = text.firstIndex(of: "e"), let exponent = Int(text[text.index(after: mark)...]) else {
            return sign + (text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
        }
        // `1.25e-07` becomes `0.000000125`.
        let parts = text[..<mark].split(separator: ".")
        let whole = String(parts[0])
        let digits = whole + (parts.count > 1 && parts[1] != "0" ? String(parts[1]) : "")
        let point = whole.count + exponent
        if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
        if point >= digits.count { return sign + digits + String(repeating: "0", count: point - digits.count) }
        return sign + digits.prefix(point) + "." + digits.dropFirst(point)
    }

    /// How many characters the longest text of a number has: 17 digits behind the zeros of the smallest one.
    private static let maximumLength = 400

    /// Parses the whole `text` as a number: digits with at most one point, and a sign. Nil for anything else.
    package static func number(_ text: some StringProtocol) -> Double? {
        let bytes = Array(text.utf8)
        let body = bytes.first == UInt8(ascii: "-") || bytes.first == UInt8(ascii: "+") ? bytes.dropFirst() : bytes[...]
        let digits = body.count { (0x30...0x39).contains($0) }
        let points = body.count { $0 == UInt8(ascii: ".") }
        guard digits > 0, points <= 1, digits + points == body.count, body.count <= maximumLength else {
            return nil
        }
        return Double(String(decoding: bytes, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
    }

    /// Parses a number that a person typed, with the decimal mark of the locale.
    package static func number(
        _ text: some StringProtocol, _ mark: DecimalMark
    ) throws(TypedNumber.Problem) -> Double {
        let text = WesternDigits.text(text)
        let typed = try TypedNumber(text, mark)
        if let problem = thousands(text, mark) { throw problem }
        guard let number = number(typed.text) else { throw .malformed(suggestion: nil) }
        return number
    }

    /// The two readings of `10.000` where the decimal mark is a point: three decimals that end with a zero are nearly always
    /// thousands of another language; nil for any other text.
    private static func thousands(_ text: some StringProtocol, _ mark: DecimalMark) -> TypedNumber.Problem? {
        let parts = text.drop { $0.isWhitespace || $0 == "-" || $0 == "+" }
            .split(separator: ".", omittingEmptySubsequences: false)
        guard mark == .point, parts.count == 2, parts[1].count == 3, parts[1].last == "0",
            (1...3).contains(parts[0].count), parts[0].first != "0",
            parts.allSatisfy({ $0.allSatisfy { ("0"..."9").contains($0) } })
        else { return nil }
        let (large, small) = (number("\(parts[0])\(parts[1])"), number("\(parts[0]).\(parts[1])"))
        let sign = text.contains("-") ? "-" : ""
        return .ambiguous(sign + self.text(large ?? 0), sign + self.text(small ?? 0))
    }

    /// The problem of a `text` that is not a number, with the number before a unit as its suggestion if there is one.
    package static func problem(_ text: some StringProtocol, _ mark: DecimalMark) -> TypedNumber.Problem {
        do throws(TypedNumber.Problem) { _ = try number(text, mark) } catch {
            if error != .malformed(suggestion: nil) { return error }
        }
        let digits = text.prefix { !$0.isLetter }
        guard digits.count < text.count, text.dropFirst(digits.count).allSatisfy(\.isLetter),
            (try? number(digits, mark)) != nil
        else { return .malformed(suggestion: nil) }
        return .malformed(suggestion: String(digits))
    }
}
