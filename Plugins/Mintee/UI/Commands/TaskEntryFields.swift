import Commands
import MinteeDomain

/// The entry of a day as a row.
extension TaskEntry {
    static let fields = [
        Field<TaskEntry>("id", "ID", help: "id of the task") { .id($0.task.id, shown: ShortIDs.minimum) },
        Field<TaskEntry>("name", "TASK", help: "name of the task") { .text($0.task.draft.name) },
        Field<TaskEntry>("date", "DATE", help: "day of the entry") { .day($0.day) },
        Field<TaskEntry>("value", "VALUE", help: "value entered", align: .trailing) {
            .number(NumberText.text($0.entry?.completion ?? 0))
        },
        Field<TaskEntry>("target", "TARGET", help: "target of the day") {
            FieldValue($0.target?.description)
        },
        Field<TaskEntry>("state", "STATE", help: "reached, under, over or skipped") { .text($0.state.name) },
        Field<TaskEntry>(
            "streak", "STREAK", help: "number of consecutive due days reached; null for a day of several",
            align: .trailing
        ) {
            FieldValue($0.streak)
        },
        Field<TaskEntry>(
            "period", "PERIOD", help: "progress of the period; null without a period target", column: .onRequest
        ) {
            entry in FieldValue(entry.period?.words)
        },
        Field<TaskEntry>("note", "NOTE", help: "note of the day") { FieldValue($0.entry?.note) },
        Field<TaskEntry>("skip", "SKIPPED", help: "reason for skipping the day", column: .onRequest) {
            FieldValue($0.entry?.skipReason)
        },
    ]

    private var state: DayState { (entry ?? Entry()).state(target) }

    /// The summary sentence of the entry.
    static let told = Field<TaskEntry>("told", "MESSAGE", help: "summary sentence") { .text($0.sentence) }

    /// `Run: noted "in the rain"`, followed by the day.
    var noteSentence: String {
        let note = entry?.note ?? ""
        return "\(task.draft.name): " + (note.isEmpty ? "no note" : "noted \"\(note)\"")
    }

    /// `Review: 20 (x >= 20), reached, streak 6.`
    var sentence: String {
        let name = task.draft.name
        guard let entry = entry else { return "\(name): nothing entered." }
        if let reason = entry.skipReason {
            return "\(name): skipped\(reason.isEmpty ? "" : ", \(reason)"), streak \(streak ?? 0)\(note)."
        }
        let target = target.map { " (\($0))" } ?? ""
        if let period {
            let day = self.target == .done ? "" : "\(target), \(state.name)"
            return "\(name): \(NumberText.text(entry.completion))\(day), \(period.words)\(note)."
        }
        return "\(name): \(NumberText.text(entry.completion))\(target), \(state.name), streak \(streak ?? 0)\(note)."
    }

    /// The note of the day in one line, shortened.
    private var note: String {
        guard let note = entry?.note else { return "" }
        let line = note.split(whereSeparator: \.isNewline).joined(separator: " ")
        return ", note \"\(line.count > 60 ? line.prefix(60) + "…" : line)\""
    }
}
