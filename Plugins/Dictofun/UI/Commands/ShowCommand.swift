import Audio
import Commands
import DictofunDomain
import HubKit

/// `hub dictofun show`: all that is known of a record.
enum ShowCommand {
    private struct Row: Sendable {
        let view: RecordView
        /// The outline; nil where the sound is on another machine alone.
        let waveform: Waveform?
        /// That machine.
        let place: String?
        var record: StoredRecord { view.record }
    }

    /// The columns of the waveform where the width of the terminal is not known.
    private static let width = 64

    static let command = Command(
        "show", summary: "show a record with its waveform and text",
        examples: [
            Example("hub dictofun show last", "the newest record"),
            Example("hub dictofun show plumber --json=text,segments", "its text with times, for a script"),
        ], parameters: [RecordCommands.one], fields: RecordView.fields
    ) { (dictofun: DictofunPlugin, input: Input) in
        let record = try await RecordCommands.record(dictofun, input)
        let place = try await dictofun.soundPlace(of: record)
        let row = Row(
            view: try await dictofun.view(of: record),
            waveform: place == nil ? try await dictofun.waveform(of: record.id) : nil, place: place)
        var output = Output.record(row.view, RecordView.fields)
        output.human = lines(row, ascii: false)
        output.ascii = lines(row, ascii: true)
        return output
    }

    private static func lines(_ row: Row, ascii: Bool) -> [String] {
        let record = row.record.record
        var lines = ["\(row.record.summary.shownName) (\(row.view.shortID))"]
        func add(_ title: String, _ text: String) {
            if !text.isEmpty { lines.append("  \(title.padded(to: 10))\(text)") }
        }
        add(
            "recorded",
            (record.isTimeUnknown && record.startTime.millisecond == 0
                ? "\(record.startTime.day)" : "\(record.startTime)")
                + (record.isTimeUnknown
                    ? (row.view.origin.isEmpty ? ", time unknown" : ", the time of the transfer") : ""))
        add("length", TranscriptWriter.length(record.length))
        add("from", row.view.origin)
        add("format", "\(row.record.formatName), \(NumberFormat.grouped(max(1, row.record.size / 1000))) kB")
        add("tags", record.tags.joined(separator: ", "))
        let transcript = record.transcript
        let engine = [transcript.engine, transcript.machine?.language].compactMap(\.self).joined(separator: ", ")
        add("text by", engine + (row.record.isRough ? ", rough" : "") + (transcript.edited == nil ? "" : "; edited"))
        if let place = row.place { add("sound", "on \(place); it comes when it is played or exported") }
        if let waveform = row.waveform {
            lines.append("  " + WaveformText.line(waveform, width: width, ascii: ascii))
        }
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
