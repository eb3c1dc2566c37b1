/// The exception of a calendar of holidays at the end of a pattern: `except holidays`, `except Sun and holidays`.
struct HolidayPhrase {
    /// The text before it, which is a pattern of its own.
    let days: Substring
    /// The name of the calendar as typed.
    let calendar: String

    private static let synonyms: Set<String> = [
        "holiday", "public holiday", "public holidays", "bank holiday", "bank holidays",
    ]

    /// Finds the exception at the end of `text`; nil if there is none.
    init?(_ text: Substring, column: Int) {
        let tokens = DayToken.tokens(of: text, from: column)
        let start = tokens.count - tokens.reversed().prefix(while: HolidayPhrase.isOfName).count
        guard start < tokens.count, tokens[start].meaning == .unknown,
            DayPhrase.canNameCalendar(Array(tokens[start...]))
        else { return nil }
        var sign = start - 1
        while sign >= 0, tokens[sign].meaning == .filler { sign -= 1 }
        guard sign > 0 else { return nil }
        let isExcept = tokens[sign].meaning == .except
        let isMore = tokens[sign].meaning == .separator && tokens[..<sign].contains { $0.meaning == .except }
        guard isExcept || isMore else { return nil }
        // `but not`, `except for`.
        while isExcept, sign > 1, tokens[sign - 1].meaning == .except { sign -= 1 }
        func index(_ place: Int) -> Substring.Index { text.index(text.startIndex, offsetBy: place - column) }
        let name = text[index(tokens[start].columns.lowerBound)...].split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        var days = text[..<index(tokens[sign].columns.lowerBound)]
        while let last = days.last, last.isWhitespace || last == "," { days.removeLast() }
        guard !days.isEmpty, HolidayCalendar.isName(name) else { return nil }
        self.days = days
        calendar =
            HolidayPhrase.synonyms.contains(name.lowercased()) ? HolidayCalendar.defaultName : name
    }

    private static func isOfName(_ token: DayToken) -> Bool {
        token.meaning == .unknown || token.meaning == .range && token.text == "-"
    }
}

extension HolidayCalendar {
    /// Whether a calendar can have this name: patterns must be able to name it.
    package static func isTypable(_ name: String) -> Bool {
        guard isName(name), let pattern = try? DayPattern("daily except \(name)") else { return false }
        return pattern.exception?.calendar == name
    }
}
