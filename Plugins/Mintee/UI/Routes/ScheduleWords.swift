import CivilDate
import MinteeDomain

/// Due days as people say them, for the page.
extension DayPattern {
    /// The due days in words: `Every day`, `Monday and Wednesday`, `First and last Friday of the month`, `Days 1 and 15 of the month`.
    var words: String { exception.map { "\(ownWords), except \($0.calendar)" } ?? ownWords }

    private var ownWords: String {
        guard let interval else { return daysWords }
        let words = interval.words.prefix(1).uppercased() + interval.words.dropFirst()
        if interval.unit == .day, weekdays == .all { return "\(words) from \(interval.start.words)" }
        let days = kind == .daysOfWeek ? daysWords : daysWords.prefix(1).lowercased() + daysWords.dropFirst()
        return "\(words) on \(days) from \(interval.start.words)"
    }

    private var daysWords: String {
        let names = weekdays.days.map(\.name)
        switch kind {
        case .daysOfWeek where weekdays == .all: return "Every day"
        case .daysOfWeek where weekdays == DayPattern.workdays: return "Monday to Friday"
        case .daysOfWeek: return names.joinedInWords
        case .weekdaysOfMonth:
            let ordinals = weeks.weeks.map(\.words).joinedInWords
            let days = weekdays == .all ? "day of the week" : names.joinedInWords
            return "\(ordinals.prefix(1).uppercased())\(ordinals.dropFirst()) \(days) of the month"
        case .daysOfMonth:
            let numbers = monthDays.days.compactMap { day in if case .day(let number) = day { "\(number)" } else { nil }
            }
            let parts = [
                numbers.isEmpty ? nil : "day\(numbers.count > 1 ? "s" : "") \(numbers.joinedInWords)",
                monthDays.contains(.last) ? "the last day" : nil,
            ].compactMap { $0 }
            let text = parts.joinedInWords + " of the month"
            return text.prefix(1).uppercased() + text.dropFirst()
        }
    }

    private static let workdays: WeekdaySet = [.monday, .tuesday, .wednesday, .thursday, .friday]
}

extension TargetSet {
    /// Due days and target in words: `Every day, 6 to 10`.
    var words: String { target.goal.isEmpty ? pattern.words : "\(pattern.words), \(target.goal)" }
}

extension TaskDraft {
    /// Each target set in words, and the target over several days; empty for specific dates.
    var scheduleWords: [String] {
        guard let period else { return schedule.sets.map(\.words) }
        let sets = schedule.sets == [TargetSet(.daily)] ? [] : schedule.sets.map(\.words)
        let text = period.description
        return sets + [text.prefix(1).uppercased() + text.dropFirst()]
    }
}

extension MonthWeek {
    fileprivate var words: String {
        switch self {
        case .first: "first"
        case .second: "second"
        case .third: "third"
        case .fourth: "fourth"
        case .last: "last"
        }
    }
}

extension [String] {
    /// The words as in a sentence: `a, b and c`.
    fileprivate var joinedInWords: String {
        count > 1 ? dropLast().joined(separator: ", ") + " and " + self[count - 1] : first ?? ""
    }
}
