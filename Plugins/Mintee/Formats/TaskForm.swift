package import CivilDate

/// A task as a form in an editor: one line a field, target sets from the strongest on.
package struct TaskForm: Sendable {
    /// A line that does not say what it should.
    package struct Problem: Error, Sendable {
        /// The number of the line, from 1.
        package let line: Int
        /// The line itself.
        package let excerpt: String
        /// Where in it, in characters from 1.
        package let columns: Range<Int>
        /// What is wrong.
        package let message: String
    }

    private let draft: TaskDraft

    package init(_ draft: TaskDraft) { self.draft = draft }

    /// The form.
    package var text: String {
        var lines = ["name:    \(draft.name)"]
        switch draft.schedule {
        case .recurring(let start, let end, let sets):
            lines += sets.map { "on:      \($0)" }
            lines += ["from:    \(start)", "to:      \(draft.hasOpenEnd ? "open" : end.description)"]
        case .specific(let dates):
            lines += dates.map { "date:    \($0)" }
        }
        let remind = draft.remindAt.map {
            [$0 / 60, $0 % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        }
        lines += ["tags:    \(draft.tags.joined(separator: ", "))", "remind:  \(remind ?? "")"]
        lines += ["notes:   \(draft.notes.replacing("\n", with: " / "))", ""]
        lines += [
            "# on: Mon,Wed: 3 <= x < 5    1st,Last Fri    1,15,last: x >= 20    daily; the first that names a day holds"
        ]
        lines += ["# date: one line for each date, instead of on, from and to", ""]
        return lines.map { $0.hasSuffix(" ") ? String($0.reversed().drop { $0 == " " }.reversed()) : $0 }
            .joined(separator: "\n")
    }

    /// The task of a form that was made of `draft`; throws the first line that does not pass.
    package static func read(
        _ text: String, editing draft: TaskDraft, today: CivilDate
    ) throws(Problem) -> TaskDraft {
        var reading = TaskFormReading(draft, today: today)
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.hasSuffix("\r") ? line.dropLast() : line
            if line.isBlank || line.first == "#" { continue }
            do throws(TextProblem) {
                try reading.add(line)
            } catch {
                throw Problem(line: index + 1, excerpt: String(line), columns: error.columns, message: error.message)
            }
        }
        return reading.draft
    }
}

/// The fields of a form as they are read.
private struct TaskFormReading {
    private var result: TaskDraft
    private let today: CivilDate
    private var sets: [TargetSet] = []
    private var dates: [CivilDate] = []
    private var start: CivilDate
    private var end: CivilDate?

    private static let names = ["name", "on", "from", "to", "date", "tags", "remind", "notes"]

    init(_ draft: TaskDraft, today: CivilDate) {
        result = draft
        self.today = today
        start = today
        result.hasOpenEnd = false
        result.notes = ""
        result.tags = []
        result.remindAt = nil
    }

    var draft: TaskDraft {
        var draft = result
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
            throw TextProblem("a line begins with a field and a colon", 1..<line.count + 1)
        }
        let name = line[..<colon].filter { !$0.isWhitespace }.lowercased()
        let rest = line[line.index(after: colon)...]
        let value = rest.drop(while: \.isWhitespace)
        let column = line.distance(from: line.startIndex, to: value.startIndex) + 1
        let columns = column..<column + Swift.max(1, value.count)
        let text = String(value.reversed().drop(while: \.isWhitespace).reversed())
        switch name {
        case "name": result.name = text
        case "on": sets.append(try Self.set(text, column: column))
        case "from": start = try Self.day(text, columns)
        case "to": end = text == "open" || text.isEmpty ? nil : try Self.day(text, columns)
        case "date": dates.append(try Self.day(text, columns))
        case "tags": result.tags = text.split(separator: ",").map { String($0.drop(while: \.isWhitespace)) }
        case "remind": result.remindAt = text.isEmpty ? nil : try Self.minutes(text, columns)
        case "notes": result.notes = text.replacing(" / ", with: "\n")
        default:
            throw TextProblem("\(name) is no field", 1..<name.count + 1, word: name, vocabulary: Self.names)
        }
    }

    private static func set(_ text: String, column: Int) throws(TextProblem) -> TargetSet {
        do throws(TextProblem) {
            return try TargetSet(text)
        } catch {
            let columns = error.columns.lowerBound + column - 1..<error.columns.upperBound + column - 1
            throw TextProblem(error.message, columns, word: error.word, vocabulary: error.vocabulary)
        }
    }

    private static func day(_ text: String, _ columns: Range<Int>) throws(TextProblem) -> CivilDate {
        guard let day = CivilDate(text) else { throw TextProblem("a day is written 2026-11-20", columns) }
        return day
    }

    private static func minutes(_ text: String, _ columns: Range<Int>) throws(TextProblem) -> Int {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let hour = Int(parts[0]), let minute = Int(parts[1]), (0..<24).contains(hour),
            (0..<60).contains(minute), parts[1].count == 2
        else { throw TextProblem("a time is written 08:30", columns) }
        return hour * 60 + minute
    }
}
