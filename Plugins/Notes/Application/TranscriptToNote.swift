import Commands
import HubKit
import NotesDomain
import Storage

extension NotesPlugin {
    /// Makes a note of the item that an event is about, such as the record of `app.dictofun/record-transcribed`: one for each item,
    /// however often the event is delivered. A text that is made again is merged with what was written in the note since.
    ///
    /// `content` returns the content of a reference. An item without a text is ignored, and so is one whose note is in the trash.
    func createNote(
        of event: StoredEvent, content: (_ reference: String) async throws -> ItemContent?
    ) async throws {
        let reference = "\(event.topic.context):\(event.subject)"
        guard let item = try await content(reference), !item.text.isEmpty else { return }
        let started = try event.event.fields()["started"]?.string
        let portable = PortableNote(
            source: "event:\(event.topic.text):\(event.subject)",
            title: started.map { "Record of \($0.prefix(16))" } ?? item.title,
            content: "\(item.text)\n\nRecord: \(reference)", tags: ["record"])
        let operation = Operation("notes from record", who: .service("notes"))
        try await store.write(operation) { transaction in
            if try transaction.note(madeFrom: portable.source)?.deletedAt != nil { return }
            let item = try transaction.importNote(portable, [], from: "")
            let note = try NoteRecord.kind.item(item.id, in: transaction)
            switch item.outcome {
            case .new: try transaction.emit(NotesEvents.created, note.summary)
            case .updated: try transaction.emit(NotesEvents.changed, note.summary)
            case .unchanged: break
            }
        }
    }
}
