package import Commands
package import DictofunDomain
import Glibc
import Storage

/// The format of an exported record.
package enum RecordExportFormat: String, CaseIterable, Sendable {
    /// Its sound.
    case wav, flac, opus, mp3
    /// The file that was imported, or that the recorder sent, unchanged.
    case original
    /// Its text, as paragraphs.
    case text
    /// Its text below a heading, with times.
    case markdown
    /// Its text as subtitles.
    case srt, vtt
    /// Its text with the times of phrases and words, as services write it.
    case json

    /// Whether it is the text of a record.
    package var isText: Bool {
        switch self {
        case .wav, .flac, .opus, .mp3, .original: false
        case .text, .markdown, .srt, .vtt, .json: true
        }
    }

    /// The extension of the file's name.
    package func fileExtension(of record: StoredRecord) -> String {
        switch self {
        case .wav, .flac, .opus, .mp3, .srt, .vtt, .json: rawValue
        case .text: "txt"
        case .markdown: "md"
        case .original: if case .file(let kind) = record.format { kind } else { "dictofun" }
        }
    }
}

extension DictofunPlugin {
    /// Writes a record to the file at `path`, which it replaces.
    package func export(_ record: StoredRecord, as format: RecordExportFormat, to path: String) async throws {
        switch format {
        case .wav, .flac, .opus, .mp3:
            try await writeSound(of: record, to: path, as: SoundFileType(rawValue: format.rawValue) ?? .wav)
        case .original:
            let blob = try await blob(of: record)
            try await BackgroundThread.run { [blobs] in
                let reader = try blobs.reader(blob)
                var pieces: [UInt8] = []
                unlink(path)
                repeat {
                    try BackgroundThread.checkCancellation()
                    pieces = try reader.next() ?? []
                    try Self.append(pieces, to: path)
                } while !pieces.isEmpty
            }
        case .text, .markdown, .srt, .vtt, .json:
            let text = Array(text(of: record, as: format).utf8)
            try await BackgroundThread.run { try Self.append(text, to: path) }
        }
    }

    /// Returns the text of a record in a format of texts.
    package func text(of record: StoredRecord, as format: RecordExportFormat) -> String {
        let segments = record.record.transcript.segments
        return switch format {
        case .markdown: TranscriptWriter.markdown(segments, title: record.summary.name)
        case .srt: TranscriptWriter.subtitles(segments)
        case .vtt: TranscriptWriter.webVTT(segments)
        case .json:
            TranscriptWriter.json(segments, language: record.record.transcript.machine?.language)
        case .text, .wav, .flac, .opus, .mp3, .original: TranscriptWriter.plain(segments)
        }
    }

    /// Returns the bytes of an exported record, made in pieces.
    package func exported(_ record: StoredRecord, as format: RecordExportFormat) async throws -> Output.ByteStream {
        // The file has no name any more when it is read.
        let reader = try await sounds.withTemporaryFile(format.fileExtension(of: record)) { path in
            try await export(record, as: format, to: path)
            return try await ChunkedFileReader(path: path, isRegular: true)
        }
        return AsyncThrowingStream<[UInt8], any Error> { try await reader.next() }
    }

    private static func append(_ bytes: [UInt8], to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw HubError(storeFile: SystemError("open \(path)")) }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw HubError(storeFile: SystemError("write \(path)")) }
            rest = rest.dropFirst(count)
        }
    }
}
