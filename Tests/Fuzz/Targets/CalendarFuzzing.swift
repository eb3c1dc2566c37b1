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
        let setting = ImportSetting(today: CivilDate(daysSinceEpoch: 20_000)) {
            CivilDate(daysSinceEpoch: Int(clamping: $0 / 86_400_000))
        }
        var found = TaskImportFormat.ics.read(ImportBundle("fuzz", [.init("fuzz.ics", input)]), setting)
        found.applyRules()
        return nil
    }
}
