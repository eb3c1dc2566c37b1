package import CivilDate
package import Commands
package import MinteeDomain
import Storage

/// Imports tasks of other programs, with all their entries. An invalid item does not stop the import.
///
/// A task is recognized by its identity in the file, or by its name. A known task gets the days that it is missing;
/// filled days are kept, as are its patterns, tags and notes. Importing the same file again changes nothing. Everything
/// is one operation: one line of history, and one undo.
extension MinteePlugin {
    /// Imports all tasks of `files`, or with `isDryRun` only returns the plan; one report for each file.
    ///
    /// `horizon` is the end date of calendar series that have none. `keepsAll` includes every changed task in the
    /// reports. Throws if no file could be read. `progress` gets the name of a file and the number of its tasks.
    package func importTasks(
        _ files: [TaskImportFile], as format: TaskImportFormat? = nil, horizon: CivilDate? = nil, operation: Operation,
        isDryRun: Bool = false, keepsAll: Bool = false,
        progress: @Sendable (_ file: String, _ tasks: Int) -> Void = { _, _ in }
    ) async throws -> [TaskImportReport] {
        func read(
            _ store: (FoundTasks, inout TaskImportReport, String) async throws -> Void
        ) async throws -> [TaskImportReport] {
            var reports: [TaskImportReport] = []
            for file in files {
                do {
                    let source = try await file.open()
                    var report = TaskImportReport(keepsAll: keepsAll)
                    report.name = source.bundle.name
                    func add(_ found: FoundTasks) async throws {
                        report.skip(found.tasks.problems)
                        report.notes += found.tasks.notes
                        try await store(found, &report, source.bundle.name)
                    }
                    if let path = source.path, source.isStreamed {
                        try await forEachPart(of: path, add)
                    } else {
                        try await add(try await found(in: source, as: format, horizon))
                    }
                    reports.append(report)
                } catch let error as HubError where error.isAboutFile {
                    reports.append(TaskImportReport(failure: error))
                }
            }
            return reports
        }
        let reports: [TaskImportReport]
        if isDryRun {
            reports = try await read { found, report, _ in try await plan(found, &report) }
        } else {
            reports = try await store.bulk(operation) { bulk in
                try await read { found, report, name in
                    try await write(found, in: bulk, &report) { progress(name, $0) }
                }
            }
        }
        if let error = HubError(unread: reports) { throw error }
        return reports
    }

    /// Reads a large export of hub in parts; analyses come last, because they need the tags of the tasks.
    private func forEachPart(of path: String, _ body: (FoundTasks) async throws -> Void) async throws {
        let reader = try await ChunkedFileReader(path: path)
        var splitter = OwnExportSplitter()
        var late: [OwnExportSplitter.Part] = []
        func add(_ parts: [OwnExportSplitter.Part]) async throws {
            for part in parts {
                if part.list == "analyses" { late.append(part) } else { try await body(await read(part)) }
            }
        }
        while let chunk = try await reader.next() { try await add(splitter.add(chunk)) }
        try await add(splitter.finish())
        for part in late { try await body(await read(part)) }
    }

    /// Reads a part of an export of hub, outside the store's thread.
    @concurrent private func read(_ part: OwnExportSplitter.Part) async -> FoundTasks {
        let bundle = ImportBundle("", [ImportBundle.File("", part.text)])
        var found = FoundTasks(OwnExport.parts(bundle), lines: part.lines, today: day.today)
        found.tasks.applyRules()
        return found
    }

    /// Reads the contents of a source. Throws `invalid` if its format is unknown, or if it contains no tasks.
    func found(
        in source: TaskImportSource, as format: TaskImportFormat?, _ horizon: CivilDate?
    ) async throws(HubError) -> FoundTasks {
        let source = source.unpacked
        guard let format = format ?? TaskImportFormat(sniffing: source.bundle) else {
            throw MinteePlugin.nothing(in: source, "unrecognised format")
        }
        let found = try await read(source, as: format, horizon)
        guard !found.tasks.tasks.isEmpty || !found.analyses.isEmpty || !found.tasks.problems.isEmpty else {
            throw MinteePlugin.nothing(in: source, found.tasks.notes.first ?? "it was read as \(format.rawValue)")
        }
        return found
    }

    private func plan(_ found: FoundTasks, _ report: inout TaskImportReport) async throws {
        let plan = try await store.read { transaction in
            (
                tasks: try found.tasks.tasks.map {
                    try transaction.importTask($0, calendars: found.holidays.map(\.name), isPlan: true)
                },
                analyses: try transaction.plannedItems(of: found.analyses)
            )
        }
        for (item, problem, note) in plan.tasks {
            report.skip(problem.map { [$0] } ?? [])
            report.notes += note.map { [$0] } ?? []
            report.add(item)
        }
        for item in plan.analyses { report.add(item) }
    }

    private func write(
        _ found: FoundTasks, in bulk: BulkWrite, _ report: inout TaskImportReport, _ progress: (Int) -> Void
    ) async throws {
        if !found.holidays.isEmpty { try await bulk.chunk { try $0.importHolidays(found.holidays) } }
        for task in found.tasks.tasks {
            let (item, problem, note) = try await bulk.chunk { try $0.importTask(task) }
            report.skip(problem.map { [$0] } ?? [])
            report.notes += note.map { [$0] } ?? []
            report.add(item)
            progress(report.total)
        }
        if found.analyses.isEmpty { return }
        let outcome = try await bulk.chunk { try $0.importAnalyses(found.analyses) }
        for item in outcome.items { report.add(item) }
        report.skip(outcome.problems)
    }

    /// Reads the files and makes each task fit the rules, outside the store's thread.
    @concurrent private func read(
        _ source: TaskImportSource, as format: TaskImportFormat, _ horizon: CivilDate?
    ) async throws(HubError) -> FoundTasks {
        let setting = ImportSetting(today: day.today, horizon: horizon) { [day] in
            day.day(of: Instant(milliseconds: $0))
        }
        var found = FoundTasks()
        switch format {
        case .loop where source.bundle.isDatabase:
            guard let path = source.path else {
                throw HubError(.usage, code: "database-from-stdin", "a database cannot be read from stdin; give a file")
            }
            let (habits, problems) = try LoopDatabase.read(path)
            found.tasks.tasks = habits.map { $0.task(setting) }
            found.tasks.problems = problems
        case .json: found = FoundTasks(OwnExport.parts(source.bundle), today: setting.today)
        default: found.tasks = format.read(source.bundle, setting)
        }
        found.tasks.applyRules()
        return found
    }

    private static func nothing(in source: TaskImportSource, _ reason: String) -> HubError {
        HubError(
            .invalid, code: "no-tasks", "\(TerminalSanitizer.line(source.bundle.name)) contains no tasks",
            details: [reason],
            hint: "give the format with --as FORMAT: "
                + TaskImportFormat.allCases.map(\.rawValue).joined(separator: ", "))
    }
}

/// The results of the tasks of an import.
package typealias TaskImportReport = ImportReport<TaskImportItem, ImportProblem>

/// One task of an import.
package struct TaskImportItem: ImportedItem {
    /// The outcome.
    package let outcome: ImportOutcome
    /// The id; empty for a new task of a plan.
    package let id: String
    /// The name here.
    package let name: String
    /// The number of imported days; nil for an analysis.
    package let days: Int?
    /// Descriptions of data that hub cannot represent, and of existing data that was kept.
    package let words: [String]
}
