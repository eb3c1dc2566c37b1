import CivilDate
import MinteeDomain
import System

extension DueTask {
    /// Whether nothing is left to do: the target is reached and stays so, or the day is skipped.
    var isSettled: Bool {
        state.category == nil && !isFree && !state.isUnknown || state.category == .reached && entry != nil
    }

    /// The target: `x >= 20`; empty for a task with specific dates. With a period target its progress: `1 of 3 this week`.
    var targetText: String {
        let day = targetSet?.target.description ?? ""
        guard let progress = progressText else { return day }
        return targetSet?.target == .done || targetSet?.target.minOperator == .less ? progress : "\(day), \(progress)"
    }

    /// The progress of the period: `1 of 3 this week, 4 days left`; nil for a task without a period target.
    var progressText: String? { period?.words }

    /// The progress toward the target, 0...1; a task with specific dates is either done or not.
    var meter: Double { targetSet.map { $0.target.meter(of: value) ?? 0 } ?? (value > 0 ? 1 : 0) }

    /// The status of the value against the target.
    var status: CompletionStatus {
        targetSet.map { $0.target.status(of: value) } ?? (value > 0 ? .satisfactory : .unsatisfactory)
    }

    /// The days of every week, when these alone are the pattern of the day; nil for other patterns.
    var weekdays: WeekdaySet? {
        guard let pattern = targetSet?.pattern, pattern == DayPattern(weekdays: pattern.weekdays) else { return nil }
        return pattern.weekdays
    }

    /// The pattern of the day; empty if it is daily.
    var patternText: String { targetSet.map { $0.pattern == .daily ? "" : $0.pattern.description } ?? "" }
}

/// The glyphs of days.
enum DayGlyphs {
    /// Returns the glyph of a day that is over, or with `isOpen` of one that is not.
    static func glyph(_ state: DayState, isOpen: Bool = false) -> Character {
        Character(scalar(state, isOpen: isOpen))
    }

    private static func scalar(_ state: DayState, isOpen: Bool = false) -> Unicode.Scalar {
        switch state.category {
        case .reached?: "■"
        case .under?: isOpen ? "□" : "▼"
        case .over?: "▲"
        case nil: state.isUnknown ? "?" : "·"
        }
    }

    /// Returns the glyph of a period.
    static func scalar(_ period: PeriodProgress) -> Unicode.Scalar {
        switch period.state {
        case .reached: "■"
        case .under: "▼"
        case .over: "▲"
        case .open: "□"
        case .none: "·"
        }
    }

    /// Returns the glyphs of the days up to that of an item.
    static func week(_ item: DueTask) -> String {
        let last = item.week.count - 1
        // A scalar at a time, a string grows many times slower.
        return String(unsafeUninitializedCapacity: 3 * item.week.count) { bytes in
            var count = 0
            for (place, state) in item.week.enumerated() {
                for byte in scalar(state, isOpen: place == last && item.isOpen).utf8 {
                    bytes[count] = byte
                    count += 1
                }
            }
            return count
        }
    }
}

extension CivilDate {
    /// The day in words: `Friday, 20 November 2026`.
    var longText: String { "\(weekday.name), \(words)" }

    /// The day in few words: `Fri 20 November 2026`.
    var dayText: String { "\(weekday.shortName) \(words)" }

    /// The day in few words, with the year if it is not the current one: `Fri 20 November`.
    func shortText(today: CivilDate) -> String {
        components.year == today.components.year ? String(dayText.dropLast(5)) : dayText
    }
}

extension ClosedRange<CivilDate> {
    /// The days in few words: `Mon 16 November to Fri 20 November`.
    func shortText(today: CivilDate) -> String {
        let first = lowerBound.shortText(today: today)
        return lowerBound == upperBound ? first : "\(first) to \(upperBound.shortText(today: today))"
    }
}

extension HubError {
    /// Creates an error for an argument that cannot be parsed as `what`, with a caret below the problem.
    init(_ problem: TextProblem, in text: String, what: String, hint: String) {
        let excerpt = SourceExcerpt(lines: [text], line: 1, columns: problem.columns, note: problem.message)
        let near = problem.word.flatMap { Suggestion.nearest(to: $0, in: problem.vocabulary) }
        self.init(
            .usage, code: "pattern-invalid", "cannot read \"\(text)\" as \(what)", details: excerpt.rendered,
            hint: problem.hint ?? near.map { "did you mean \($0)?" } ?? hint)
    }
}

extension DueDays {
    /// Parses the due days of an argument; throws a usage error with a caret. An interval begins with `start`.
    init(argument text: String, _ mark: DecimalMark, start: CivilDate) throws(HubError) {
        do throws(TextProblem) {
            self = try DueDays(text, mark, start: start)
        } catch {
            throw HubError(
                error, in: text, what: "days and a target",
                hint: #"write "Mon,Wed: 3 <= x < 5", "1st,Last Fri", "daily: x >= 20" or "3 times a week""#)
        }
    }
}
