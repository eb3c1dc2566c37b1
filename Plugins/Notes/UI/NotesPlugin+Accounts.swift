package import Commands
package import HubKit
import NotesDomain
package import Sync

extension NotesPlugin: AccountPlugin {
    /// The notes of a server, for `servers test` and `add`.
    package static let itemFields: [Field<ServerNote>] = [
        Field("id", "ID", help: "id of the note on the server") { .text($0.id) },
        Field("title", "TITLE", help: "title") { .text($0.title) },
        Field("owner", "OWNER", help: "account or device that owns the note", column: .ifRoom(1)) { .text($0.owner) },
        Field("locked", "LOCKED", help: "whether the note is locked for you", column: .onRequest) {
            .bool($0.isLocked)
        },
    ]

    /// Returns the title of a note.
    package static func line(_ item: ServerNote) -> String {
        let title = TerminalSanitizer.line(item.title)
        return (title.isEmpty ? "Untitled" : title) + (item.isLocked ? ", locked" : "")
    }

    /// Returns the number of notes that were found.
    package static func summary(of items: [ServerNote], in account: Account) -> AccountSummary {
        let locked = items.count { $0.isLocked }
        return AccountSummary(
            NumberFormat.counted(items.count, "note") + (locked == 0 ? "" : ", \(locked) locked"),
            lines: ["The server can read all notes that are synced with it."])
    }
}
