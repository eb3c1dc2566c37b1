import CivilDate

/// A word of a day pattern, with its meaning and position.
struct DayToken: Hashable, Sendable {
    /// The meaning of a word.
    enum Meaning: Hashable, Sendable {
        case weekday(Weekday)
        /// `weekdays`, `weekend`, `MWF`.
        case weekdays(WeekdaySet)
        /// `daily`.
        case daily
        case number(Int)
        /// `1st`; `isSpelled` for `first`.
        case ordinal(Int, isSpelled: Bool)
        case last
        /// The sign between the ends of a range: `-`, `to`.
        case range
        case every
        case except
        /// A separator of days: a comma, `and`.
        case separator
        case slash, plus, day, week, month, weekly, monthly
        /// A word without effect.
        case filler
        case unknown
    }

    let meaning: Meaning
    let token: TextToken

    var text: String { token.text }
    var columns: Range<Int> { token.columns }

    private init(_ text: String, _ column: Int) {
        token = TextToken(text: text, columns: column..<column + text.count)
        meaning = DayToken.meaning(of: text.lowercased())
    }

    /// Splits `text` into words; `start` is the column of its first character.
    ///
    /// Signs are separate words, but a date such as `2026-11-20` remains one word.
    static func tokens(of text: Substring, from start: Int) -> [DayToken] {
        var tokens: [DayToken] = []
        var word = ""
        var column = start
        func end() {
            guard !word.isEmpty else { return }
            let first = column - word.count
            if word.isDateLike {
                tokens.append(DayToken(word, first))
            } else {
                tokens += parts(of: word, from: first)
            }
            word = ""
        }
        for character in text {
            if character.isWhitespace {
                end()
            } else if character == "," {
                end()
                tokens.append(DayToken(",", column))
            } else {
                word.append(character)
            }
            column += 1
        }
        end()
        return tokens
    }

    /// The parts of a word without blanks: the texts between its signs, and the signs.
    private static func parts(of word: String, from start: Int) -> [DayToken] {
        var tokens: [DayToken] = []
        var part = ""
        var column = start
        func end() {
            guard !part.isEmpty else { return }
            // A full stop ends an abbreviation, as in "Mon." and "1."; two full stops are a range.
            let first = column - part.count
            if let dots = part.firstRange(of: "..") {
                let (low, high) = (String(part[..<dots.lowerBound]), String(part[dots.upperBound...]))
                if !low.isEmpty { tokens.append(DayToken(low, first)) }
                tokens.append(DayToken("..", first + low.count))
                if !high.isEmpty { tokens.append(DayToken(high, first + low.count + 2)) }
            } else {
                let bare = part.hasSuffix(".") && part.count > 1 ? String(part.dropLast()) : part
                tokens.append(DayToken(bare, first))
            }
            part = ""
        }
        for character in word {
            if signs.contains(character) {
                end()
                tokens.append(DayToken(String(character), column))
            } else {
                part.append(character)
            }
            column += 1
        }
        end()
        return tokens
    }

    private static let signs: Set<Character> = ["&", "/", "+", "-", "–", "—"]

    private static func meaning(of word: String) -> Meaning {
        if let meaning = words[word] { return meaning }
        if let weekday = weekdays[word] { return .weekday(weekday) }
        let digits = word.prefix { ("0"..."9").contains($0) }
        guard (1...2).contains(digits.count), let number = Int(digits) else { return .unknown }
        if digits.count == word.count { return .number(number) }
        return ["st", "nd", "rd", "th"].contains(word.dropFirst(digits.count))
            ? .ordinal(number, isSpelled: false) : .unknown
    }

    private static let words: [String: Meaning] = [
        "daily": .daily, "everyday": .daily, "nightly": .daily,
        "weekdays": .weekdays(.workweek), "weekday": .weekdays(.workweek), "workdays": .weekdays(.workweek),
        "weekend": .weekdays(.weekend), "weekends": .weekdays(.weekend),
        "mwf": .weekdays([.monday, .wednesday, .friday]),
        "tth": .weekdays([.tuesday, .thursday]), "tuth": .weekdays([.tuesday, .thursday]),
        "mw": .weekdays([.monday, .wednesday]), "mtwtf": .weekdays(.workweek), "mtwthf": .weekdays(.workweek),
        "first": .ordinal(1, isSpelled: true), "second": .ordinal(2, isSpelled: true),
        "third": .ordinal(3, isSpelled: true), "fourth": .ordinal(4, isSpelled: true),
        "fifth": .ordinal(5, isSpelled: true), "last": .last, "-": .range, "–": .range, "—": .range, "..": .range,
        "to": .range, "through": .range, "thru": .range, "every": .every, "each": .every, "all": .every, "any": .every,
        "except": .except, "but": .except, "without": .except, "excluding": .except, "not": .except, "no": .except,
        ",": .separator, "&": .separator, "and": .separator, "/": .slash, "+": .plus, "day": .day, "days": .day,
        "week": .week, "weeks": .week, "month": .month, "months": .month, "weekly": .weekly, "monthly": .monthly,
        "the": .filler, "of": .filler, "on": .filler, "in": .filler, "for": .filler, "a": .filler, "per": .filler,
        "from": .filler,
    ]

    private static let weekdays: [String: Weekday] = Weekday.allCases.reduce(
        into: ["tues": .tuesday, "weds": .wednesday, "thur": .thursday, "thurs": .thursday]
    ) { words, day in
        let name = day.name.lowercased()
        for word in [
            day.shortName.lowercased(), String(name.prefix(2)), name, name + "s", day.shortName.lowercased() + "s",
        ] {
            words[word] = day
        }
    }

    /// The words suggested for an unknown word.
    static let vocabulary =
        ["daily", "weekdays", "weekend", "last", "1st", "2nd", "3rd", "4th"]
        + Weekday.allCases.flatMap { [$0.shortName, $0.name] }
}

extension String {
    /// Whether it looks like `2026-11-20`.
    fileprivate var isDateLike: Bool {
        allSatisfy { ("0"..."9").contains($0) || $0 == "-" } && count { $0 == "-" } == 2
    }
}
