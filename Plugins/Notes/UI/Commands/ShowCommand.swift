import Commands
import HubKit
import Markdown
import NotesDomain

/// `hub notes show`: shows notes, their Markdown drawn for the terminal.
enum ShowCommand {
    static let command = Command(
        "show", summary: "show a note with its Markdown formatted for the terminal",
        discussion: ["Embedded notes are shown in place. In a pipe, the text is printed as it is stored."],
        examples: [
            Example("hub notes show shopping", "one note"),
            Example("hub notes show last --json=title,content", "for a script"),
        ], parameters: [NoteCommands.many, SharedOptions.oneInTrash], fields: NoteView.fields
    ) { (notes: NotesPlugin, input: Input) in
        let chosen = try await notes.notes.select(
            input[NoteCommands.many], inTrash: input[SharedOptions.oneInTrash], asking: input)
        let short = try await notes.notes.shortIDs(of: chosen.map(\.id))
        var shown: [NoteView] = []
        for note in chosen {
            let links = try await notes.links(of: note.id)
            let record = try await notes.notes.get(note.id)
            shown.append(
                NoteView(
                    note: record, shortID: short[note.id] ?? note.id,
                    backlinks: links.filter { $0.direction == .from }.map(\.title),
                    shownText: try await notes.textWithEmbeds(of: record)))
        }
        return .chosen(shown, NoteView.fields) { $0.lines(width: $1) }
    }
}

/// A note with all that is known of it.
struct NoteView: Sendable {
    let note: NoteRecord
    let shortID: String
    let backlinks: [String]
    /// The text with embedded notes in place, for a terminal; nil where it is the text of the note.
    var shownText: String?

    static let fields: [Field<NoteView>] = [
        Field("id", "ID", help: "id of the note") { .id($0.note.id, shown: $0.shortID.count) },
        Field("title", "TITLE", help: "title; may be empty") { .text($0.note.title) },
        Field("content", "TEXT", help: "text in Markdown") { .text($0.note.content) },
        Field("folder", "FOLDER", help: "folder; empty for the top one") { .text($0.note.folder) },
        Field("tags", "TAGS", help: "tags of the note") { FieldValue($0.note.tags) },
        Field("pinned", "PINNED", help: "whether it is pinned") { .bool($0.note.isPinned) },
        Field("owner", "OWNER", help: "owner on a server; empty for a note of this machine") {
            .text($0.note.access.owner)
        },
        Field("access", "ACCESS", help: "members who can open it") { FieldValue($0.note.access.members) },
        Field("readers", "READERS", help: "those of the members who cannot edit it") {
            FieldValue($0.note.access.readers)
        },
        Field("backlinks", "BACKLINKS", help: "titles of the notes that link to it") { FieldValue($0.backlinks) },
        Field("revision", "REVISION", help: "revision, incremented by every change") { .integer($0.note.revision) },
        Field("created_at", "CREATED", help: "time of creation") { .instant($0.note.createdAt) },
        Field("changed_at", "CHANGED", help: "time of the last change") { .instant($0.note.changedAt) },
    ]

    /// The output for a terminal; in a pipe, the title and the text as they are stored.
    func lines(width: Int?) -> [String] {
        guard let width else {
            let text = note.content.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            return (note.title.isEmpty ? [] : [note.title, ""]) + (text.last == "" ? text.dropLast() : text[...])
        }
        var details: [String] = []
        if !note.folder.isEmpty { details.append("in \(note.folder)") }
        if !note.tags.isEmpty { details.append(note.tags.map { "#" + $0 }.joined(separator: " ")) }
        if note.isPinned { details.append("pinned") }
        if !note.access.members.isEmpty {
            let members = note.access.members.map { note.access.isReader($0) ? "\($0) (read-only)" : $0 }
            details.append("shared with \(members.joined(separator: ", "))")
        }
        if !backlinks.isEmpty { details.append("linked from \(backlinks.joined(separator: ", "))") }
        let heading = TextWrapping.lines(of: "\(note.displayName) (\(shortID))", width: width)
        let about = details.flatMap { TextWrapping.lines(of: $0, after: "  ", width: width) }
        let text = MarkdownText.lines(of: shownText ?? note.content, width: width)
        return heading + about + (text.isEmpty ? [] : [""]) + text
    }
}
