import CivilDate
import Commands
package import MinteeDomain
import Storage

/// The tasks and analyses found by an import.
struct FoundTasks: Sendable {
    /// The tasks.
    var tasks = ImportedTasks()
    /// The analyses, which only hub's own JSON has.
    var analyses: [ImportedAnalysis] = []
    /// The calendars of holidays, which only hub's own JSON has.
    var holidays: [HolidayCalendar] = []

    init() {}

    /// Reads the parts of hub's own JSON. An invalid day does not affect the rest of its task.
    ///
    /// `lines` is the number of lines before the parts in their file.
    init(_ parts: OwnExport.Parts, lines: Int = 0, today: CivilDate) {
        defer { if lines > 0 { tasks.moveLines(by: lines) } }
        for part in parts.holidays {
            guard let json = self.json(part) else { continue }
            let (calendar, violations) = HolidayDocument.read(json)
            tasks.problems += violations.map { ImportProblem(part.place, subject: calendar.name, $0.text) }
            if !violations.contains(where: { $0.rule == "DP-8" }) { holidays.append(calendar) }
        }
        for part in parts.tasks {
            guard let json = self.json(part) else { continue }
            let (document, violations) = TaskDocument.read(json, today: today)
            let name = document.draft.name
            if let violation = violations.first(where: { !FoundTasks.ofDays.contains($0.rule) }) {
                tasks.problems.append(ImportProblem(part.place, subject: name, violation.text))
                continue
            }
            tasks.problems += violations.map { ImportProblem(part.place, subject: name, $0.text) }
            var task = ImportedTask(
                source: "", draft: document.draft,
                entries: Dictionary(document.entries.map { ($0.day, $0.entry) }) { first, _ in first },
                summary: document.summary, place: part.place)
            task.position = json["order"]?.integer.flatMap { $0 >= 0 ? $0 : nil }
            tasks.tasks.append(task)
        }
        for part in parts.analyses {
            guard let json = self.json(part) else { continue }
            let (analysis, violations) = AnalysisDocument.read(json)
            if let violation = violations.first {
                tasks.problems.append(ImportProblem(part.place, subject: analysis.name, violation.text))
            } else {
                let order = json["order"]?.integer ?? AnalysisOrder.excluded
                analyses.append(ImportedAnalysis(analysis: analysis, order: order, place: part.place))
            }
        }
    }

    /// Rules about a single day.
    private static let ofDays: Set<RuleCode> = ["TI-3", "TI-4", "TI-5", "I-9", "day-invalid"]

    private mutating func json(_ part: OwnExport.Part) -> JSONValue? {
        do throws(JSONReader.Problem) {
            return try JSONReader.read(part.text)
        } catch {
            tasks.problems.append(ImportProblem(part.place, "invalid JSON (\(error.kind) at byte \(error.offset))"))
            return nil
        }
    }
}

extension ImportedTasks {
    /// Counts the lines of all places from `lines` more.
    fileprivate mutating func moveLines(by lines: Int) {
        func moved(_ place: ImportPlace) -> ImportPlace {
            ImportPlace(file: place.file, line: place.line + lines, excerpt: place.excerpt)
        }
        for index in tasks.indices { tasks[index].place = moved(tasks[index].place) }
        problems = problems.map { ImportProblem(moved($0.place), columns: $0.columns, subject: $0.subject, $0.message) }
    }
}

/// An imported analysis.
struct ImportedAnalysis: Sendable {
    let analysis: Analysis
    /// Its position on the home page; below 0 for none.
    let order: Int
    let place: ImportPlace
}

extension RuleViolation {
    /// The description of the problem.
    fileprivate var text: String {
        guard let known = Rule.named(rule) else { return detail }
        return "\(detail.isEmpty ? "" : "\(detail): ")\(known.text)"
    }
}

extension Transaction {
    /// Returns the plan for analyses.
    func plannedItems(of analyses: [ImportedAnalysis]) throws -> [TaskImportItem] {
        try analyses.map { imported in
            let id = try analysisID(named: imported.analysis.name)
            return TaskImportItem(
                outcome: id == nil ? .new : .unchanged, id: id ?? "", name: imported.analysis.name, days: nil, words: []
            )
        }
    }

