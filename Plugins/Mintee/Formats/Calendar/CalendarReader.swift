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

/// Converts the items of one calendar to tasks.
struct CalendarReading {
    private let series: [CalendarSeries]
    /// Items with more properties than an item may have.
    private let oversized: [ICalComponent]
    private let file: String?
    private let setting: ImportSetting

    init(_ items: [ICalComponent], file: String?, _ setting: ImportSetting) {
        let limit = ICalLimits.item.properties
        func isOversized(_ item: ICalComponent) -> Bool {
            item.properties.count > limit || item.components.reduce(0) { $0 + 1 + $1.properties.count } > limit
        }
        series = CalendarSeries.grouped(items.filter { !isOversized($0) })
        oversized = items.filter(isOversized)
        self.file = file
        self.setting = setting
    }

    func read(into found: inout ImportedTasks) {
        for item in oversized {
            found.problems.append(
                ImportProblem(
                    ImportPlace(file: file, line: item.line),
                    subject: item["SUMMARY"].map { String($0.text.prefix(80)) },
                    "more than \(ICalLimits.item.properties) properties"))
        }
        // The series of one task exported by hub belong together; single items with the same name do too.
        var own: [String: [CalendarSeries]] = [:]
        var order: [String] = []
        var rest: [CalendarSeries] = []
        var periods: [(id: String, series: CalendarSeries)] = []
        for series in series {
            // The to-do of a period in a synced calendar says nothing that the task and its days do not.
            if let key = TaskDay(uid: series.uid), key.isPeriod {
                periods.append((key.taskID, series))
                continue
            }
            guard let id = OwnTask.taskID(ofUID: series.uid) else {
                rest.append(series)
                continue
            }
            if own[id] == nil { order.append(id) }
            own[id, default: []].append(series)
        }
        for (id, series) in periods where own[id] == nil {
            found.problems.append(
                ImportProblem(
                    place(of: [series]), subject: series.name,
                    "a to-do for a whole period has no days of its own; import the export of the task instead"))
        }
        for id in order {
            let parts = own[id] ?? []
            if let task = OwnTask(id, parts, setting).task(at: place(of: parts)) {
                found.tasks.append(task)
            } else {
                rest += parts
            }
        }
        var singles: [String: SingleItems] = [:]
        for series in rest {
            let place = place(of: [series])
            do throws(CalendarProblem) {
                let task = try ForeignTask(series, setting).task(at: place)
                if case .specific(let dates) = task.draft.schedule, series.isSingle {
                    if singles[task.draft.name]?.add(task, on: dates) != nil { continue }
                    singles[task.draft.name] = SingleItems(task, on: dates, at: found.tasks.count)
                }
                found.tasks.append(task)
            } catch {
                found.problems.append(ImportProblem(place, subject: series.name, error.words))
            }
        }
        for items in singles.values { found.tasks[items.place] = items.task }
        join(singles.values.map(\.place), into: &found)
    }

    /// Adds completed and cancelled items to the series of the same name on whose days they are: programs that move a series on when it is
    /// completed leave such a copy with a `UID` of its own.
    private func join(_ places: [Int], into found: inout ImportedTasks) {
        for place in places.sorted(by: >) {
            let copies = found.tasks[place]
            guard case .specific(let dates) = copies.draft.schedule,
                let index = found.tasks.firstIndex(where: {
                    $0.draft.name == copies.draft.name && $0.draft.schedule.kind == .recurring
                }), case .recurring(let start, let end, let sets) = found.tasks[index].draft.schedule
            else { continue }
            let joined = dates.filter { date in
                let entry = copies.entries[date]
                return (entry.map { $0.completion > 0 || $0.skipReason != nil } ?? false)
                    && Schedule.set(of: sets, on: CalendarDay(date)) != nil
            }
            guard let first = joined.first, let last = joined.last else { continue }
            found.tasks[index].entries.merge(copies.entries.filter { joined.contains($0.key) }) { own, _ in own }
            found.tasks[index].draft.schedule = .recurring(from: min(start, first), to: max(end, last), sets)
            let rest = Set(dates).subtracting(joined)
            if rest.isEmpty {
                found.tasks.remove(at: place)
            } else {
                found.tasks[place].draft.schedule = .dates(rest)
                found.tasks[place].entries = copies.entries.filter { rest.contains($0.key) }
            }
        }
    }

    private func place(of parts: [CalendarSeries]) -> ImportPlace {
        ImportPlace(file: file, line: parts.first?.line ?? 1)
    }
}

/// The reason why a calendar item cannot become a task.
struct CalendarProblem: Error {
    let words: String

    init(_ words: String) { self.words = words }
}

/// Single items with the same name, collected into one task.
private struct SingleItems {
    /// The index of the task among those found.
    let place: Int
    private var first: ImportedTask
    private var dates: Set<CivilDate>
    private var losses: Set<String>

    init(_ task: ImportedTask, on dates: [CivilDate], at place: Int) {
        self.place = place
        first = task
        self.dates = Set(dates)
        losses = Set(task.losses)
    }

    /// Adds the dates and days of another item.
    mutating func add(_ other: ImportedTask, on dates: [CivilDate]) {
        self.dates.formUnion(dates)
        first.entries.merge(other.entries) { first, second in first.completion >= second.completion ? first : second }
        first.losses += other.losses.filter { losses.insert($0).inserted }
        first.draft.tags += other.draft.tags
    }

    /// Returns the task with all dates.
    var task: ImportedTask {
        var task = first
        task.draft.schedule = .dates(dates)
        return task
    }
}
