import Commands
import Storage

/// `hub notes mirror`: keeps a folder of Markdown files in sync with the notes, in both directions.
enum MirrorCommand {
    private static let folder = Arguments<String>("DIR", .optional, help: "folder", completion: .directories)
    private static let off = Flag("off", help: "stop mirroring; files and notes stay")

    static let command = Command(
        "mirror", summary: "keep a folder of Markdown files and the notes in sync",
        discussion: [
            "The folder is stored in the setting plugins.notes.mirror. hub serve syncs it when a file or a note changes, and so "
                + "does every command of hub notes. If a file and its note both changed, they are merged; front matter of "
                + "other programs is kept. Without DIR, the folder is synced now.",
            "If many files are missing at once, no note is removed without --force.",
        ],
        examples: [
            Example("hub notes mirror ~/notes", "start"), Example("hub notes mirror", "sync now"),
            Example("hub notes mirror --off", "stop"),
        ], prominence: .more, parameters: [folder, off], changes: true
    ) { (notes: NotesPlugin, input: Input) in
        if input[off] {
            if input.dryRun { return .done("Would stop mirroring") }
            try notes.setMirror(nil)
            return .done("The notes are no longer mirrored; files and notes stay as they are")
        }
        guard let path = try input[folder].first.map({ try absolute($0) }) ?? notes.mirrorPath else {
            throw HubError(
                .usage, code: "mirror-missing", "no folder is mirrored", hint: "hub notes mirror DIR starts it")
        }
        if input.dryRun { return .done("Would mirror the notes in \(notes.settings.shown(path))") }
        guard let report = try await notes.syncMirror(path, allowsMassDeletion: input[GlobalOptions.force]) else {
            throw HubError(
                .busy, code: "mirror-busy", "another process is syncing the mirrored folder",
                hint: "hub serve syncs it by itself; try again when it is done")
        }
        if !input[folder].isEmpty { try notes.setMirror(path) }
        return output(report, notes.settings.shown(path))
    }

    /// The message of a sync.
    private static func output(_ report: MirrorReport, _ path: String) -> Output {
        let parts =
            [
                (report.taken, "imported"), (report.written, "written"), (report.moved, "moved"),
                (report.removed, "removed"),
            ].filter { $0.0 > 0 }.map { "\(NumberFormat.counted($0.0, "file")) \($0.1)" }
            + (report.trashed > 0 ? ["\(NumberFormat.counted(report.trashed, "note")) moved to the trash"] : [])
            + [
                (report.attachments.taken, "imported"), (report.attachments.written, "written"),
                (report.attachments.removed, "removed from notes"),
            ].filter { $0.0 > 0 }.map { "\(NumberFormat.counted($0.0, "attachment")) \($0.1)" }
        var output = Output.done("\(path): \(parts.isEmpty ? "up to date" : parts.joined(separator: ", "))")
        output.notes += notes(of: report)
        output.notes += report.skipped.prefix(5).map { Diagnostic.warning($0, code: "mirror-skipped") }
        if report.held != nil || report.attachments.held != nil || !report.problems.isEmpty { output.exit = .partly }
        return output
    }

    /// The warnings of a sync.
    static func notes(of report: MirrorReport) -> [Diagnostic] {
        var notes = report.problems.prefix(5).map { Diagnostic.warning($0, code: "mirror-file") }
        if let held = report.held {
            notes.append(
                Diagnostic.warning(
                    "\(held.missing) of \(held.known) mirrored files are missing; no note was removed",
                    code: "mirror-missing-files", hint: "hub notes mirror --force moves their notes to the trash"))
        }
        if let held = report.attachments.held {
            notes.append(
                Diagnostic.warning(
                    "\(held.missing) of \(held.known) attachments are missing; they stay in their notes",
                    code: "mirror-missing-attachments", hint: "hub notes mirror --force removes them from their notes"))
        }
        if report.staleLinks > 0 {
            let links = NumberFormat.counted(report.staleLinks, "link")
            notes.append(
                Diagnostic.warning(
                    "\(links) still \(report.staleLinks == 1 ? "has" : "have") the name that a note had before",
                    code: "links-stale", hint: "hub notes relink shows and updates them"))
        }
        return notes
    }

    private static func absolute(_ path: String) throws -> String {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        guard !path.hasPrefix("~") else {
            throw HubError(
                .usage, code: "no-folder", "the shell did not expand \(path)", hint: "use it without quotes")
        }
        if path.hasPrefix("/") { return path }
        return try NotesPlugin.workingDirectory() + "/" + path
    }
}

extension Command {
    /// The same with a sync of the mirrored folder before, and after it if notes have changed, unless another process is
    /// syncing it. A folder or a disk that does not allow the sync is a warning: the notes can be read all the same.
    func mirrored() -> Command {
        wrapping { host, input, run in
            let notes = try host.plugin(NotesPlugin.self)
            guard let path = notes.mirrorPath, !input.dryRun else { return try await run(host, input) }
            let before = try await MirrorAttempt(notes, path)
            let change = try await notes.lastChange()
            var output = try await run(host, input)
            var last = before
            if before != nil, try await notes.lastChange() != change {
                last = try await MirrorAttempt(notes, path) ?? before
            }
            output.notes += last?.notes ?? []
            return output
        }
    }
}

/// A sync of the mirrored folder on the way to something else, which it never stops.
private struct MirrorAttempt {
    /// The warnings of the sync, or why it failed.
    let notes: [Diagnostic]

    /// Syncs; nil while another process does.
    init?(_ plugin: NotesPlugin, _ path: String) async throws {
        do {
            guard let report = try await plugin.syncMirror(path) else { return nil }
            notes = MirrorCommand.notes(of: report)
        } catch let error as HubError {
            notes = [MirrorAttempt.warning(error)]
        } catch let error as SystemError {
            notes = [MirrorAttempt.warning(HubError(storeFile: error))]
        }
    }

    private static func warning(_ error: HubError) -> Diagnostic {
        .warning("the mirrored folder was not synced: \(error.message)", code: "mirror-failed", hint: error.hint)
    }
}
