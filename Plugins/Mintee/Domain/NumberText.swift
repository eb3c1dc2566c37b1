/// Formats and parses numbers.
package enum NumberText {
    /// Formats a number without decimals if it has none, else with the fewest digits that parse to the same number.
    package static func text(_ number: Double) -> String {
        if number == 0 { return "0" }
        if number == number.rounded(), abs(number) < 1e15 { return String(Int(number)) }
        let text = String(number)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// Parses the whole `text` as a number: digits with at most one point, and a sign. Nil for anything else.
    package static func number(_ text: some StringProtocol) -> Double? {
        let bytes = Array(text.utf8)
        let body = bytes.first == UInt8(ascii: "-") || bytes.first == UInt8(ascii: "+") ? bytes.dropFirst() : bytes[...]
        let digits = body.count { (0x30...0x39).contains($0) }
        let points = body.count { $0 == UInt8(ascii: ".") }
        guard digits > 0, points <= 1, digits + points == body.count, body.count <= 40 else { return nil }
        return Double(String(decoding: bytes, as: UTF8.self))
    }

    /// Returns the number that `text` probably means, as hub writes it: without a decimal comma, or without a unit
    /// after the digits. Nil if there is none.
    package static func nearest(_ text: some StringProtocol) -> String? {
        let commas = text.count { $0 == "," }
        if commas == 1, !text.contains("."), let number = number(text.map { $0 == "," ? "." : String($0) }.joined()) {
            return self.text(number)
        }
        let digits = text.prefix { ("0"..."9").contains($0) || ["-", "+", "."].contains($0) }
        guard digits.count < text.count, text.dropFirst(digits.count).allSatisfy(\.isLetter),
            let number = number(digits)
        else { return nil }
        return self.text(number)
    }
}
