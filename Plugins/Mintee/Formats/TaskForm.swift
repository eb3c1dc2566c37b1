package import CivilDate

/// A task as a form in an editor: one line per field, target sets by priority.
package struct TaskForm: Sendable {
    /// A line that cannot be parsed.
    package struct Problem: Error, Sendable {
        /// The number of the line, from 1.
        package let line: Int
        /// The line itself.
        package let excerpt: String
        /// The columns, in characters counted from 1.
        package let columns: Range<Int>
        /// The description of the problem.
        package let message: String
        /// The suggested text, if known.
        package let hint: String?
    }

    private let draft: TaskDraft

    package init(_ draft: TaskDraft) { self.draft = draft }

    /// The text of the form.
    package var text: String {
        var lines = ["name:    \(draft.name)"]
        switch draft.schedule {
        case .recurring(let start, let end, let sets):
            lines += sets.map { "on:      \($0)" }
            if let period = draft.period { lines.append("period:  \(period)") }
            lines += ["from:    \(start)", "to:      \(draft.hasOpenEnd ? "open" : end.description)"]
        case .specific(let dates):
            lines += dates.map { "date:    \($0)" }
        }
        lines += ["tags:    \(draft.tags.filter { !$0.contains(",") }.joined(separator: ", "))"]
        lines += draft.tags.filter { $0.contains(",") }.map { "tag:     \($0)" }
        lines += ["remind:  \(draft.reminderTime ?? "")", "section: \(draft.section ?? "")"]
        lines += draft.notes.split(separator: "\n", omittingEmptySubsequences: false).map { "notes:   \($0)" }
        lines += [
            "",
            "# on: Mon,Wed: 3 <= x < 5    1st,Last Fri    1,15,last: x >= 20    daily; the first matching line applies",
            "# period: 3 times a week    150 a month    at most 12 a week    3 times in 7 days",
            "# date: one line per date, instead of on, from and to",
            "# tag: one line per tag that contains a comma    notes: one line per line of text", "",
        ]
        return lines.map { $0.hasSuffix(" ") ? String($0.reversed().drop { $0 == " " }.reversed()) : $0 }
            .joined(separator: "\n")
    }

    /// Parses a form created from `draft`; throws the first invalid line.
    ///
    /// A field whose lines are unchanged keeps its value exactly, even one that a form cannot express.
    package static func read(
        _ text: String, editing draft: TaskDraft, today: CivilDate
    ) throws(Problem) -> TaskDraft {
        var original = TaskFormReading(draft, today: today)
        for line in TaskForm(draft).text.split(separator: "\n") where line.first != "#" { try? original.add(line) }
        var reading = TaskFormReading(draft, today: today)
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.hasSuffix("\r") ? line.dropLast() : line
            if line.isBlank || line.first == "#" { continue }
            do throws(TextProblem) {
                try reading.add(line)
            } catch {
                throw Problem(
                    line: index + 1, excerpt: String(line), columns: error.columns, message: error.message,
                    hint: error.hint)
            }
        }
        var result = reading.draft
        let isKept = { (names: String...) in names.allSatisfy { reading.written[$0] == original.written[$0] } }
        if isKept("name") { result.name = draft.name }
        if isKept("tags", "tag") { result.tags = draft.tags }
        if isKept("remind") { result.remindAt = draft.remindAt }
        if isKept("notes") { result.notes = draft.notes }
        if isKept("section") { result.section = draft.section }
        if isKept("on", "from", "to", "date") {
            (result.schedule, result.hasOpenEnd) = (draft.schedule, draft.hasOpenEnd)
        }
        if isKept("on", "period") { result.period = draft.period }
        return result
    }
}

/// The fields of a form while it is parsed.
private struct TaskFormReading {
    private var result: TaskDraft
    private let today: CivilDate
    private var sets: [TargetSet] = []
    private var dates: [CivilDate] = []
    private var start: CivilDate
    private var end: CivilDate?
    private var notes: [String] = []
    /// The values of each field, line by line.
    private(set) var written: [String: [String]] = [:]

