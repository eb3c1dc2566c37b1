import Commands
import DictofunDomain
import HubKit

/// `hub dictofun export`: the sound or the text of a record as a file.
enum ExportCommand {
    private static let format = Option<RecordExportFormat>(
        "as", "FORMAT",
        help: "wav, flac, opus, original, text, markdown or srt (default: by the name of the file, else text)")

    static let command = Command(
        "export", summary: "write the sound or the text of a record to a file",
        discussion: [
            "original is the file as it was imported, or as the recorder sent it. Subtitles (srt) need an engine that gives times; an "
                + "edited text keeps the times of the words that it has in common with the engine's."
        ],
        examples: [
            Example("hub dictofun export last -o memo.flac", "its sound"),
            Example("hub dictofun export last --as srt -o memo.srt", "its text as subtitles"),
            Example("hub dictofun export last", "its text"),
        ], prominence: .more, parameters: [RecordCommands.one, format]
    ) { (dictofun: DictofunPlugin, input: Input) in
        let record = try await RecordCommands.record(dictofun, input)
        let format = input[format] ?? input[GlobalOptions.output].flatMap(RecordExportFormat.init(file:)) ?? .text
        let isText = [.text, .markdown, .srt].contains(format)
        if isText, record.record.transcript.text.isEmpty {
            throw HubError(
                .notFound, code: "no-transcript", "\(record.summary.shownName) has no text yet",
                hint: "hub dictofun transcribe \(record.id.prefix(6)), or --as flac for its sound")
        }
        if format == .srt, record.record.transcript.segments.allSatisfy({ $0.time == nil }) {
            throw HubError(
                .notFound, code: "no-times", "\(record.record.transcript.engine ?? "the engine") provided no times",
                hint: "transcribe it with another engine, or use --as text")
        }
        return Output(.bytes(try await dictofun.exported(record, as: format)))
    }
}

extension RecordExportFormat: ChoiceArgument {}

extension RecordExportFormat {
    /// The format that the name of a file asks for; nil if it is none of a record.
    fileprivate init?(file: String) {
        switch file.split(separator: ".").last?.lowercased() {
        case "wav": self = .wav
        case "flac": self = .flac
        case "opus", "ogg": self = .opus
        case "md": self = .markdown
        case "srt": self = .srt
        case "txt": self = .text
        default: return nil
        }
    }
}
