import Commands
import DictofunDomain
import HubKit

/// `hub dictofun import`: imports sound files.
enum ImportCommand {
    private static let files = Arguments<String>(
        "FILE", .oneOrMore, help: "sound files, or folders of them",
        completion: .files(["wav", "flac", "ogg", "opus", "mp3", "m4a"]))
    private static let transcribe = Flag(
        "transcribe", default: true, help: "do not transcribe now; hub serve or hub dictofun transcribe does it later")

    private static let fields = ImportReportRow<RecordImportItem>.fields(
        ImportReportRow.Help(
            id: "id of the record", name: "name of the file", line: "always empty",
            reason: "why it was skipped, or a remark", outcomes: "new, unchanged or skipped"),
        own: [
            Field("length_ms", "LENGTH", help: "length in milliseconds") { FieldValue($0.item?.length?.milliseconds) }
        ])

    static let command = Command(
        "import", summary: "import sound files, and transcribe them",
        discussion: [
            "WAV, FLAC, Ogg, Opus, MP3 and more are read with libsndfile, m4a and all others with ffmpeg where it is installed. The "
                + "file is kept unchanged. A file with the same content as a record is not imported again, whatever its name.",
            "The time of a record is taken from the name of the file, such as 20261120_094100.m4a, else from the date inside the file, or else "
                + "from its modification time. Of a folder, all sound files in it and its subfolders are imported; hidden files are ignored.",
        ],
        examples: [
            Example("hub dictofun import memo.ogg", "a voice memo from a phone"),
            Example("hub dictofun import memo.ogg talk.wav --no-transcribe", "two files, to be transcribed later"),
            Example("hub dictofun import Recordings", "all sound files in a folder"),
        ], parameters: [files, transcribe], fields: fields, changes: true
    ) { (dictofun: DictofunPlugin, input: Input) in
        let operation = Operation(input)
        var reports: [ImportReport<RecordImportItem, RecordImportIssue>] = []
        var found: [String] = []
        for path in input[files] { found += try await dictofun.soundFiles(at: path) }
        for (index, file) in found.enumerated() {
            input.console.report(Progress(name(of: file), completed: index, of: found.count, unit: "files"))
            var report = ImportReport<RecordImportItem, RecordImportIssue>(
                keepsAll: input.listsAllItems, keepsUnchanged: Output.isForProgram(input))
            do {
                report.add(try await dictofun.importFile(file, operation: operation, isDryRun: input.dryRun))
            } catch var error as HubError where error.isAboutFile {
                if !error.message.contains(name(of: file)) { error.message = "\(name(of: file)): \(error.message)" }
                report.failure = error
                report.notes = error.details + [error.hint.map { "hint: \($0)" }].compactMap(\.self)
            }
            reports.append(report)
        }
        input.console.report(nil)
        if let failure = HubError(unread: reports) { throw failure }
        let shortIDs = try await dictofun.records.shortIDs(
            of: reports.flatMap(\.items).map(\.id).filter { !$0.isEmpty })
        let imports = zip(found, reports).map { file, report in
            ImportSummary(report, file: name(of: file), shortIDs: shortIDs, isDryRun: input.dryRun) { item in
                item.length.map { TranscriptWriter.length($0) }
            }
        }
        var output = Output(
            imports: imports, fields: fields, isQuiet: input.quiet, counts: input[GlobalOptions.json] != nil)
        if input[transcribe], !input.dryRun {
            let ids = reports.flatMap(\.items).filter { $0.outcome == .new }.map(\.id)
            let result = try await TranscribeCommand.transcribeNew(dictofun, ids, input)
            output.human?.append(contentsOf: result.texts.map { "  " + $0 })
            output.notes += result.notes
            if result.isPartial { output.exit = .partly }
        }
        return output
    }

    private static func name(of file: String) -> String { file.split(separator: "/").last.map(String.init) ?? file }
}
