import CivilDate
import Text

extension PartialDate {
    /// The error of a typed date, with a suggestion.
    package struct InputError: Error, Hashable, Sendable {
        /// The reason, such as `February 1985 has 28 days`.
        package var reason: String
        /// The suggested input.
        package var hint: String
    }

    /// Parses a typed date: `1985-02-28`, `--02-28`, `28.02.1985`, `28.2.`, `28 Feb 1985`, `Feb 28`, `1985`.
    ///
    /// `02/03/1985` is rejected as ambiguous, unless one part is over 12.
    package init(input: String) throws(InputError) {
        let text = WesternDigits.text(input.trimmed)
        let parts: (year: Int?, month: Int?, day: Int?)
        if let date = PartialDate(card: text) {
            self = date
            return
        }
        let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        let numbers = words.map { word in word.utf8.count <= 4 ? Int(word) : nil }
        if let named = PartialDate.named(words) {
            parts = named
        } else if text.hasPrefix("--"), words.count == 2, let month = numbers[0], let day = numbers[1] {
            parts = (nil, month, day)
        } else if words.count == 3, let year = numbers[0], words[0].count == 4, let month = numbers[1],
            let day = numbers[2]
        {
            parts = (year, month, day)
        } else if words.count == 3, let first = numbers[0], let second = numbers[1], let year = numbers[2],
            words[2].count == 4
        {
            if text.contains("/"), first <= 12, second <= 12, first != second {
                throw InputError(
                    reason: "ambiguous date: day or month first?", hint: PartialDate.hint(year, second, first))
            }
            parts = text.contains("/") && second > 12 ? (year, first, second) : (year, second, first)
        } else if words.count == 2, text.contains("."), let day = numbers[0], let month = numbers[1], month <= 12 {
            parts = (nil, month, day)
        } else if words.count == 1, words[0].utf8.count == 8, let number = Int(words[0]) {
            parts = (number / 10_000, number / 100 % 100, number % 100)
        } else {
            throw InputError(reason: "not a valid date", hint: PartialDate.hint(1985, 2, 28))
        }
        if let reason = PartialDate.reasonAgainst(year: parts.year, month: parts.month, day: parts.day) {
            throw InputError(reason: reason, hint: PartialDate.hint(parts.year, parts.month, parts.day))
        }
        self.init(known: parts)
    }

    private init(known parts: (year: Int?, month: Int?, day: Int?)) {
        year = parts.year
        month = parts.month
        day = parts.day
    }

    /// Parses a date with the month as a word of three letters or more.
    private static func named(_ words: [String]) -> (year: Int?, month: Int?, day: Int?)? {
        guard (1...3).contains(words.count),
            let position = words.firstIndex(where: { $0.first?.isLetter == true }),
            words[position].count >= 3,
            let month = CivilDate.monthNames.firstIndex(where: { $0.lowercased().hasPrefix(words[position]) })
        else { return nil }
        var year: Int?
        var day: Int?
        for (index, word) in words.enumerated() where index != position {
            let ordinal = ["st", "nd", "rd", "th"].contains { word.hasSuffix($0) }
            guard let number = Int(ordinal ? String(word.dropLast(2)) : word) else { return nil }
            if word.count == 4, !ordinal, year == nil {
                year = number
            } else if day == nil {
                day = number
            } else {
                return nil
            }
        }
        return (year, month + 1, day)
    }

    /// Returns the accepted forms of the closest valid date.
    private static func hint(_ year: Int?, _ month: Int?, _ day: Int?) -> String {
        let near = (
            year: (1...9999).contains(year ?? 0) ? year ?? 1985 : 1985, month: min(max(month ?? 2, 1), 12),
            day: max(day ?? 28, 1)
        )
        let last = CivilDate.daysInMonth(near.month, of: near.year)
        let full = PartialDate(known: (near.year, near.month, min(near.day, last))).description
        return "write \(full), -\(full.dropFirst(4)) without a year, or \"in quotes\" for free text"
    }
}
