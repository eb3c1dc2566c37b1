import CivilDate
import ICalendar
import MinteeDomain

/// Calendars, and the tasks in them.
enum CalendarFuzzing {
    static func calendar(_ input: [UInt8]) -> String? {
        if let written = try? ICalReader.read(input).flatMap(ICalWriter.write) {
            guard let again = try? ICalReader.read(written).flatMap(ICalWriter.write) else {
                return "a written calendar is one"
            }
            guard again == written else { return "a calendar is written as it was read" }
        }
        read(.ics, ["fuzz.ics": input])
        return nil
    }

    /// The exports of other programs for habits and tasks. The first byte chooses the program; of two files, a line of
    /// `---` begins the second.
    static func tasks(_ input: [UInt8]) -> String? {
        guard let choice = input.first else { return nil }
        let text = input.dropFirst()
        let cut = Array("\n---\n".utf8)
        let parts = text.split(separator: cut, maxSplits: 1, omittingEmptySubsequences: false).map { Array($0) }
        let second = parts.count == 2 ? parts[1] : []
        switch choice & 7 {
        case 0: read(.loop, ["Habits.csv": parts[0], "Checkmarks.csv": second])
        case 1: read(.harsh, ["habits": parts[0], "log": second])
        case 2: read(.habitctl, ["habits": parts[0], "log": second])
        case 3: read(.taskwarrior, ["tasks.json": parts[0]])
        case 4: read(.habitica, ["userdata.json": parts[0]])
        case 5: read(.habitica, ["history.csv": parts[0]])
        case 6: read(.habitbull, ["habitbull.csv": parts[0]])
        default: _ = OwnExport.parts(ImportBundle("fuzz", [.init("mintee.json", parts[0])]))
        }
        return nil
    }

    private static func read(_ format: TaskImportFormat, _ files: [String: [UInt8]]) {
        let setting = ImportSetting(today: CivilDate(daysSinceEpoch: 20_000)) {
            CivilDate(daysSinceEpoch: Int(clamping: $0 / 86_400_000))
        }
        let bundle = ImportBundle("fuzz", files.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) })
        _ = TaskImportFormat(sniffing: bundle)
        var found = format.read(bundle, setting)
        found.applyRules()
    }
}
