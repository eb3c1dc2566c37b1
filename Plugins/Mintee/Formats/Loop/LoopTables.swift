import CSV
package import CivilDate

/// The files of Loop's CSV export: a list, a folder for each habit, and two tables of all habits.
///
/// Habits are added one after the other; the days of a table are written newest first.
package struct LoopTables: Sendable {
    /// The data of one habit that the tables of all habits need.
    private struct Column {
        let name: String
        let first: CivilDate
        let marks: [LoopHabit.Mark]
        let scores: [Int32]
        let isNumerical: Bool

        /// A day in the format of the tables.
        func text(_ index: Int) -> String { isNumerical ? marks[index].text : marks[index].word }
    }

    private let last: CivilDate?
    private var list = CSVWriter.line(
        [
            "Position", "Name", "Type", "Question", "Description", "FrequencyNumerator", "FrequencyDenominator",
            "Color",
            "Unit", "Target Type", "Target Value", "Archived?",
        ], end: "\n")
    private var columns: [Column] = []

    /// Creates the tables of habits whose last entered day is `last`, with which all tables end.
    package init(through last: CivilDate?) { self.last = last }

    /// Adds a habit, and returns the files of its folder.
    package mutating func add(_ habit: LoopHabit) -> [(path: String, bytes: [UInt8])] {
        let position = LoopTables.padded(columns.count + 1, 3)
        let amount = habit.isNumerical
        list += CSVWriter.line(
            [
                position, habit.name, amount ? "NUMERICAL" : "YES_NO", habit.question, habit.description,
                String(habit.times), String(habit.days), "#\(habit.color?.description.prefix(6) ?? "00897B")",
                amount ? habit.unit : "", amount ? (habit.isAtMost ? "AT_MOST" : "AT_LEAST") : "",
                amount ? String(habit.targetValue) : "", String(habit.isArchived),
            ], end: "\n")
        let first = habit.entered.map(\.date).min() ?? last ?? CivilDate(daysSinceEpoch: 0)
        let count = habit.entered.isEmpty ? 0 : max(0, (last ?? first).daysSinceEpoch - first.daysSinceEpoch + 1)
        var marks = [LoopHabit.Mark](repeating: .unknown, count: count)
        var notes: [Int: String] = [:]
        for day in habit.entered {
            let index = day.date.daysSinceEpoch - first.daysSinceEpoch
            guard marks.indices.contains(index) else { continue }
            marks[index] = day.mark
            if !day.note.isEmpty { notes[index] = day.note }
        }
        let column = Column(
            name: habit.name, first: first, marks: marks, scores: LoopTables.scores(habit, marks),
            isNumerical: habit.isNumerical)
        columns.append(column)
        let folder = "\(position) \(LoopTables.plain(habit.name))"
        return [
            ("\(folder)/Checkmarks.csv", LoopTables.checkmarks(column, notes)),
            ("\(folder)/Scores.csv", LoopTables.scores(column)),
        ]
    }

    /// The list of all habits.
    package var habits: (path: String, bytes: [UInt8]) { ("Habits.csv", list) }

    /// The tables of all habits: the entries, and the scores.
    package func matrices() -> [(path: String, bytes: [UInt8])] {
        let head = columns.map { "\($0.name)," }.joined()
        var (checkmarks, scores) = (Array("Date,\(head)\n".utf8), Array("Date,\(head)\n".utf8))
        guard let last, let first = columns.filter({ !$0.marks.isEmpty }).map(\.first).min() else {
            return [("Checkmarks.csv", checkmarks), ("Scores.csv", scores)]
        }
        for day in stride(from: last.daysSinceEpoch, through: first.daysSinceEpoch, by: -1) {
            let date = Array("\(CivilDate(daysSinceEpoch: day)),".utf8)
            checkmarks += date
            scores += date
            for column in columns {
                let index = day - column.first.daysSinceEpoch
                let isKnown = column.marks.indices.contains(index)
                checkmarks += Array("\(isKnown ? column.text(index) : "UNKNOWN"),".utf8)
                scores += Array("\(LoopTables.decimal(isKnown ? column.scores[index] : 0)),".utf8)
            }
            checkmarks.append(0x0A)
            scores.append(0x0A)
        }
        return [("Checkmarks.csv", checkmarks), ("Scores.csv", scores)]
    }

    private static func checkmarks(_ column: Column, _ notes: [Int: String]) -> [UInt8] {
        var bytes = Array("Date,Value,Notes\n".utf8)
        for index in column.marks.indices.reversed() {
            bytes += CSVWriter.line(
                ["\(column.first.adding(days: index))", column.text(index), notes[index] ?? ""], end: "\n")
        }
        return bytes
    }

    private static func scores(_ column: Column) -> [UInt8] {
        var bytes = Array("Date,Score\n".utf8)
        for (index, score) in column.scores.enumerated().reversed() {
            bytes += Array("\(column.first.adding(days: index)),\(decimal(score))\n".utf8)
        }
        return bytes
    }

    /// Scores in ten-thousandths, one per day.
    private static func scores(_ habit: LoopHabit, _ marks: [LoopHabit.Mark]) -> [Int32] {
        let scores: [Double]
        if habit.isNumerical {
            let amounts = marks.map { mark -> Double? in
                switch mark {
                case .number(let number): Double(number) / 1000
                case .unknown: 0
                case .skip: nil
                }
            }
            scores = LoopScore.scores(
                of: amounts, habit.isAtMost ? .atMost(habit.targetValue) : .atLeast(habit.targetValue),
                times: habit.times, in: habit.days)
        } else {
            let checks = marks.map { mark -> LoopScore.Check in
                mark == .skip ? .skip : mark == .number(2) ? .yes : .no
            }
            scores = LoopScore.scores(of: checks, times: habit.times, in: habit.days)
        }
        return scores.map { Int32(($0 * 10_000).rounded()) }
    }

    /// A score with four decimals.
    private static func decimal(_ score: Int32) -> String {
        "\(score / 10_000).\(padded(Int(score % 10_000), 4))"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// Returns a name as a folder name: letters, digits and ` ._-`, at most 100.
    private static func plain(_ name: String) -> String {
        let kept = name.unicodeScalars.filter {
            $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || " ._-".unicodeScalars.contains($0))
        }
        return String(String.UnicodeScalarView(kept.prefix(100)))
    }
}

extension LoopHabit.Mark {
    /// The mark as written in a table of amounts, where a mark without an amount is a word.
    var text: String {
        switch self {
        case .unknown: "UNKNOWN"
        case .skip: "SKIP"
        case .number(let number): String(number)
        }
    }

    /// The mark as written in a table of a yes-or-no habit.
    var word: String {
        switch self {
        case .number(0): "NO"
        case .number(1): "YES_AUTO"
        case .number(2): "YES_MANUAL"
        default: text
        }
    }
}
