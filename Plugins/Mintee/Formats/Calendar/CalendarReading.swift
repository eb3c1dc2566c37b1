import CivilDate
import ICalendar

/// The items of one calendar while they become tasks.
struct CalendarReading {
    private let series: [CalendarSeries]
    private let file: String?
    private let setting: ImportSetting

    init(_ items: [ICalComponent], file: String?, _ setting: ImportSetting) {
        series = CalendarSeries.grouped(items)
        self.file = file
        self.setting = setting
    }

    func read(into found: inout ImportedTasks) {
        // The series of one task of hub's own stand together; single items with one name do too.
        var own: [String: [CalendarSeries]] = [:]
        var order: [String] = []
        var rest: [CalendarSeries] = []
        for series in series {
            guard let id = OwnTask.taskID(ofUID: series.uid) else {
                rest.append(series)
                continue
            }
            if own[id] == nil { order.append(id) }
            own[id, default: []].append(series)
        }
        for id in order {
            let parts = own[id] ?? []
            if let task = OwnTask(id, parts, setting).task(at: place(of: parts)) {
                found.tasks.append(task)
            } else {
                rest += parts
            }
        }
        var singles: [String: Int] = [:]
        for series in rest {
            let place = place(of: [series])
            do throws(CalendarProblem) {
                let task = try ForeignTask(series, setting).task(at: place)
                if case .specific(let dates) = task.draft.schedule, series.isSingle {
                    if let index = singles[task.draft.name] {
                        found.tasks[index].add(dates, task)
                        continue
                    }
                    singles[task.draft.name] = found.tasks.count
                }
                found.tasks.append(task)
            } catch {
                found.problems.append(ImportProblem(place, subject: series.name, error.words))
            }
        }
    }

    private func place(of parts: [CalendarSeries]) -> ImportPlace {
        ImportPlace(file: file, line: parts.first?.line ?? 1)
    }
}

/// Why an item of a calendar cannot be a task.
struct CalendarProblem: Error {
    let words: String

    init(_ words: String) { self.words = words }
}

extension ImportedTask {
    /// Adds the dates and days of another single item of the same name.
    fileprivate mutating func add(_ dates: [CivilDate], _ other: ImportedTask) {
        guard case .specific(let present) = draft.schedule else { return }
        draft.schedule = .dates(present + dates)
        entries.merge(other.entries) { first, second in first.completion >= second.completion ? first : second }
        for loss in other.losses where !losses.contains(loss) { losses.append(loss) }
        draft.tags += other.draft.tags
    }
}
