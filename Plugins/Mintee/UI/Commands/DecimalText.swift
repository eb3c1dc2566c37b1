/// Formats numbers with a fixed number of decimals.
enum DecimalText {
    /// Formats a number, rounded half away from zero.
    static func text(_ number: Double, digits: Int) -> String {
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        let whole = Int((abs(number) * scale).rounded())
        let text = String(repeating: "0", count: max(0, digits + 1 - String(whole).count)) + String(whole)
        let sign = number < 0 && whole > 0 ? "-" : ""
        return digits == 0 ? sign + text : "\(sign)\(text.dropLast(digits)).\(text.suffix(digits))"
    }

    /// Formats a percentage with one decimal: `82.5 %`.
    static func percent(_ part: Int, of whole: Int) -> String {
        text(whole == 0 ? 0 : Double(part) * 100 / Double(whole), digits: 1) + " %"
    }
}
