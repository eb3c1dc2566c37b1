import Commands
import DictofunDomain
import HubKit
import Storage

/// A record with all that is known of it.
struct RecordView: Sendable {
    let record: StoredRecord
    let shortID: String
    /// The recorder that it came from, if it is still known.
    let device: Device?
    /// The pending, running or failed transcription.
    let job: Job?

    /// The name of the recorder, or its address when it is no longer paired.
    var origin: String { device?.name ?? record.summary.device }

    /// The fields of one record, on a terminal, for programs and on the page.
    static let fields =
        [
            Field<RecordView>("id", "ID", help: "id of the record") {
                .id($0.record.id, shown: $0.shortID.count)
            },
            Field<RecordView>("revision", "REVISION", help: "revision, incremented by every change") {
                .integer($0.record.revision)
            },
            Field<RecordView>("name", "NAME", help: "title, or name of the imported file") { .text($0.record.name) },
            Field<RecordView>("recorded_at", "RECORDED", help: "local time at which the record began") {
                .localTime($0.record.record.startTime)
            },
            Field<RecordView>(
                "is_time_unknown", "UNKNOWN TIME",
                help: "whether that is only the day, or the time of import or transfer"
            ) {
                .bool($0.record.record.isTimeUnknown)
            },
            Field<RecordView>("length_ms", "LENGTH", help: "length in milliseconds") {
                .integer($0.record.record.length.milliseconds)
            },
            Field<RecordView>("size", "SIZE", help: "size of the kept sound in bytes") { .integer($0.record.size) },
            Field<RecordView>("format", "FORMAT", help: "format of the kept sound") { .text($0.record.formatName) },
            Field<RecordView>("file", "FILE", help: "SHA-256 of the kept sound, which names its file") {
                .text($0.record.blob)
            },
            Field<RecordView>("device", "DEVICE", help: "address of the recorder") { .text($0.record.summary.device) },
            Field<RecordView>("device_name", "DEVICE NAME", help: "name of the recorder, or else its address") {
                .text($0.origin)
            },
            Field<RecordView>("tags", "TAGS", help: "tags of the record") { FieldValue($0.record.record.tags) },
            Field<RecordView>("deleted_at", "DELETED", help: "time when it was moved to the trash") {
                FieldValue($0.record.deletedAt)
            },
        ] + textFields

    private static let textFields = [
        Field<RecordView>("engine", "ENGINE", help: "engine that made the text") {
            FieldValue($0.record.record.transcript.engine)
        },
        Field<RecordView>("language", "LANGUAGE", help: "language as the engine names it") {
            FieldValue($0.record.record.transcript.machine?.language)
        },
        Field<RecordView>("is_rough", "ROUGH", help: "whether the engine is known to miss many words") {
            .bool($0.record.isRough)
        },
        Field<RecordView>("is_edited", "EDITED", help: "whether the text is the user's version") {
            .bool($0.record.record.transcript.edited != nil)
        },
        Field<RecordView>("text", "TEXT", help: "text of the record") { .text($0.record.record.transcript.text) },
        Field<RecordView>("segments", "SEGMENTS", help: "phrases and words with their positions") {
            .list($0.record.record.transcript.segments.map(segment))
        },
        Field<RecordView>("transcription", "TRANSCRIPTION", help: "pending, running or failed transcription") {
            guard let job = $0.job else { return .null }
            return .object([
                .init("state", .text(job.state.rawValue)),
                .init("progress_percent", FieldValue(job.progress.map { Int(($0 * 100).rounded()) })),
                .init("error", FieldValue(job.error)),
            ])
        },
    ]

    // A word is an array, since a long record has thousands.
    private static func segment(_ segment: MachineTranscript.Segment) -> FieldValue {
        .object([
            .init("text", .text(segment.text)), .init("start_ms", FieldValue(segment.time?.lowerBound)),
            .init("end_ms", FieldValue(segment.time?.upperBound)), .init("speaker", FieldValue(segment.speaker)),
            .init(
                "words",
                .list(
                    segment.words.map { word in
                        .list([.text(word.text), .integer(word.time.lowerBound), .integer(word.time.upperBound)])
                    })),
        ])
    }
}

extension DictofunPlugin {
    /// Returns all that is known of a record.
    func view(of record: StoredRecord) async throws -> RecordView {
        let address = record.summary.device
        let device = try await devices().map(\.device).first { $0.address == address }
        return RecordView(
            record: record, shortID: try await records.shortID(of: record.id), device: device,
            job: try await transcription(of: record.id))
    }
}
