package import CivilDate
package import HubKit
package import MinteeDomain

/// Reads tasks of other programs, with all that was entered for them. One bad item never stops the rest.
///
/// A task is known by what its file tells it apart with, or by its name. A known task gets the days that it lacks; days
/// that are filled here stay as they are, and so do its patterns, tags and notes. The same file again changes nothing.
/// All of it is one operation: history shows one line, and one undo takes it back.
package struct ImportTasks: Sendable {
    let store: Store
    let day: MinteeDay

    package init(_ store: Store, day: MinteeDay) {
        self.store = store
        self.day = day
    }

    /// Imports all tasks of `source`, or with `isDryRun` only tells what would become of them.
    ///
    /// `horizon` is where that ends which has no end in a calendar. Throws `invalid` when the files are of no known format, or
    /// hold no tasks. `progress` gets the number of tasks.
    package func callAsFunction(
        _ source: TaskImportSource, as format: TaskImportFormat? = nil, horizon: CivilDate? = nil, operation: Operation,
        isDryRun: Bool = false, progress: @Sendable (_ tasks: Int) -> Void = { _ in }
    ) async throws -> TaskImportReport {
        guard let format = format ?? TaskImportFormat(sniffing: source.bundle) else {
            throw ImportTasks.nothing(in: source, "it looks like no format that hub knows")
        }
        let found = try await read(source, as: format, horizon)
        let (tasks, analyses) = (found.tasks.tasks, found.analyses)
        guard !tasks.isEmpty || !analyses.isEmpty || !found.tasks.problems.isEmpty else {
            throw ImportTasks.nothing(in: source, found.tasks.notes.first ?? "it was read as \(format.rawValue)")
        }
        var report = TaskImportReport()
        report.skip(found.tasks.problems)
        report.notes = found.tasks.notes
        if isDryRun {
            let plan = try await store.read { transaction in
                (
                    tasks: try tasks.map { try transaction.importTask($0, isPlan: true) },
                    analyses: try transaction.plannedItems(of: analyses)
                )
            }
            for (item, problem) in plan.tasks { report.add(item, problem) }
            for item in plan.analyses { report.add(item) }
            return report
        }
        if tasks.isEmpty, analyses.isEmpty { return report }
        return try await store.bulk(operation) { bulk in
            for task in tasks {
                let (item, problem) = try await bulk.chunk { try $0.importTask(task) }
                report.add(item, problem)
                progress(report.total)
            }
            if analyses.isEmpty { return report }
            let outcome = try await bulk.chunk { try $0.importAnalyses(analyses) }
            for item in outcome.items { report.add(item) }
            report.skip(outcome.problems)
            return report
        }
    }

    /// What the files hold, each task made to fit the rules; on another thread than the store's.
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
                throw HubError(.usage, code: "database-from-stdin", "a database must be given as a file")
            }
            let (habits, problems) = try LoopDatabase.read(path)
            found.tasks.tasks = habits.map { $0.task(setting) }
            found.tasks.problems = problems
        case .json: found = FoundTasks(OwnExport.parts(source.bundle), today: setting.today)
        default: found.tasks = format.read(source.bundle, setting)
        }
        found.tasks.settle()
        return found
    }

    private static func nothing(in source: TaskImportSource, _ reason: String) -> HubError {
        HubError(
            .invalid, code: "no-tasks", "\(PrintableText.line(source.bundle.name)) holds no tasks",
            details: [reason],
            hint: "--as FORMAT says what it is: " + TaskImportFormat.allCases.map(\.rawValue).joined(separator: ", "))
    }
}
