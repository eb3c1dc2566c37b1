import Archive
import CSV
import CivilDate
package import MinteeDomain
import Storage

/// The formats of exports.
package enum TaskExportFormat: String, CaseIterable, Sendable {
    /// JSON with everything, with the app's key names.
    case json
    /// CSV with one line for each day with an entry (RFC 4180).
    case csv
    /// A calendar: a series for each target set, with the filled days (RFC 5545).
    case ics
    /// The zip of Loop Habit Tracker.
    case loop
    /// A zip of the files of harsh.
    case harsh
    /// A zip of the files of habitctl.
    case habitctl
    /// `userdata.json` of Habitica.
    case habitica

    /// The program whose two files are written; nil for any other format.
    var habitFiles: HabitFiles.Program? { HabitFiles.Program(rawValue: rawValue) }
}

extension MinteePlugin {
    /// Exports the tasks `ids`, or all live ones with the analyses, sorted by name, in chunks of whole tasks. `kind` is
    /// the component type for days in a calendar. The same store gives the same bytes.
    package func export(
        _ ids: [String]? = nil, as format: TaskExportFormat, kind: TaskCalendar.Kind = .todos
    ) -> AsyncThrowingStream<[UInt8], any Error> {
        if format == .loop {
            let pages = LoopExport(store, ids)
            return AsyncThrowingStream { try await pages.next() }
        }
        if let program = format.habitFiles {
            let bytes = HabitFilesExport(store, ids, program)
            return AsyncThrowingStream { try await bytes.next() }
        }
        if format == .habitica {
            let bytes = HabiticaExport(store, ids, day)
            return AsyncThrowingStream { try await bytes.next() }
        }
        let pages = ExportPages(store, ids, format, kind)
        return AsyncThrowingStream { try await pages.next() }
    }

    /// Returns the names of those tasks `ids`, or of all, whose days, targets or tags a format of another program cannot
    /// represent; for Habitica also those with such entries.
    package func tasksInexact(in format: TaskExportFormat, _ ids: [String]? = nil) async throws -> [String] {
        try await store.read { transaction in
            try transaction.tasks()
                .filter { record in
                    guard ids?.contains(record.id) ?? true else { return false }
                    if let program = format.habitFiles { return !HabitFiles.holds(record.draft, in: program) }
                    guard format == .habitica else { return format == .loop && !LoopHabit.holds(record.draft) }
                    return !HabiticaFile.holds(record.draft, entries: try transaction.entries(of: record.id))
                }
                .map(\.draft.name).sorted()
        }
    }
}

