import CivilDate
import ICalendar

/// Calendars (RFC 5545): the to-dos and events of any program, and what hub exports.
///
/// A series becomes a recurring task where patterns can say its rule, else a task of chosen dates; single items with the
/// same name become one task of chosen dates. What a task cannot carry is told with it.
enum CalendarReader: TaskReader {
    static func recognizes(_ bundle: ImportBundle) -> Bool {
        bundle.single.map { file in
            var text = ImportText.sample(file)[...]
            if text.first == "\u{FEFF}" { text = text.dropFirst() }
            return text.trimmed.uppercased().hasPrefix("BEGIN:V")
        } ?? false
    }

    static func read(_ bundle: ImportBundle, _ setting: ImportSetting) -> ImportedTasks {
        var found = ImportedTasks()
        for file in bundle.files {
            let name = bundle.files.count > 1 ? file.path : nil
            do throws(ICalError) {
                let items = items(of: try ICalReader.read(file.bytes))
                CalendarReading(items, file: name, setting).read(into: &found)
            } catch {
                found.problems.append(ImportProblem(ImportPlace(file: name, line: error.line ?? 1), "\(error)"))
            }
        }
        return found
    }

    /// The to-dos and events of calendars, also of those that are in no calendar.
    private static func items(of roots: [ICalComponent]) -> [ICalComponent] {
        roots.flatMap { root in
            [root] + root.components
        }.filter { $0.name == "VTODO" || $0.name == "VEVENT" }
    }
}
