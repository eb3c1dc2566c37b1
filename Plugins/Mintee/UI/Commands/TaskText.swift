import CivilDate
import HubKit
import MinteeDomain

extension TaskDraft {
    /// The days of the task in the words in which they are typed: `Mon,Wed: x >= 2; daily`, `3 dates`.
    var daysText: String {
        switch schedule {
        case .recurring(_, _, let sets): sets.map(\.description).joined(separator: "; ")
        case .specific(let dates):
            dates.count == 1 ? "\(dates[0])" : "\(dates.count) dates, \(dates[0]) to \(dates[dates.count - 1])"
        }
    }
}

extension GetDay.Item {
    /// How the day stands, in a word.
    var stateText: String {
        switch state.category {
        case .reached?: "done"
        case .under?: "under"
        case .over?: "over"
        case nil: "skipped"
        }
    }

    /// Whether nothing is left to do for it: it is done for good, or skipped.
    var isSettled: Bool { state.category == nil || state.category == .reached && entry != nil }

    /// What is to be reached: `x >= 20`; empty for chosen dates.
    var targetText: String { targetSet?.target.description ?? "" }

    /// How far the value has come, 0...1; a task of chosen dates is done or not.
    var meter: Double { targetSet.map { $0.target.meter(of: value) ?? 0 } ?? (value > 0 ? 1 : 0) }

    /// How the value meets the target.
    var status: CompletionStatus {
        targetSet.map { $0.target.status(of: value) } ?? (value > 0 ? .satisfactory : .unsatisfactory)
    }

    /// The pattern of the day when it is not daily.
    var patternText: String { targetSet.map { $0.pattern == .daily ? "" : $0.pattern.description } ?? "" }
}

/// Days as glyphs.
enum DayGlyphs {
    /// A day that is over, or with `isOpen` one that is not.
    static func glyph(_ state: DayState, isOpen: Bool = false) -> Character {
        switch state.category {
        case .reached?: "■"
        case .under?: isOpen ? "□" : "▼"
        case .over?: "▲"
        case nil: "·"
        }
    }

    /// The days that end with the one of an item.
    static func week(_ item: GetDay.Item) -> String {
        var text = ""
        for state in item.week.dropLast() { text.append(glyph(state)) }
        if let today = item.week.last { text.append(glyph(today, isOpen: item.isOpen)) }
        return text
    }
}

extension CivilDate {
    /// The day in words: `Friday, 20 November 2026`.
    var longText: String {
        let (year, month, day) = components
        return "\(weekday.name), \(day) \(CivilDate.monthNames[month - 1]) \(year)"
    }

    /// The names of the months.
    static let monthNames = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}

extension HubError {
    /// A text on the command line that does not say what it should, with a caret below what is wrong.
    init(_ problem: TextProblem, in text: String) {
        let excerpt = SourceExcerpt(lines: [text], line: 1, columns: problem.columns, note: problem.message)
        let near = problem.word.flatMap { Suggestion.nearest(to: $0, in: problem.vocabulary) }
        self.init(
            .usage, code: "pattern-invalid", "\"\(text)\" says no days and target", details: excerpt.rendered,
            hint: near.map { "did you mean \($0)?" }
                ?? #"write "Mon,Wed: 3 <= x < 5", "1st,Last Fri" or "daily: x >= 20""#)
    }
}

extension TargetSet {
    /// The set of a word of the command line; throws a usage error with a caret.
    init(argument text: String) throws(HubError) {
        do throws(TextProblem) {
            try self.init(text)
        } catch {
            throw HubError(error, in: text)
        }
    }
}
