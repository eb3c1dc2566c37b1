import CivilDate

/// Reads harsh: `Name: 3/7: 2026-12-31` below headings that begin with `!`; `2026-11-20 : Name : y : comment : amount`.
enum HarshReader: TaskReader {
    static func recognizes(_ bundle: ImportBundle) -> Bool {
        if let line = HabitLog.firstLine(of: bundle, isLog: true) { return line.dropFirst(10).trimmed.first == ":" }
        // The beginning of a file of JSON in one line may end in the middle of it, as `…: 2`.
        guard let line = HabitLog.firstLine(of: bundle, isLog: false), line.first != "{", line.first != "[" else {
            return false
        }
        return line.first == "!" || habit(line, ImportPlace()) != nil
    }

    static func read(_ bundle: ImportBundle, _ setting: ImportSetting) -> ImportedTasks {
        var log = HabitLog("harsh", bundle, lastLineCounts: true)
        var heading: String?
        HabitLog.forEachLine(of: bundle) { line, place, isLog in
            let text = line.text.trimmed
            if isLog {
                add(text, place, to: &log)
            } else if text.first == "!" {
                heading = text.dropFirst().trimmed
            } else if var habit = Self.habit(text, place) {
                habit.tags = [heading].compactMap(\.self)
                log.add(habit)
            } else {
                log.refuse(place, "expected a habit such as Name: 3/7 (times and days)")
            }
        }
        return log.found(setting)
    }

    /// `Name: 1`, `Name: 3/7`, `Name: 1w`, `Name: 0: 2026-12-31`; the name may contain colons.
    private static func habit(_ line: String, _ place: ImportPlace) -> HabitCollection? {
        var parts = line.split(separator: ":").map(\.trimmed)
        guard parts.count >= 2 else { return nil }
        let end = parts.count > 2 ? CivilDate(parts[parts.count - 1]) : nil
        if end != nil { parts.removeLast() }
        guard let frequency = frequency(parts.removeLast()), !parts.isEmpty else { return nil }
        var habit = HabitCollection(parts.joined(separator: ": "), at: place)
        guard !habit.name.isBlank else { return nil }
        habit.frequency = frequency
        habit.end = end
        return habit
    }

    /// `1`, `3/7`; `1w` and `2w` are once in that many weeks; `d`, `m`, `q` and `y` are days, months, quarters and
    /// years.
    private static func frequency(_ text: String) -> HabitFrequency? {
        let units: [Character: Int] = ["d": 1, "w": 7, "m": 30, "q": 90, "y": 365]
        if let days = text.last.flatMap({ units[Character($0.lowercased())] }) {
            guard let count = text.count == 1 ? 1 : Int(text.dropLast()), (1...9999).contains(count) else { return nil }
            return HabitFrequency(times: 1, days: count * days)
        }
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        switch numbers.count {
        case 1:
            guard let days = numbers[0], (0...9999).contains(days) else { return nil }
            return days == 0 ? .tracked : HabitFrequency(times: 1, days: days)
        case 2:
            guard let times = numbers[0], let days = numbers[1], (0...9999).contains(times), (1...9999).contains(days)
            else { return nil }
            return HabitFrequency(times: times, days: days)
        default: return nil
        }
    }

    private static func add(_ line: String, _ place: ImportPlace, to log: inout HabitLog) {
        let parts = Self.parts(of: line)
        guard parts.count >= 3, !parts[1].isEmpty else {
            return log.refuse(place, "expected a line such as 2026-11-20 : Name : y")
        }
        guard let day = CivilDate(parts[0]) else { return log.refuse(place, "the line does not start with a date") }
        // A comment may contain separators; the amount is the last part if it is a number.
        var comment = parts.dropFirst(3).map(\.self)
        var amount: Double?
        if comment.count >= 2, let last = comment.last {
            amount = NumberText.number(last)
            if amount != nil || last.isEmpty { comment.removeLast() }
        }
        let note = comment.joined(separator: " : ").trimmed
        var entry = Entry(note: note.isEmpty ? nil : note)
        switch parts[2].lowercased() {
        case "y": entry.completion = amount.map { $0 > 0 ? $0 : 1 } ?? 1
        case "n": entry.completion = 0
        case "s": entry.skipReason = ""
        default:
            let before = parts[..<2].reduce(0) { $0 + $1.count + 3 }
            return log.refuse(
                place, columns: before + 1..<before + 1 + max(1, parts[2].count), subject: parts[1],
                "\"\(parts[2].prefix(20))\" is not y, n or s")
        }
        log.add(entry, to: parts[1], on: day, place)
    }

    /// Splits a line at colons; a colon without blanks on both sides belongs to a name or a comment.
    private static func parts(of line: String) -> [String] {
        let characters = [" "] + Array(line) + [" "]
        var parts: [String] = []
        var part = ""
        for index in 1..<characters.count - 1 {
            if characters[index] == ":", characters[index - 1].isWhitespace, characters[index + 1].isWhitespace {
                parts.append(part.trimmed)
                part = ""
            } else {
                part.append(characters[index])
            }
        }
        return parts + [part.trimmed]
    }
}
