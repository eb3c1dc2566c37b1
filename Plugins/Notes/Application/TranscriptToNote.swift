import HubKit
import NotesDomain

extension NotesPlugin {
    /// Makes a note of an event that has a text, such as `app.dictofun/record-transcribed`: one for each subject, however
    /// often the event is delivered. A text that is made again is merged with what was written in the note since.
    ///
    /// An event without a text is ignored, and so is one whose note is in the trash.
    func createNote(of event: StoredEvent) async throws {
        let body = try event.event.fields()
        guard let text = body["text"]?.string, !text.isEmpty else { return }
        let title = body["started"]?.string.map { "Record of \($0.prefix(16))" } ?? body["name"]?.string ?? ""
        let isWhole = body["is_whole"]?.bool ?? true
        let portable = PortableNote(
            source: "event:\(event.topic.text):\(event.subject)", title: title, content: isWhole ? text : text + "\n…",
            tags: ["record"])
        let operation = Operation("notes from record", who: .service("notes"))
        try await store.write(operation) { transaction in
            if try transaction.note(madeFrom: portable.source)?.deletedAt != nil { return }
            let item = try transaction.importNote(portable, from: "")
            let note = try NoteRecord.kind.item(item.id, in: transaction)
            switch item.outcome {
            case .new: try transaction.emit(NotesEvents.created, note.summary)
            case .updated: try transaction.emit(NotesEvents.changed, note.summary)
            case .unchanged: break
            }
        }
    }
}
