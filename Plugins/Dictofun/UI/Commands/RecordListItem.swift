import Commands
import DictofunDomain
import HubKit

/// A record as a row of a table.
typealias ListedRecord = ListedEntity<RecordSummary>

/// The columns of records.
enum RecordListItem {
    /// The columns of every list of records.
    static let fields = [
        Field<ListedRecord>("id", "ID", help: "id of the record") { .id($0.summary.id, shown: $0.shortID.count) },
        Field<ListedRecord>(
            "recorded_at", "RECORDED", help: "local time at which the record began",
            cell: { $0.summary.isTimeUnknown ? $0.summary.timeWords : nil }
        ) { .localTime($0.summary.startTime) },
        Field<ListedRecord>(
            "length_ms", "LENGTH", help: "length in milliseconds", align: .trailing,
            cell: { TranscriptWriter.length($0.summary.length) }
        ) { .integer($0.summary.length.milliseconds) },
        Field<ListedRecord>("name", "NAME", help: "title, or name of the imported file", column: .ifRoom(2)) {
            .text($0.summary.fileName)
        },
        Field<ListedRecord>(
            "tags", "TAGS", help: "tags of the record", column: .ifRoom(1),
            cell: { $0.summary.tags.joined(separator: ", ") }
        ) { FieldValue($0.summary.tags) },
        Field<ListedRecord>("transcript", "TRANSCRIPT", help: "beginning of the text") { .text($0.summary.excerpt) },
        Field<ListedRecord>(
            "is_time_unknown", "UNKNOWN TIME",
            help: "whether recorded_at is only the day, or the time of import or transfer",
            column: .onRequest
        ) { .bool($0.summary.isTimeUnknown) },
        Field<ListedRecord>("device", "DEVICE", help: "address of the recorder", column: .onRequest) {
            .text($0.summary.device)
        },
        Field<ListedRecord>("revision", "REVISION", help: "revision, incremented by every change", column: .onRequest) {
            .integer($0.summary.revision)
        },
    ]
}

extension RecordSummary {
    /// The time at which it began, with a question mark when it is unknown.
    var timeWords: String {
        guard isTimeUnknown else { return "\(startTime)" }
        // Of an import whose name has a day only, midnight stands for the time.
        return startTime.millisecond == 0 ? "\(startTime.day) ?" : "\(startTime.day) \(startTime.clock) ?"
    }
}
