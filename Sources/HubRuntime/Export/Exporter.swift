import Commands
import Glibc
import HubKit
import SQLite
import Storage

/// The number of items of a kind.
struct ExportCount: Sendable {
    let plugin, kind: String
    var count: Int
}

/// What an export has done.
struct ExportReport: Sendable {
    var counts: [ExportCount] = []
    var written = 0, unchanged = 0, removed = 0
    /// The files that were changed after the last export, and are left.
    var changed = 0
    /// What could not be written.
    var problems: [String] = []
    /// The plugins that are disabled.
    var disabled: [String] = []

    /// The messages for the person.
    var warnings: [Diagnostic] {
        var notes = Diagnostic.first(problems, code: "not-exported")
        if changed > 0 {
            notes.append(
                .warning(
                    "\(NumberFormat.counted(changed, "file")) of an earlier export left: changed since",
                    code: "export-changed"))
        }
        return notes + Diagnostic.disabled(disabled, "not exported")
    }
}

extension Diagnostic {
    /// Warnings of the first problems, and of how many there are more.
    static func first(_ problems: [String], code: String) -> [Diagnostic] {
        problems.prefix(10).map { .warning($0, code: code) }
            + (problems.count > 10 ? [.warning("and \(problems.count - 10) more", code: code)] : [])
    }

    /// Says what was not done with the plugins that are disabled.
    static func disabled(_ plugins: [String], _ what: String) -> [Diagnostic] {
        plugins.prefix(1).map {
            .warning(
                "\(what), since disabled: \(plugins.joined(separator: ", "))", code: "plugins-disabled",
                hint: "hub plugins enable \($0)")
        }
    }
}

/// Writes what the plugins declare into a folder.
struct Exporter {
    private let hub: Hub
    /// The items that are read in one view of the store.
    private static let batch = 50

    init(_ hub: Hub) { self.hub = hub }

    /// Returns the numbers of items.
    func counts() async throws -> [ExportCount] {
        var counts: [ExportCount] = []
        for (descriptor, export) in try parts() {
            for kind in export.kinds {
                let count = try await store(descriptor).read { try $0.countItems(in: kind.tables[0]) }
                counts.append(ExportCount(plugin: descriptor.id, kind: kind.name, count: count))
            }
        }
        return counts
    }

    /// Writes everything.
    @MainActor
    func write(to folder: ExportFolder, report progress: (Progress) -> Void) async throws -> ExportReport {
        var report = ExportReport()
        let enabled = Set(try parts().map(\.0.id))
        report.disabled = hub.descriptors.filter { $0.export != nil && !enabled.contains($0.id) }.map(\.id)
        try folder.begin()
        // The places of these files do not depend on the names of items.
        let lists = try parts().flatMap { descriptor, export in
            export.kinds.map { folder.place(Self.list(of: $0, descriptor.id)) }
        }
        let fixed = ["README.md", "config.toml"].map { folder.place($0) }
        var next = lists[...]
        for (descriptor, export) in try parts() {
            for kind in export.kinds {
                let list = next.removeFirst()
                let count = try await write(kind, of: descriptor, list: list, to: folder, &report, progress)
                report.counts.append(ExportCount(plugin: descriptor.id, kind: kind.name, count: count))
            }
            for file in try await export.views(hub) {
                try await write(file, at: folder.place("\(descriptor.id)/\(file.path)"), to: folder, &report)
            }
        }
        try folder.write(
            Array(ExportReadme.text(try parts().map { ($0.0, $0.1.kinds.map(\.name)) }).utf8), to: fixed[0])
        if let config = try hub.configManager.file.readIfPresent() { try folder.write(config.bytes, to: fixed[1]) }
        (report.removed, report.changed) = try folder.removeOldFiles()
        let (counts, plugins) = (report.counts, try parts().map(\.0))
        try folder.end { description(counts, plugins, manifest: $0) }
        (report.written, report.unchanged) = (folder.written, folder.unchanged)
        return report
    }

    /// The path of the list of a kind.
    static func list(of kind: ExportKind, _ plugin: String) -> String {
        "\(plugin)/\(kind.name.replacing(" ", with: "-")).jsonl"
    }

    @MainActor
    private func write(
        _ kind: ExportKind, of descriptor: PluginDescriptor, list: String, to folder: ExportFolder,
        _ report: inout ExportReport, _ progress: (Progress) -> Void
    ) async throws -> Int {
        let store = try store(descriptor)
        let total = try await store.read { try $0.countItems(in: kind.tables[0]) }
        let part = try folder.part()
        var (last, count) = (String?.none, 0)
        while true {
            let after = last
            let items = try await store.read { transaction in
                try transaction.itemIDs(in: kind.tables[0], after: after, limit: Self.batch).map { id in
                    let rows = try transaction.itemRows(id, in: kind.tables)
                    return (rows: rows, files: try kind.files(rows, transaction))
                }
            }
            for (rows, files) in items {
                let line = try await write(files, of: rows, below: descriptor.id, to: folder, &report)
                if let line { try part.write(line.bytes) }
                count += 1
            }
            guard let end = items.last else { break }
            last = end.rows.id
            progress(Progress(descriptor.title, completed: count, of: total, unit: kind.name))
        }
        try folder.publish(part, as: list)
        return count
    }