    private static let names = [
        "name", "on", "period", "from", "to", "date", "tags", "tag", "remind", "section", "notes",
    ]

    init(_ draft: TaskDraft, today: CivilDate) {
        result = draft
        self.today = today
        start = today
        result.hasOpenEnd = false
        result.notes = ""
        result.tags = []
        result.remindAt = nil
        result.period = nil
        result.section = nil
    }

    var draft: TaskDraft {
        var draft = result
        draft.notes = notes.joined(separator: "\n")
        if dates.isEmpty {
            draft.hasOpenEnd = end == nil
            draft.schedule = .recurring(
                from: start, to: end ?? max(start, today).adding(days: TaskRecord.openDays), sets)
        } else {
            draft.schedule = .dates(dates)
        }
        return draft
    }

    mutating func add(_ line: Substring) throws(TextProblem) {
        guard let colon = line.firstIndex(of: ":") else {
            throw TextProblem("expected a field name and a colon", 1..<line.count + 1)
        }
        let name = line[..<colon].filter { !$0.isWhitespace }.lowercased()
        let rest = line[line.index(after: colon)...]
        let value = rest.drop(while: \.isWhitespace)
        let column = line.distance(from: line.startIndex, to: value.startIndex) + 1
        let columns = column..<column + Swift.max(1, value.count)
        let text = String(value.reversed().drop(while: \.isWhitespace).reversed())
        written[name, default: []].append(text)
        switch name {
        case "name": result.name = text
        case "on": try add(days(text, column: column), columns)
        case "period":
            if text.isEmpty { return }
            let days = try days(text, column: column)
            guard days.period != nil, days.sets == [TargetSet(.daily)] else {
                throw TextProblem("expected a target such as 3 times a week", columns)
            }
            try add(DueDays([], days.period), columns)
        case "from": start = try Self.day(text, columns)
        case "to": end = text == "open" || text.isEmpty ? nil : try Self.day(text, columns)
        case "date": dates.append(try Self.day(text, columns))
        case "tags": result.tags += text.split(separator: ",").map { $0.trimmingBlanks }.filter { !$0.isEmpty }
        case "tag": if !text.isEmpty { result.tags.append(text) }
        case "remind": result.remindAt = text.isEmpty ? nil : try Self.minutes(text, columns)
        case "section": result.section = text.isEmpty ? nil : TaskOrder.section(text)
        case "notes": notes.append(text)
        default:
            throw TextProblem("\"\(name)\" is not a field", 1..<name.count + 1, word: name, vocabulary: Self.names)
        }
    }

    private mutating func add(_ days: DueDays, _ columns: Range<Int>) throws(TextProblem) {
        sets += days.sets
        guard let period = days.period else { return }
        if result.period != nil { throw TextProblem("a task has one target over several days", columns) }
        result.period = period
    }

    private func days(_ text: String, column: Int) throws(TextProblem) -> DueDays {
        do throws(TextProblem) {
            return try DueDays(text, start: today)
        } catch {
            let columns = error.columns.lowerBound + column - 1..<error.columns.upperBound + column - 1
            throw TextProblem(
                error.message, columns, word: error.word, vocabulary: error.vocabulary, hint: error.hint)
        }
    }

    private static func day(_ text: String, _ columns: Range<Int>) throws(TextProblem) -> CivilDate {
        guard let day = CivilDate(text) else { throw TextProblem("expected a date such as 2026-11-20", columns) }
        return day
    }

    private static func minutes(_ text: String, _ columns: Range<Int>) throws(TextProblem) -> Int {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let hour = Int(parts[0]), let minute = Int(parts[1]), (0..<24).contains(hour),
            (0..<60).contains(minute), parts[1].count == 2
        else { throw TextProblem("expected a time such as 08:30", columns) }
        return hour * 60 + minute
    }
}
