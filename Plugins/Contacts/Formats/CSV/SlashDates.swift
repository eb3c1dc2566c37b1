/// Dates such as `3/4/1985`, whose order of day and month is detected from the whole file.
struct SlashDates: Sendable {
    private var hasDayFirst = false
    private var hasMonthFirst = false

    /// Records a date of the file.
    mutating func see(_ text: String) {
        guard let (first, second, _) = SlashDates.parts(text) else { return }
        if first > 12 { hasDayFirst = true }
        if second > 12 { hasMonthFirst = true }
    }

    /// Parses `text` and returns the date with a warning if it is ambiguous; nil if it is empty.
    func day(_ text: String, field: String) -> (day: ContactDate, doubt: InputProblem?)? {
        let text = text.trimmed
        // The placeholder of Outlook for no date.
        if text.isEmpty || text.utf8.allSatisfy({ !(0x31...0x39).contains($0) }) && text.contains("0") { return nil }
        if let date = PartialDate(card: text) { return (.date(date), nil) }
        guard let (first, second, year) = SlashDates.parts(text) else {
            if let date = try? PartialDate(input: text) { return (.date(date), nil) }
            return (.text(text), InputProblem.doubt("invalid \(field) \"\(text)\", kept as text"))
        }
        let isDayFirst = first > 12 || first == second || hasDayFirst && !hasMonthFirst
        let isMonthFirst = second > 12 || hasMonthFirst && !hasDayFirst
        if isDayFirst || isMonthFirst,
            let date = PartialDate(
                year: year, month: isMonthFirst ? first : second, day: isMonthFirst ? second : first)
        {
            return (.date(date), nil)
        }
        return (
            .text(text),
            InputProblem.doubt("\(field) \"\(text)\" may start with the day or the month; kept as text")
        )
    }

    /// The three numbers of a date with slashes and a four-digit year.
    private static func parts(_ text: String) -> (Int, Int, Int)? {
        let parts = text.trimmed.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2].utf8.count == 4 else { return nil }
        let numbers = parts.compactMap { $0.utf8.count <= 4 ? Int($0) : nil }
        return numbers.count == 3 ? (numbers[0], numbers[1], numbers[2]) : nil
    }
}

extension InputProblem {
    /// Creates a warning; the caller sets its position.
    static func doubt(_ message: String) -> InputProblem { InputProblem("value-doubtful", line: 1, message) }
}