    /// Stores the analyses with new names, those of the home page after the existing ones.
    func importAnalyses(
        _ imported: [ImportedAnalysis]
    ) throws -> (items: [TaskImportItem], problems: [ImportProblem]) {
        var items: [TaskImportItem] = []
        var problems: [ImportProblem] = []
        var home: [(id: String, order: Int)] = []
        for imported in imported {
            var analysis = imported.analysis
            if let id = try analysisID(named: analysis.name) {
                items.append(
                    TaskImportItem(outcome: .unchanged, id: id, name: analysis.name, days: nil, words: []))
                continue
            }
            var (tags, unknown) = ([String](), [String]())
            for name in analysis.tags {
                if let tag = try tag(named: name) { tags.append(tag) } else { unknown.append(name) }
            }
            guard !tags.isEmpty else {
                problems.append(
                    ImportProblem(imported.place, subject: analysis.name, "none of its tags is used by a task"))
                continue
            }
            if !unknown.isEmpty {
                let names = unknown.map { "\"\($0)\"" }.joined(separator: ", ")
                problems.append(
                    ImportProblem(
                        imported.place, subject: analysis.name, "imported without \(names): tags that no task has"))
            }
            analysis.tags = tags
            let id = Identifier.make()
            try insertAnalysis(id, analysis)
            try emit(MinteeEvents.analysesChanged, id, name: analysis.name)
            if imported.order >= 0 { home.append((id, imported.order)) }
            items.append(TaskImportItem(outcome: .new, id: id, name: analysis.name, days: nil, words: []))
        }
        guard !home.isEmpty else { return (items, problems) }
        let all = try analyses()
        let first = (all.map(\.order).max() ?? AnalysisOrder.excluded) + 1
        let places = Dictionary(
            home.sorted { $0.order < $1.order }.enumerated().map { ($1.id, first + $0) }, uniquingKeysWith: min)
        try setAnalysisOrders(all.map { (id: $0.id, order: places[$0.id] ?? $0.order) })
        return (items, problems)
    }
}

/// The files that are imported together, with their location.
package struct TaskImportSource: Sendable {
    /// The files.
    package let bundle: ImportBundle
    /// The path of the only file, for a database; nil for stdin and for folders.
    let path: String?
    /// Whether the file is an export of hub that is too large for memory, which is read in parts; then the bundle is empty.
    let isStreamed: Bool

    /// The source with the files of a zip of harsh or habitctl.
    var unpacked: TaskImportSource { TaskImportSource(bundle.unpackingHabitFiles, path: path) }

    private init(_ bundle: ImportBundle, path: String?) {
        self.bundle = bundle
        self.path = path
        isStreamed = false
    }

    /// Creates a source that is not on disk, such as stdin.
    package init(_ bundle: ImportBundle) {
        self.bundle = bundle
        path = nil
        isStreamed = false
    }

    /// Reads the file or folder at `path`; throws if that fails. An export of hub that is larger than `limit` is read in
    /// parts later.
    package init(path: String, limit: Int = ImportBundle.maximumLength) async throws {
        self.path = path
        isStreamed = try await BackgroundThread.run { try ImportFiles.isOwnExport(path, largerThan: limit) }
        bundle =
            isStreamed
            ? ImportBundle(path.split(separator: "/").last.map(String.init) ?? path, [])
            : try await BackgroundThread.run { try ImportFiles.read(path) }
    }

    /// Returns `paths` without files that are read along with another one: of `habits` and `log` in one folder, one is
    /// enough.
    package static func leaders(among paths: [String]) -> [String] {
        var taken: Set<String> = []
        return paths.filter { path in
            guard let partner = ImportFiles.partner(of: path) else { return taken.insert(path).inserted }
            let name = path.split(separator: "/").last ?? ""
            taken.insert(String(path.dropLast(name.count)) + partner)
            return taken.insert(path).inserted
        }
    }
}

/// An import file that is opened when it is read.
package struct TaskImportFile: Sendable {
    /// The display name.
    package let name: String
    /// Opens the source; throws if it cannot be read.
    package let open: @Sendable () async throws -> TaskImportSource

    package init(_ name: String, open: @escaping @Sendable () async throws -> TaskImportSource) {
        self.name = name
        self.open = open
    }
}
