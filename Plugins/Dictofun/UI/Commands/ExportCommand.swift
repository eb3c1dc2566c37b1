import Commands
import DictofunDomain
import HubKit

/// `hub dictofun export`: the sound or the text of a record as a file.
enum ExportCommand {
    private static let format = Option<RecordExportFormat>(
        "as", "FORMAT",
        help:
            "wav, flac, opus, mp3, original, text, markdown, srt, vtt or json (default: by the name of the file, else text)"
    )

    static let command = Command(
        "export", summary: "write the sound or the text of a record to a file",
        discussion: [
            "original is the file as it was imported, or as the recorder sent it. Subtitles (srt, vtt) need an engine that gives times; an "
                + "edited text keeps the times of the words that it has in common with the engine's."
        ],
        examples: [
            Example("hub dictofun export last -o memo.flac", "its sound"),
            Example("hub dictofun export last --as srt -o memo.srt", "its text as subtitles"),
            Example("hub dictofun export last", "its text"),
        ], prominence: .more, parameters: [RecordCommands.one, format]
    ) { (dictofun: DictofunPlugin, input: Input) in
        let record = try await RecordCommands.record(dictofun, input)
        let format = try input[format] ?? input[GlobalOptions.output].flatMap(RecordExportFormat.named) ?? .text
        if format.isText, record.record.transcript.text.isEmpty {
            throw HubError(
                .notFound, code: "no-transcript", "\(record.summary.shownName) has no text yet",
                hint: "hub dictofun transcribe \(record.id.prefix(6)), or --as flac for its sound")
        }
        if format == .srt || format == .vtt, record.record.transcript.segments.allSatisfy({ $0.time == nil }) {
            throw HubError(
                .notFound, code: "no-times", "\(record.record.transcript.engine ?? "the engine") provided no times",
                hint: "transcribe it with another engine, or use --as text")
        }
        return Output(.bytes(try await dictofun.exported(record, as: format)))
    }
}

extension RecordExportFormat: ChoiceArgument {}

extension RecordExportFormat {
    /// Returns the format that the name of a file asks for; nil if the name has no extension. Throws `usage` for that of another format.
    fileprivate static func named(_ file: String) throws -> RecordExportFormat? {
        let name = file.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        switch name[name.index(after: dot)...].lowercased() {
        case "wav", "wave": return .wav
        case "flac": return .flac
        case "opus", "ogg", "oga": return .opus
        case "mp3": return .mp3
        case "md", "markdown": return .markdown
        case "srt": return .srt
        case "vtt": return .vtt
        case "json": return .json
        case "txt", "text": return .text
        case let ending:
            throw HubError(
                .usage, code: "export-format", "no format is known for .\(ending)",
                details: ["known: .wav, .flac, .opus, .mp3, .txt, .md, .srt, .vtt, .json"],
                hint: "--as FORMAT writes that format to a file of any name")
        }
    }
}
