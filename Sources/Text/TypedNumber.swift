/// The mark before the decimals of a number that a person types.
package enum DecimalMark: Character, Sendable {
    case point = "."
    case comma = ","

    /// The mark of a locale such as `de_CH.UTF-8` by CLDR; a point if the locale is nil or not known.
    package init(locale: String?) {
        let name = (locale ?? "").prefix { $0 != "." && $0 != "@" }
        let parts = name.split { $0 == "_" || $0 == "-" }
        let language = parts.first?.lowercased() ?? ""
        let region = parts.dropFirst().last { $0.utf8.count == 2 || $0.allSatisfy(\.isNumber) }?.uppercased() ?? ""
        let isException = DecimalMark.exceptions[language]?.contains(region) ?? false
        self = DecimalMark.commaLanguages.contains(language) != isException ? .comma : .point
    }

    private static let commaLanguages: Set<String> = [
        "af", "ast", "az", "be", "bg", "br", "bs", "ca", "cs", "da", "de", "dsb", "el", "eo", "es", "et", "eu", "fi",
        "fo",
        "fr", "fur", "fy", "gl", "hr", "hsb", "hu", "hy", "id", "is", "it", "ka", "kk", "kl", "ky", "lb", "lt", "lv",
        "mk",
        "nb", "nl", "nn", "no", "oc", "os", "pl", "pt", "ro", "ru", "sc", "se", "sk", "sl", "sq", "sr", "sv", "tg",
        "tk",
        "tr", "tt", "uk", "uz", "vi", "wo",
    ]

    /// The regions that do not write numbers as the rest of their language does.
    private static let exceptions: [String: Set<String>] = [
        "ar": ["DZ", "LB", "LY", "MA", "MR", "TN"], "de": ["CH", "LI"],
        "en": ["AT", "BE", "DE", "DK", "FI", "NL", "SE", "SI"],
        "es": ["419", "BR", "BZ", "CU", "DO", "GT", "HN", "MX", "NI", "PA", "PE", "PR", "SV", "US"], "it": ["CH"],
    ]

    fileprivate var other: DecimalMark { self == .point ? .comma : .point }
}

/// A number as a person types it: `1234.5`, `1,234.5`, `7,5`, `1 000`, `١٬٢٣٤٫٥`, `１２`.
///
/// A text that hub itself writes for programs, digits with one point, is read in every locale. All else follows the locale:
/// its decimal mark, and thousands separated by the other mark, by spaces or by apostrophes. A text with two readings, such as
/// `1,000` where the decimal mark is a point, is refused: the other reading is a thousand times as large.
package struct TypedNumber: Hashable, Sendable {
    /// The reason why a text is refused.
    package enum Problem: Error, Hashable, Sendable {
        /// The text is not a number of the locale; with what was probably meant, as it is to be typed.
        case malformed(suggestion: String?)
        /// The text has two readings, as they are to be typed.
        case ambiguous(String, String)

        /// The problem of `text` in words.
        package func message(_ text: some StringProtocol) -> String {
            switch self {
            case .malformed: "invalid number \"\(text)\""
            case .ambiguous: "\"\(text)\" has two readings"
            }
        }

        /// The correction that a message suggests; nil if there is none.
        package var hint: String? {
            switch self {
            case .malformed(let suggestion): suggestion.map { "write \($0)" }
            case .ambiguous(let large, let small): "write \(large) or \(small)"
            }
        }
    }

    /// The number as digits with at most one point, and a minus sign: `-1234.5`.
    package let text: String

    /// Reads the whole `text`, without blanks at its ends.
    package init(_ text: some StringProtocol, _ mark: DecimalMark) throws(Problem) {
        let text = TypedNumber.western(text, mark)
        var body = text.drop(while: \.isWhitespace)
        while body.last?.isWhitespace == true { body.removeLast() }
        var sign = ""
        if let first = body.first, ["-", "+", "\u{2212}"].contains(first) {
            sign = first == "+" ? "" : "-"
            body.removeFirst()
        }
        let (own, other) = (TypedNumber.digits(body, mark), TypedNumber.digits(body, mark.other))
        switch (own, other) {
        case (let own?, let other?):
            guard own == other || body.contains(mark.rawValue) else {
                throw .ambiguous(sign + TypedNumber.typed(own, mark), sign + TypedNumber.typed(other, mark))
            }
            self.text = sign + own
        case (let own?, nil): self.text = sign + own
        case (nil, let other?) where mark == .comma && TypedNumber.isPlain(body): self.text = sign + other
        case (nil, let other?): throw .malformed(suggestion: sign + TypedNumber.typed(other, mark))
        case (nil, nil): throw .malformed(suggestion: nil)
        }
    }

    /// Returns a number of any script as it is written with ASCII digits. The two Arabic marks have one meaning each; the wide marks
    /// of East Asian keyboards mean what the narrow ones do.
    private static func western(_ text: some StringProtocol, _ mark: DecimalMark) -> String {
        String(
            WesternDigits.text(text).map { character -> Character in
                switch character {
                case "\u{66B}": mark.rawValue
                case "\u{66C}": "'"
                case "\u{FF0C}": ","
                case "\u{FF0E}": "."
                case "\u{FF0D}": "-"
                case "\u{FF0B}": "+"
                default: character
                }
            })
    }

    /// The digits of an unsigned number whose decimal mark is `mark`, with a point; nil if it is none.
    private static func digits(_ body: Substring, _ mark: DecimalMark) -> String? {
        let parts = body.split(separator: mark.rawValue, omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = joined(parts[0], mark) else { return nil }
        guard parts.count == 2 else { return whole.isEmpty ? nil : whole }
        guard !parts[1].isEmpty, parts[1].allSatisfy(isDigit) else { return nil }
        return (whole.isEmpty ? "0" : whole) + "." + parts[1]
    }

    /// The digits before the decimal mark without the marks between thousands; nil if these are not well formed.
    private static func joined(_ whole: Substring, _ mark: DecimalMark) -> String? {
        guard let separator = whole.first(where: { !isDigit($0) }) else { return String(whole) }
        guard separator == mark.other.rawValue || separator.isWhitespace || ["'", "\u{2019}"].contains(separator) else {
            return nil
        }
        let groups = whole.split(separator: separator, omittingEmptySubsequences: false)
        guard groups.allSatisfy({ $0.allSatisfy(isDigit) }), (1...3).contains(groups[0].count), groups[0].first != "0",
            groups.dropFirst().allSatisfy({ $0.count == 3 })
        else { return nil }
        return groups.joined()
    }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

    private static func isPlain(_ body: Substring) -> Bool { body.allSatisfy { isDigit($0) || $0 == "." } }

    /// A number as a person of the locale types it, without separators and without zeros at its end.
    private static func typed(_ digits: String, _ mark: DecimalMark) -> String {
        let parts = digits.split(separator: ".")
        guard parts.count == 2 else { return digits }
        let fraction = parts[1].reversed().drop { $0 == "0" }.reversed()
        return fraction.isEmpty ? String(parts[0]) : parts[0] + String(mark.rawValue) + String(fraction)
    }
}
