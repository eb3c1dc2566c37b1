import Commands
import DictofunDomain
import HubKit
import Storage

/// A record as the page shows it.
struct RecordView: Sendable {
    let record: StoredRecord
    /// The recorder that it came from, if it is still known.
    let device: Device?
    /// The pending, running or failed transcription.
    let job: Job?

    /// The fields of one record.
    static let fields =
        [
            Field<RecordView>("id", "ID", help: "id of the record") { .text($0.record.id) },
            Field<RecordView>("revision", "REVISION", help: "revision, incremented by every change") {
                .integer($0.record.revision)
            },
            Field<RecordView>("name", "NAME", help: "title, or name of the imported file") { .text($0.record.name) },
            Field<RecordView>("recorded", "RECORDED", help: "local time at which the record began") {
                .text($0.record.record.startTime.stored)
            },
            Field<RecordView>(
                "is_time_unknown", "UNKNOWN TIME", help: "whether that is only the day, or the time of the transfer"
            ) {
                .bool($0.record.record.isTimeUnknown)
            },
            Field<RecordView>("length_ms", "LENGTH", help: "length in milliseconds") {
                .integer($0.record.record.length.milliseconds)
            },
            Field<RecordView>("size", "SIZE", help: "size of the kept sound in bytes") { .integer($0.record.size) },
            Field<RecordView>("format", "FORMAT", help: "format of the kept sound") { .text($0.record.formatName) },
            Field<RecordView>("device", "DEVICE", help: "name of the recorder") { view in
                FieldValue(view.device?.name ?? (view.record.format == .recorder ? view.record.summary.device : nil))
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
            .init("end_ms", FieldValue(segment.time?.upperBound)),
            .init(
                "words",
                .list(
                    segment.words.map { word in
                        .list([.text(word.text), .integer(word.time.lowerBound), .integer(word.time.upperBound)])
                    })),
        ])
    }

    /// The fields of a part of the list.
    static let pageFields = [
        Field<RecordPage>("total", "TOTAL", help: "number of all matching records") { .integer($0.total) },
        Field<RecordPage>("months", "MONTHS", help: "months, each with label and start") { page in
            var start = 0
            return .list(
                page.months.map { month, count in
                    defer { start += count }
                    return .object([.init("label", .text(month)), .init("start", .integer(start))])
                })
        },
        Field<RecordPage>("records", "RECORDS", help: "records, newest first") { page in
            .list(
                page.records.map { record in
                    .object([
                        .init("id", .text(record.id)), .init("name", .text(record.fileName)),
                        .init("excerpt", .text(record.excerpt)), .init("recorded", .text(record.startTime.stored)),
                        .init("length_ms", .integer(record.length.milliseconds)),
                        .init("tags", FieldValue(record.tags)), .init("device", .text(record.device)),
                        .init("is_waiting", .bool(page.waiting.contains(record.id))),
                        .init("revision", .integer(record.revision)),
                    ])
                })
        },
    ]

    /// What the list can be filtered by.
    struct Filters: Sendable {
        let tags: [TagUsage]
        let trashed: Int
    }

    /// The fields of the filters.
    static let filterFields = [
        Field<Filters>("tags", "TAGS", help: "tags, each with name and count") { filters in
            .list(filters.tags.map { .object([.init("name", .text($0.tag)), .init("count", .integer($0.count))]) })
        },
        Field<Filters>("trashed", "TRASHED", help: "number of records in the trash") { .integer($0.trashed) },
    ]

    /// The fields of a record in the trash.
    static let trashFields = [
        Field<StoredRecord>("id", "ID", help: "id of the record") { .text($0.id) },
        Field<StoredRecord>("name", "NAME", help: "title, or name of the imported file") { .text($0.name) },
        Field<StoredRecord>("excerpt", "TRANSCRIPT", help: "beginning of the text") { .text($0.summary.excerpt) },
        Field<StoredRecord>("recorded", "RECORDED", help: "local time at which the record began") {
            .text($0.record.startTime.stored)
        },
        Field<StoredRecord>("length_ms", "LENGTH", help: "length in milliseconds") {
            .integer($0.record.length.milliseconds)
        },
        Field<StoredRecord>("deleted_at", "DELETED", help: "time when it was moved to the trash") {
            FieldValue($0.deletedAt)
        },
    ]
}
