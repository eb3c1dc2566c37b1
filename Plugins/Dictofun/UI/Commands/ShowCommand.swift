import Audio
import Commands
import DictofunDomain
import HubKit

/// `hub dictofun show`: all that is known of a record.
enum ShowCommand {
    private struct Row: Sendable {
        let record: StoredRecord
        let shortID: String
        let waveform: Waveform
        /// The name of the recorder, or its address when it is no longer paired.
        let origin: String
    }

    /// The columns of the waveform where the width of the terminal is not known.
    private static let width = 64

    private static let fields = [
        Field<Row>("id", "ID", help: "id of the record") { .id($0.record.id, shown: $0.shortID.count) },
        Field<Row>("name", "NAME", help: "title, or name of the imported file") { .text($0.record.name) },
        Field<Row>("recorded_at", "RECORDED", help: "time at which the record began") {
            .instant($0.record.summary.startedAt)
        },
        Field<Row>("is_time_unknown", "UNKNOWN TIME", help: "whether that is only the day, or the time of the transfer")
        {
            .bool($0.record.record.isTimeUnknown)
        },
        Field<Row>("length_ms", "LENGTH", help: "length in milliseconds") {
            .integer($0.record.record.length.milliseconds)
        },
        Field<Row>("device", "DEVICE", help: "address of the recorder") { .text($0.record.summary.device) },
        Field<Row>("format", "FORMAT", help: "format of the kept sound") { .text($0.record.formatName) },
        Field<Row>("size", "SIZE", help: "size of the kept sound in bytes") { .integer($0.record.size) },
        Field<Row>("file", "FILE", help: "SHA-256 of the kept sound, which names its file") { .text($0.record.blob) },
        Field<Row>("tags", "TAGS", help: "tags of the record") { FieldValue($0.record.record.tags) },
        Field<Row>("engine", "ENGINE", help: "engine that made the text") {
            FieldValue($0.record.record.transcript.engine)
        },
        Field<Row>("language", "LANGUAGE", help: "language as the engine names it") {
            FieldValue($0.record.record.transcript.machine?.language)
        },
        Field<Row>("is_edited", "EDITED", help: "whether the text is the user's version") {
            .bool($0.record.record.transcript.edited != nil)
        },
        Field<Row>("text", "TEXT", help: "text of the record") { .text($0.record.record.transcript.text) },
        Field<Row>("segments", "SEGMENTS", help: "phrases with their positions in milliseconds") { row in
            .list(
                row.record.record.transcript.segments.map { segment in
                    .object([
                        .init("text", .text(segment.text)), .init("start_ms", FieldValue(segment.time?.lowerBound)),
                        .init("end_ms", FieldValue(segment.time?.upperBound)),
                    ])
                })
        },
        Field<Row>("revision", "REVISION", help: "revision, incremented by every change") {
            .integer($0.record.revision)
        },
    ]

    static let command = Command(
        "show", summary: "show a record with its waveform and text",
        examples: [
            Example("hub dictofun show last", "the newest record"),
            Example("hub dictofun show plumber --json=text,segments", "its text with times, for a script"),
        ], parameters: [RecordCommands.one], fields: fields
    ) { (dictofun: DictofunPlugin, input: Input) in
        let record = try await RecordCommands.record(dictofun, input)
        let address = record.summary.device
        let device = try await dictofun.devices().map(\.device).first { $0.address == address }
        let row = Row(
            record: record, shortID: try await dictofun.records.shortID(of: record.id),
            waveform: try await dictofun.waveform(of: record.id), origin: device?.name ?? address)
        var output = Output.record(row, fields)
        output.human = lines(row, ascii: false)
        output.ascii = lines(row, ascii: true)
        return output
    }

    private static func lines(_ row: Row, ascii: Bool) -> [String] {
        let record = row.record.record
        var lines = ["\(row.record.summary.shownName) (\(row.shortID))"]
        func add(_ title: String, _ text: String) {
            if !text.isEmpty { lines.append("  \(title.padded(to: 10))\(text)") }
        }
        add(
            "recorded",
            "\(record.startTime)"
                + (record.isTimeUnknown ? (row.origin.isEmpty ? ", time unknown" : ", the time of the transfer") : ""))
        add("length", TranscriptWriter.clock(record.length.milliseconds))
        add("from", row.origin)
        add("format", "\(row.record.formatName), \(NumberFormat.grouped(max(1, row.record.size / 1000))) kB")
        add("tags", record.tags.joined(separator: ", "))
        let transcript = record.transcript
        let engine = [transcript.engine, transcript.machine?.language].compactMap(\.self).joined(separator: ", ")
        add("text by", engine + (row.record.isRough ? ", rough" : "") + (transcript.edited == nil ? "" : "; edited"))
        lines.append("  " + WaveformText.line(row.waveform, width: width, ascii: ascii))
        let text = TranscriptWriter.plain(transcript.segments).split(separator: "\n", omittingEmptySubsequences: false)
        return lines + (transcript.text.isEmpty ? [] : [""] + text.dropLast().map(String.init))
    }
}

/// A waveform as one line of text.
enum WaveformText {
    private static let bars = Array("▁▂▃▄▅▆▇█")
    private static let digits = Array("0123456789")

    /// Returns the loudness of `width` stretches, relative to the loudest.
    static func line(_ waveform: Waveform, width: Int, ascii: Bool) -> String {
        let columns = waveform.columns(width)
        let glyphs = ascii ? digits : bars
        guard let loudest = columns.map(\.loudness).max(), loudest > 0 else {
            return String(repeating: glyphs[0], count: columns.count)
        }
        // The square root shows quiet speech too.
        return String(
            columns.map { column in
                let share = (column.loudness / loudest).squareRoot()
                return glyphs[min(Int(share * Float(glyphs.count)), glyphs.count - 1)]
            })
    }
}

extension StoredRecord {
    /// The format of the sound in words.
    var formatName: String {
        switch format {
        case .recorder: "recorder"
        case .file(let kind): kind.isEmpty ? "sound file" : kind
        }
    }
}
