import Commands
import Glibc
import HubKit
import SQLite
import Storage

/// What an import found of a kind.
struct ImportCount: Sendable {
    let plugin, kind: String
    var new = 0, unchanged = 0, different = 0, skipped = 0
}

/// What an import has done.
struct ImportFolderReport: Sendable {
    var counts: [ImportCount] = []
    /// The items that are here with other content.
    var conflicts: [String] = []
    /// What cannot be used, and why.
    var problems: [String] = []
    /// The plugins of the export that are disabled here.
    var disabled: [String] = []

    /// The messages for the person.
    var warnings: [Diagnostic] {
        var notes = Diagnostic.first(problems, code: "not-imported")
        if !conflicts.isEmpty {
            let shown = conflicts.prefix(5).joined(separator: ", ") + (conflicts.count > 5 ? ", …" : "")
            notes.append(
                .warning(
                    "\(NumberFormat.counted(conflicts.count, "item")) differ here and were left: \(shown)",
                    code: "import-different"))
        }
        return notes + Diagnostic.disabled(disabled, "not imported")
    }
}

/// Reads a folder of an export into the store.
struct Importer {
    private let hub: Hub
    private let folder: String
    private let operation: Operation
    private let isPlan: Bool
    private let manifest: Manifest

    /// The items that are stored with one commit, and the bytes after which fewer are.
    private static let batch = (items: 50, bytes: 4 << 20)
    /// `SQLITE_CONSTRAINT_FOREIGNKEY`.
    private static let missingReference: Int32 = 787
    /// The largest file that is read as a whole; larger contents are blobs.
    private static let fileLimit = 64 << 20

    init(_ hub: Hub, _ folder: String, operation: Operation, isPlan: Bool) throws {
        self.hub = hub
        self.folder = folder
        self.operation = operation
        self.isPlan = isPlan
        let shown = TerminalSanitizer.line(folder)
        try ExportFolder.requireHashes()
        guard access(folder + "/" + ExportFolder.description, R_OK) == 0 else {
            let isUnfinished = access(folder + "/" + ExportFolder.unfinished, F_OK) == 0
            throw HubError(
                isUnfinished ? .invalid : .usage, code: isUnfinished ? "export-unfinished" : "not-an-export",
                isUnfinished
                    ? "the export in \(shown) was not finished"
                    : "\(shown) is not a folder that hub export has written",
                hint: isUnfinished
                    ? "run hub export again"
                    : "files of other programs: hub contacts import, hub notes import, and so on")
        }
        let bytes = try BoundedFile.read(folder + "/" + ExportFolder.description, limit: 1 << 20)
        guard let format = (try? JSONReader.read(bytes))?["format"]?.integer else {
            throw HubError(.invalid, code: "export-damaged", "\(shown)/\(ExportFolder.description) is not readable")
        }
        guard format <= ExportFormat.current else {
            throw HubError(
                .invalid, code: "export-newer", "\(shown) was written by a newer version of hub",
                hint: "import it with the version that \(ExportFolder.description) names")
        }
        manifest = try Manifest(folder + "/" + ExportFolder.manifest)
    }

    /// Adds what is not in the store.
    @MainActor
    func run(report progress: (Progress) -> Void) async throws -> ImportFolderReport {
        var report = ImportFolderReport()
        let enabled = Set(try hub.enabledDescriptors().map(\.id))
        for descriptor in hub.descriptors {
            guard let export = descriptor.export else { continue }
            for kind in export.kinds {
                let list = Exporter.list(of: kind, descriptor.id)
                guard let hash = manifest.hashes[list] else { continue }
                guard enabled.contains(descriptor.id) else {
                    if report.disabled.last != descriptor.id { report.disabled.append(descriptor.id) }
                    continue
                }
                guard try resolved(list, hash: hash) != nil else {
                    report.problems.append("\(list) is missing, or was changed after the export")
                    continue
                }
                try await read(list, kind, of: descriptor, &report, progress)
            }
        }
        return report
    }

    @MainActor
    private func read(
        _ list: String, _ kind: ExportKind, of descriptor: PluginDescriptor, _ report: inout ImportFolderReport,
        _ progress: (Progress) -> Void
    ) async throws {
        let store = try hub.database().store(for: descriptor.id)
        var count = ImportCount(plugin: descriptor.id, kind: kind.name)
        var reader = try LineReader(folder + "/" + list)
        var lines: [ExportLine] = []
        var (size, done, isAtEnd) = (0, 0, false)
        while !isAtEnd {
            if let line = try reader.next() {
                done += 1
                size += line.count
                do {
                    lines.append(try ExportLine(line))
                } catch {
                    count.skipped += 1
                    report.problems.append("\(list), line \(done): not an item of an export")
                }
            } else {
                isAtEnd = true
            }
            guard isAtEnd || lines.count == Self.batch.items || size >= Self.batch.bytes else { continue }
            try await add(lines, kind, to: store, &count, &report)
            (lines, size) = ([], 0)
            progress(Progress(descriptor.title, completed: done, unit: kind.name))
        }
        report.counts.append(count)
    }