/// The state of the export between two chunks.
private actor ExportPages {
    private static let header = CSVWriter.line(["Task", "Date", "Value", "State", "Target", "Skipped", "Note"])

    private let store: Store
    private let wanted: [String]?
    private let format: TaskExportFormat
    private let kind: TaskCalendar.Kind
    private var rest: ArraySlice<TaskRecord>?
    private var isFirst = true
    private var isFinished = false

    init(_ store: Store, _ ids: [String]?, _ format: TaskExportFormat, _ kind: TaskCalendar.Kind) {
        self.store = store
        wanted = ids
        self.format = format
        self.kind = kind
    }

    func next() async throws -> [UInt8]? {
        if isFinished { return nil }
        if rest == nil {
            let all = try await store.read { try $0.tasks() }.sorted { $0.draft.name < $1.draft.name }
            let wanted = wanted
            rest = all.filter { wanted?.contains($0.id) ?? true }[...]
            return try await head()
        }
        guard let record = rest?.popFirst() else {
            isFinished = true
            return tail
        }
        defer { isFirst = false }
        switch format {
        case .json: return try await document(of: record)
        // The formats of other programs have separate code paths.
        case .csv, .loop, .harsh, .habitctl, .habitica: return try await lines(of: record)
        case .ics:
            let entries = try await store.read { try $0.entries(of: record.id) }
            return TaskCalendar(record, entries, as: kind).text
        }
    }

    private func head() async throws -> [UInt8] {
        switch format {
        case .json: try await before()
        case .csv, .loop, .harsh, .habitctl, .habitica: ExportPages.header
        case .ics: TaskCalendar.head
        }
    }

    private var tail: [UInt8] {
        switch format {
        case .json: Array("\n]}\n".utf8)
        case .csv, .loop, .harsh, .habitctl, .habitica: []
        case .ics: TaskCalendar.tail
        }
    }

    /// The text before the tasks: the analyses, if everything is exported, and the calendars of holidays, of some tasks
    /// those that they leave out.
    private func before() async throws -> [UInt8] {
        var calendars = try await store.read { try $0.holidayCalendars() }
        if wanted != nil {
            let names = Set(
                (rest ?? []).flatMap(\.draft.schedule.sets).compactMap(\.pattern.exception?.calendar))
            calendars.removeAll { !names.contains($0.name) }
        }
        let records = wanted == nil ? try await store.read { try $0.analyses() } : []
        var json = JSONWriter()
        json.array { json in
            for record in records.sorted(by: { $0.analysis.name < $1.analysis.name }) {
                AnalysisDocument.write(record, to: &json)
            }
        }
        let text = Array("{\"analyses\":".utf8) + json.bytes
        if calendars.isEmpty { return text + Array(",\"tasks\":[".utf8) }
        var list = JSONWriter()
        list.array { json in for calendar in calendars { HolidayDocument.write(calendar, to: &json) } }
        return text + Array(",\"holidays\":".utf8) + list.bytes + Array(",\"tasks\":[".utf8)
    }

    private func document(of record: TaskRecord) async throws -> [UInt8] {
        let comma = isFirst ? "\n" : ",\n"
        return try await store.read { transaction in
            let document = TaskDocument(
                draft: record.draft, entries: try transaction.entries(of: record.id),
                summary: try transaction.summary(of: record.id) ?? TaskSummary(), position: record.position)
            var json = JSONWriter()
            document.write(to: &json, dates: try transaction.instanceDays(of: record.id))
            return Array(comma.utf8) + json.bytes
        }
    }

    private func lines(of record: TaskRecord) async throws -> [UInt8] {
        let entries = try await store.read { try $0.entries(of: record.id) }
        return entries.flatMap { day, entry in
            let target = record.draft.target(on: day)
            return CSVWriter.line([
                record.draft.name, day.description, NumberText.text(entry.completion), entry.state(target).name,
                target?.description ?? "", entry.skipReason ?? "", entry.note ?? "",
            ])
        }
    }
}

/// Writes the zip of harsh or habitctl, with the tasks in the order of their creation.
private actor HabitFilesExport {
    private let store: Store
    private let wanted: [String]?
    private let program: HabitFiles.Program
    private var isFinished = false

    init(_ store: Store, _ ids: [String]?, _ program: HabitFiles.Program) {
        self.store = store
        wanted = ids
        self.program = program
    }

    /// All bytes, and then nil.
    func next() async throws -> [UInt8]? {
        if isFinished { return nil }
        isFinished = true
        let (wanted, program) = (wanted, program)
        let files = try await store.read { transaction in
            var files = HabitFiles(program)
            for record in try transaction.tasks() where wanted?.contains(record.id) ?? true {
                files.add(record.draft, entries: try transaction.entries(of: record.id))
            }
            return files
        }
        do throws(ArchiveError) {
            return try files.zip()
        } catch {
            throw HubError(zip: error)
        }
    }
}

/// Writes `userdata.json` of Habitica, with the tasks in the order of their creation.
private actor HabiticaExport {
    private let store: Store
    private let wanted: [String]?
    private let boundary: DayBoundary
    private var isFinished = false

    init(_ store: Store, _ ids: [String]?, _ boundary: DayBoundary) {
        self.store = store
        wanted = ids
        self.boundary = boundary
    }

    /// All bytes, and then nil.
    func next() async throws -> [UInt8]? {
        if isFinished { return nil }
        isFinished = true
        let (wanted, boundary) = (wanted, boundary)
        return try await store.read { transaction in
            var file = HabiticaFile { boundary.middle(of: $0).milliseconds }
            for record in try transaction.tasks() where wanted?.contains(record.id) ?? true {
                let source = try transaction.source(of: record.id) ?? ""
                let id = source.hasPrefix("habitica:") ? String(source.dropFirst(9)) : record.id
                file.add(record.draft, id: id, entries: try transaction.entries(of: record.id))
            }
            return file.bytes
        }
    }
}
