import Commands
import DictofunDomain
import HubKit
import Storage

/// `hub dictofun transcribe`: turns the speech of records into text.
enum TranscribeCommand {
    private static let records = RecordCommands.entity.some
    private static let engine = Option<String>(
        "engine", "ENGINE", help: "engine: whisper, faster-whisper, command, http or pocketsphinx",
        completion: .words(["whisper", "faster-whisper", "command", "http", "pocketsphinx"]))
    private static let language = Option<String>("language", "LANGUAGE", help: "spoken language, such as en")
    private static let again = Flag("again", help: "also records that have a text; your own version is kept")
    private static let cancel = Flag("cancel", help: "cancel the transcription, in whichever process it runs")

    static let command = Command(
        "transcribe", summary: "turn the speech of records into text",
        discussion: [
            "Without arguments, all pending records are transcribed. After a crash, an interrupted transcription is repeated."
        ],
        examples: [
            Example("hub dictofun transcribe", "all pending records"),
            Example("hub dictofun transcribe last --again --engine pocketsphinx", "once more with another engine"),
        ], parameters: [records, engine, language, again, cancel], fields: RecordListItem.fields, changes: true
    ) { (dictofun: DictofunPlugin, input: Input) in
        let chosen = try await chosen(dictofun, input)
        if chosen.isEmpty { return .list([], RecordListItem.fields, empty: Diagnostic("All records have a text")) }
        if input.dryRun {
            return Output.list(try await dictofun.records.listed(chosen), RecordListItem.fields)
                .noting(Diagnostic("Would transcribe \(NumberFormat.counted(chosen.count, "record"))"))
        }
        if input[cancel] {
            let count = try await dictofun.cancelTranscription(of: chosen.map(\.id))
            return .done("Cancelled \(NumberFormat.counted(count, "transcription"))")
        }
        let ids = try await dictofun.requestTranscription(
            of: chosen.map(\.id), engine: input[engine], language: input[language], again: input[again],
            operation: Operation(input))
        if ids.isEmpty {
            return .list(
                [], RecordListItem.fields,
                empty: Diagnostic(
                    "Nothing to transcribe: the record has a text, or is being transcribed", hint: "add --again"))
        }
        let outcome = try await run(dictofun, ids, input)
        if outcome.done.isEmpty, let failed = outcome.failed.first {
            throw HubError(
                .invalid, code: "not-transcribed", "\(failed.record.shownName) was not transcribed",
                details: [failed.reason],
                hint: "hub dictofun engines list")
        }
        var output = Output.report(
            try await dictofun.records.listed(outcome.done), RecordListItem.fields,
            summary: ["\(NumberFormat.counted(outcome.done.count, "record")) transcribed"])
        output.hasHeader = true
        output.notes += notes(outcome)
        if !outcome.failed.isEmpty { output.exit = .partly }
        return output
    }

    /// The records that the arguments select; without any, those that have no text.
    private static func chosen(_ dictofun: DictofunPlugin, _ input: Input) async throws -> [RecordSummary] {
        let words = input[records]
        if !words.isEmpty { return try await dictofun.records.select(words, asking: input) }
        return try await dictofun.listRecords(RecordFilter(), limit: .max).found.filter { $0.excerpt.isEmpty }
    }

    private static func run(_ dictofun: DictofunPlugin, _ ids: [String], _ input: Input) async throws
        -> TranscriptionOutcome
    {
        let console = input.console
        defer { console.report(nil) }
        return try await dictofun.transcribe(ids) { record, progress in
            let seconds = record.length / .seconds(1)
            let place =
                ids.count > 1 ? (ids.firstIndex(of: record.id)).map { " (\($0 + 1) of \(ids.count))" } ?? "" : ""
            console.report(
                Progress(
                    "transcribing \(record.shownName)\(place)", completed: Int((progress.fraction ?? 0) * seconds),
                    of: progress.fraction == nil ? nil : Int(seconds.rounded(.up)), unit: "s"))
        }
    }

    private static func notes(_ outcome: TranscriptionOutcome) -> [Diagnostic] {
        var notes = outcome.failed.map { failed in
            Diagnostic.warning(
                "\(failed.record.shownName) was not transcribed: \(failed.reason)", code: "not-transcribed",
                hint: "hub dictofun transcribe \(failed.record.id.prefix(6))")
        }
        if outcome.isElsewhere {
            notes.append(
                Diagnostic(
                    "another hub process is transcribing, and will transcribe these too", code: "transcribed-elsewhere")
            )
        }
        return notes
    }

    /// What became of records that were just imported or fetched.
    struct Result {
        /// The beginnings of their texts.
        var texts: [String] = []
        /// The number of records that have a text now.
        var count = 0
        /// What needs attention.
        var notes: [Diagnostic] = []
        /// Whether some could not be transcribed.
        var isPartial = false
    }

    /// Transcribes records that were just imported or fetched. Without an engine it says once what to install.
    static func transcribeNew(_ dictofun: DictofunPlugin, _ ids: [String], _ input: Input) async throws -> Result {
        guard !ids.isEmpty else { return Result() }
        guard dictofun.listEngines().contains(where: \.isDefault) else {
            let hint = "hub dictofun engines list shows what each needs"
            return Result(notes: [
                Diagnostic("Not transcribed: no engine is installed", code: "no-engine", hint: hint)
            ])
        }
        let outcome = try await run(dictofun, ids, input)
        return Result(
            texts: outcome.done.map(\.excerpt).filter { !$0.isEmpty }, count: outcome.done.count, notes: notes(outcome),
            isPartial: !outcome.failed.isEmpty)
    }
}
