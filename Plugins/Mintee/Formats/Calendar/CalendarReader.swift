import CivilDate
import ICalendar

/// Reads calendars (RFC 5545): to-dos and events of any program, and the exports of hub.
///
/// A series becomes a recurring task if patterns can express its rule, else a task with specific dates; single items
/// with the same name become one task with specific dates. Data that a task cannot represent is reported with it.
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

    /// Returns the to-dos and events of calendars, including those outside any calendar.
    private static func items(of roots: [ICalComponent]) -> [ICalComponent] {
        roots.flatMap { root in
            [root] + root.components
        }.filter { $0.name == "VTODO" || $0.name == "VEVENT" }
    }
}
