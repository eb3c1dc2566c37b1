import CivilDate
import Commands
import DictofunDomain
import HubKit
import Storage

extension DictofunPlugin {
    /// What `hub export` writes: each sound as it came, its text as subtitles and JSON, and WAV of what only recorders write.
    static let everything = ExportDeclaration(
        "`YEAR/DATE TIME NAME ID`: each sound as it came, and as WAV what only a recorder writes; its "
            + "text as `.txt`, as `.srt` subtitles and with times as `.json`",
        [
            ExportKind(
                "records",
                [
                    ExportTable("dictofun_record", item: "id"), ExportTable("dictofun_tag", item: "record"),
                    ExportTable("dictofun_transcript", item: "record"),
                ], files: files)
        ])

    private static let files: @Sendable (ItemRows, Transaction) throws -> [ExportFile] = { item, transaction in
        guard let record = try transaction.record(item.id), let blob = BlobID(record.blob) else {
            throw HubError(.internal, code: "record-damaged", "the record \(item.id) names an invalid file")
        }
        let time = record.record.startTime
        let clock = [time.hour, time.minute].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined()
        let name = record.name.isEmpty ? "" : " " + record.name
        // A recorder gives its records no names, and two can begin in one minute.
        let stem = "\(time.day.components.year)/\(time.day) \(clock)\(name) \(item.id.prefix(6))"
        let kind = RecordExportFormat.original.fileExtension(of: record)
        var files = [ExportFile("sound", "\(stem).\(kind)", .blob(blob))]
        if record.format == .recorder {
            files.append(
                ExportFile(
                    nil, "\(stem).wav",
                    .made { host, path in
                        try await host.plugin(DictofunPlugin.self).export(record, as: .wav, to: path)
                    }))
        }
        let segments = record.record.transcript.segments
        guard !segments.isEmpty else { return files }
        let subtitles = TranscriptWriter.subtitles(segments)
        // Without times there are no subtitles.
        if !subtitles.isEmpty { files.append(.view("\(stem).srt", subtitles)) }
        files.append(
            .view("\(stem).json", TranscriptWriter.json(segments, language: record.record.transcript.machine?.language))
        )
        files.append(.view("\(stem).txt", TranscriptWriter.plain(segments)))
        return files
    }
}
