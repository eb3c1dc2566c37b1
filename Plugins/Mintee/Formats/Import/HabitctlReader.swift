import CivilDate

/// Reads habitctl: `7 Name` in the file of habits, for once in 7 days; `2026-11-20`, name and `y`, `n` or `s`,
/// separated by tabs.
enum HabitctlReader: TaskReader {
    static func recognizes(_ bundle: ImportBundle) -> Bool {
        if let line = HabitLog.firstLine(of: bundle, isLog: true) { return line.contains("\t") }
        return HabitLog.firstLine(of: bundle, isLog: false).flatMap { habit($0, ImportPlace()) } != nil
    }

    static func read(_ bundle: ImportBundle, _ setting: ImportSetting) -> ImportedTasks {
        var log = HabitLog("habitctl", bundle)
        HabitLog.forEachLine(of: bundle) { line, place, isLog in
            if isLog {
                add(line.text, place, to: &log)
            } else if let habit = Self.habit(line.text.trimmed, place) {
                log.add(habit)
            } else {
                log.refuse(place, "expected a habit such as 7 Name (once in 7 days)")
            }
        }
        return log.found(setting)
    }

    private static func habit(_ line: String, _ place: ImportPlace) -> HabitCollection? {
        let digits = line.prefix { $0.isASCII && $0.isNumber }
        let name = line.dropFirst(digits.count)
        guard let days = Int(digits), days <= 9999, name.first?.isWhitespace ?? false, !name.isBlank else { return nil }
        var habit = HabitCollection(name.trimmed, at: place)
        habit.frequency = days == 0 ? .tracked : HabitFrequency(times: 1, days: days)
        return habit
    }

    private static func add(_ line: Substring, _ place: ImportPlace, to log: inout HabitLog) {
        let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(\.trimmed)
        guard parts.count == 3, !parts[1].isEmpty else {
            return log.refuse(place, "expected a date such as 2026-11-20, a name and y, n or s, separated by tabs")
        }
        guard let day = CivilDate(parts[0]) else { return log.refuse(place, "the line does not start with a date") }
        switch parts[2].lowercased() {
        case "y": log.add(Entry(completion: 1), to: parts[1], on: day, place)
        case "n": log.add(Entry(completion: 0), to: parts[1], on: day, place)
        case "s": log.add(Entry(skipReason: ""), to: parts[1], on: day, place)
        default:
            let before = parts[..<2].reduce(0) { $0 + $1.count + 1 }
            log.refuse(
                place, columns: before + 1..<before + 1 + max(1, parts[2].count), subject: parts[1],
                "\"\(parts[2].prefix(20))\" is not y, n or s")
        }
    }
}
