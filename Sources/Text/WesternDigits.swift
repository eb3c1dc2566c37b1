/// Digits of all scripts as ASCII digits: `٣١` and `３１` are `31`.
package enum WesternDigits {
    /// Returns `text` with its digits as ASCII digits, and without the marks of direction that a copied number brings along. A text
    /// with the digits of two scripts stays as it is: some look alike and differ in value.
    package static func text(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return String(text) }
        var zero: UInt32?
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !isDirection(scalar) {
            guard scalar.properties.numericType == .decimal,
                let digit = scalar.properties.numericValue.map({ UInt32($0) })
            else {
                result.append(scalar)
                continue
            }
            guard (zero ?? scalar.value - digit) == scalar.value - digit else { return String(text) }
            zero = scalar.value - digit
            result.append(Unicode.Scalar(UInt8(0x30 + digit)))
        }
        return String(result)
    }

    /// Whether a scalar only says how what stands beside it is written: LRM, RLM or ALM.
    private static func isDirection(_ scalar: Unicode.Scalar) -> Bool {
        [0x200E, 0x200F, 0x061C].contains(scalar.value)
    }
}