    /// An item with the contents of its files.
    private struct Item: Sendable {
        let rows: ItemRows
        var contents: [String: [UInt8]] = [:]
        var blobs: [StoredBlob] = []
    }

    private enum State: Sendable { case new, same, different }

    @MainActor
    private func add(
        _ lines: [ExportLine], _ kind: ExportKind, to store: Store, _ count: inout ImportCount,
        _ report: inout ImportFolderReport
    ) async throws {
        let wanted = lines.map { line in
            (rows: line.rows, parts: line.files.map { Part(role: $0.role, hash: $0.hash, isBlob: $0.isBlob) })
        }
        let states = try await store.read { transaction in
            try wanted.map { try Self.state(of: $0.rows, $0.parts, kind, in: transaction) }
        }
        var items: [Item] = []
        for (line, state) in zip(lines, states) {
            switch state {
            case .same: count.unchanged += 1
            case .different:
                count.different += 1
                report.conflicts.append("\(count.plugin):\(line.rows.id)")
            case .new:
                do {
                    items.append(try await content(of: line))
                } catch let error as HubError where error.kind != .busy {
                    count.skipped += 1
                    report.problems.append("\(count.plugin):\(line.rows.id): \(error.message)")
                }
            }
        }
        guard !items.isEmpty else { return }
        let (kept, isPlan) = (items, isPlan)
        let problems = try await store.write(operation) { transaction in
            defer { withExtendedLifetime(kept) {} }
            var problems: [String: String] = [:]
            for item in kept {
                do {
                    try transaction.attempt { try kind.insert(item.rows, item.contents, transaction) }
                } catch let error as HubError where error.kind != .busy {
                    problems[item.rows.id] = error.message
                } catch let error as SQLiteError where isPlan && error.code == Self.missingReference {
                    // A plan takes each batch back, so what an item refers to, such as its tags, is not there yet.
                } catch let error as SQLiteError where error.isConstraint {
                    problems[item.rows.id] = "it contradicts something that is here: \(error)"
                }
            }
            let added = kept.map(\.rows.id).filter { problems[$0] == nil }
            try transaction.announceItems(added)
            return problems
        }
        count.new += items.count - problems.count
        count.skipped += problems.count
        report.problems += problems.sorted { $0.key < $1.key }.map { "\(count.plugin):\($0.key): \($0.value)" }
    }

    /// A part of an item in a file.
    private struct Part: Sendable, Hashable {
        let role, hash: String
        let isBlob: Bool
    }

    private static func state(
        of rows: ItemRows, _ parts: [Part], _ kind: ExportKind, in transaction: Transaction
    ) throws -> State {
        let stored = try transaction.itemRows(rows.id, in: kind.tables)
        guard stored.tables.first?.rows.isEmpty == false else { return .new }
        if kind.isFetched { return .same }
        guard rows.matches(stored) else { return .different }
        let files: [Part] = try kind.files(stored, transaction).compactMap { file in
            guard let role = file.role else { return nil }
            switch file.content {
            case .bytes(let bytes, _):
                return Part(role: role, hash: try ExportFolder.hash(of: bytes), isBlob: false)
            case .blob(let blob): return Part(role: role, hash: blob.text, isBlob: true)
            case .made: return nil
            }
        }
        return Set(files) == Set(parts) ? .same : .different
    }

    /// Reads the files of an item, and stores those that are blobs.
    @MainActor
    private func content(of line: ExportLine) async throws -> Item {
        var item = Item(rows: line.rows)
        for file in line.files {
            guard let path = try resolved(file.path, hash: file.hash) else {
                throw HubError(
                    .invalid, code: "file-changed", "\(file.path) is missing, or was changed after the export",
                    hint: "import it by the plugin")
            }
            if file.isBlob {
                guard let blobs = try hub.database().blobs, !isPlan else { continue }
                let blob = try await blobs.store(fileAt: path)
                guard blob.id.text == file.hash else {
                    throw HubError(.invalid, code: "file-changed", "\(file.path) changed while it was read")
                }
                item.blobs.append(blob)
            } else {
                let bytes = try await ChunkedFileReader.contents(of: path, limit: Self.fileLimit, isRegular: true)
                guard file.head <= bytes.count, try ExportFolder.hash(of: bytes) == file.hash else {
                    throw HubError(.invalid, code: "file-changed", "\(file.path) changed while it was read")
                }
                item.contents[file.role] = Array(bytes[file.head...])
            }
        }
        return item
    }

    /// Returns the path of a file with this hash; nil when it is missing, has other bytes, or lies outside of the folder, to which a
    /// link could lead.
    private func resolved(_ file: String, hash: String) throws -> String? {
        var status = stat()
        var path = folder
        for part in file.split(separator: "/") {
            path += "/" + part
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFLNK else { return nil }
        }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        return try ExportFolder.hash(ofFileAt: path) == hash ? path : nil
    }
}
