package import CivilDate
package import Text

extension TargetSet: CustomStringConvertible {
    /// The set as typed: `Mon,Wed: 3 <= x < 5`; without a target if it is done or not.
    package var description: String { target == .done ? pattern.description : "\(pattern): \(target)" }

    /// Parses a single set; throws if `text` has several.
    package init(_ text: String, _ mark: DecimalMark = .point) throws(TextProblem) {
        let sets = try TargetSet.sets(text, mark)
        guard sets.count == 1 else {
            throw TextProblem(
                "this is more than one pattern", 1..<text.count + 1, hint: "use a separate --on for each")
        }
        self = sets[0]
    }

    /// Parses sets by priority: a pattern, and after a colon a target; a semicolon separates sets.
    ///
    /// Without a target, a day is done or not; without a pattern, as in `x >= 8`, every day is due. Several ordinals
    /// with different weekdays, `1st Mon and 3rd Wed`, are several sets with the same target. An interval of weeks or months that
    /// does not name its first day begins with `start`.
    package static func sets(
        _ text: String, _ mark: DecimalMark = .point, start: CivilDate? = nil
    ) throws(TextProblem) -> [TargetSet] {
        guard text.utf8.count <= 1000 else { throw TextProblem("the text is longer than 1000 bytes", 1..<2) }
        var sets: [TargetSet] = []
        var column = 1
        for piece in text.split(separator: ";", omittingEmptySubsequences: false) {
            sets += try read(piece, column: column, mark, start)
            column += piece.count + 1
        }
        return sets
    }

    private static func read(
        _ text: Substring, column: Int, _ mark: DecimalMark, _ first: CivilDate?
    ) throws(TextProblem) -> [TargetSet] {
        if let time = timeOfDay(in: text, column: column) { throw time }
        if let colon = text.firstIndex(of: ":") {
            let after = column + text.distance(from: text.startIndex, to: colon) + 1
            let patterns = try DayPattern.patterns(in: text[..<colon], column: column, start: first)
            let target = try Target(text[text.index(after: colon)...], column: after, mark)
            return patterns.map { TargetSet($0, target) }
        }
        guard let start = TargetPhrase.start(in: text) else {
            return try DayPattern.patterns(in: text, column: column, start: first).map { TargetSet($0) }
        }
        let days = text[..<start]
        let target = try Target(text[start...], column: column + text.distance(from: text.startIndex, to: start), mark)
        if days.allSatisfy(\.isWhitespace) { return [TargetSet(.daily, target)] }
        return try DayPattern.patterns(in: days, column: column, start: first).map { TargetSet($0, target) }
    }

    /// Returns the problem of a time such as `18:30`, whose colon does not introduce a target.
    private static func timeOfDay(in text: Substring, column: Int) -> TextProblem? {
        let isDigit = { (character: Character) in ("0"..."9").contains(character) }
        var place = column
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let parts = word.split(separator: ":", omittingEmptySubsequences: false)
            if parts.count == 2, (1...2).contains(parts[0].count), parts[0].allSatisfy(isDigit),
                parts[1].prefix(2).count == 2, parts[1].prefix(2).allSatisfy(isDigit)
            {
                return DayPhrase.isTime(place..<place + word.count)
            }
            place += word.count + 1
        }
        return nil
    }
}

extension TaskDraft {
    /// The days of the task as typed: `Mon,Wed: x >= 2; daily`, `3 times a week`, `3 dates`.
    package var daysText: String {
        switch schedule {
        case .recurring(_, _, let sets): DueDays(sets, period).description
        case .specific(let dates):
            dates.count == 1 ? "\(dates[0])" : "\(dates.count) dates, \(dates[0]) to \(dates[dates.count - 1])"
        }
    }
}