    /// Writes the files of an item; returns its line, or nil when a file with a part of it cannot be written.
    @MainActor
    private func write(
        _ files: [ExportFile], of rows: ItemRows, below plugin: String, to folder: ExportFolder,
        _ report: inout ExportReport
    ) async throws -> ExportLine? {
        let isInTrash =
            rows.tables.first?.rows.first?.contains { $0.column == "deleted_at" && $0.value != .null } ?? false
        var parts: [ExportLine.File] = []
        var isWhole = true
        for file in files {
            let path = folder.place("\(plugin)/\(isInTrash ? "trash/" : "")\(file.path)")
            let isWritten = try await write(file, at: path, to: folder, &report)
            guard let role = file.role else { continue }
            guard isWritten, let hash = folder.hashes[path] else {
                isWhole = false
                continue
            }
            let (head, isBlob) =
                switch file.content {
                case .bytes(_, let head): (head, false)
                case .blob: (0, true)
                case .made: (0, false)
                }
            parts.append(ExportLine.File(role: role, path: path, hash: hash, head: head, isBlob: isBlob))
        }
        return isWhole ? ExportLine(rows: rows, files: parts) : nil
    }

    /// Writes a file; a blob that is missing and a format that cannot be made do not stop the export.
    @MainActor @discardableResult
    private func write(
        _ file: ExportFile, at path: String, to folder: ExportFolder, _ report: inout ExportReport
    ) async throws -> Bool {
        do {
            switch file.content {
            case .bytes(let bytes, _): try folder.write(bytes, to: path)
            case .blob(let blob):
                guard let blobs = try hub.database().blobs else { return false }
                try folder.write(blob, of: blobs, to: path)
            case .made(let make): try await folder.write(to: path) { try await make(hub, $0) }
            }
            return true
        } catch let error as HubError where error.kind != .busy && error.kind != .denied {
            report.problems.append("\(path): \(error.message)")
            return false
        }
    }

    private func description(_ counts: [ExportCount], _ plugins: [PluginDescriptor], manifest: String) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.name("format")
            json.value(ExportFormat.current)
            json.name("hub")
            json.value(HubVersion.number)
            json.name("exported_at")
            json.value("\(hub.clock.now)")
            json.name("plugins")
            json.object { json in
                for plugin in plugins {
                    json.name(plugin.id)
                    json.object { json in
                        json.name("schema")
                        json.value(plugin.schema.migrations.count)
                        for count in counts where count.plugin == plugin.id {
                            json.name(count.kind)
                            json.value(count.count)
                        }
                    }
                }
            }
            json.name("manifest_sha256")
            json.value(manifest)
        }
        json.endLine()
        return json.bytes
    }

    private func parts() throws -> [(PluginDescriptor, ExportDeclaration)] {
        try hub.enabledDescriptors().compactMap { descriptor in descriptor.export.map { (descriptor, $0) } }
    }

    private func store(_ descriptor: PluginDescriptor) throws -> Store { try hub.database().store(for: descriptor.id) }
}

/// The version of the form of exports.
enum ExportFormat {
    static let current = 1
}

/// The page in an export that says what its files are.
enum ExportReadme {
    /// Returns the page for plugins with their kinds of items.
    static func text(_ plugins: [(PluginDescriptor, [String])]) -> String {
        var lines = [
            "# An export of hub", "",
            "This folder has everything that a person kept in hub, in formats that other programs read. `hub import` with the path of",
            "this folder brings it into an empty or another store; what is there already is left as it is.", "",
            "| file | what it is |", "|---|---|",
            "| `hub-export.json` | the version of hub that wrote the folder, and the numbers of items |",
            "| `manifest.sha256` | the hashes of all other files: `sha256sum -c manifest.sha256` checks them |",
            "| `config.toml` | the settings, without passwords; `hub import` does not use them |",
            "| `*/trash/` | what was in the trash |",
        ]
        for (plugin, kinds) in plugins {
            if let layout = plugin.export?.layout { lines.append("| `\(plugin.id)/` | \(layout) |") }
            let lists = kinds.map { "`\($0.replacing(" ", with: "-")).jsonl`" }.joined(separator: ", ")
            lines.append(
                "| \(lists) in `\(plugin.id)/` | one item of \(plugin.title) a line, as JSON: its files, and the values that they cannot "
                    + "hold |")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
