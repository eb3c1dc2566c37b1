import Commands
import HubKit
import NotesDomain

/// The commands of notes that follow from the description of the entity.
enum NoteCommands {
    /// The commands and parameters.
    static let entity = EntityCommands(
        NoteRecord.kind, valueName: "NOTE", oneForm: "id, title, words, or last",
        manyForms: "ids, titles, words, last", fields: NoteListItem.fields
    ) { (notes: NotesPlugin, typed) in
        if typed.isEmpty { return try await notes.list(NoteFilter(), limit: 50).rows }
        let byID = Identifier.isPrefix(typed) ? (try? await notes.notes.resolve(typed)) ?? [] : []
        let named = byID.filter { $0.id.hasPrefix(typed) }
        return named.isEmpty ? try await notes.search(typed, limit: 50).hits.map(\.note) : Array(named.prefix(50))
    } in: { notes in
        notes.notes
    }

    /// One selector: an id or its prefix, a title, words, or `last`.
    static let one = entity.one
    /// Several selectors.
    static let many = entity.many
    /// The folder of new or moved notes.
    static let folder = Option<String>("folder", "FOLDER", help: "folder, such as work/ideas")

    static let remove = entity.remove(
        examples: [
            Example("hub notes rm shopping", "one note"),
            Example("hub notes rm --tag old --yes", "all with a tag, without confirmation"),
        ], byTag: true)

    static let restore = entity.restore(
        discussion: [
            "--at restores the text, tags and folder of that time as a new change; later changes stay in the history."
        ],
        examples: [
            Example("hub notes restore shopping", "from the trash"),
            Example("hub notes restore shopping --at 3d", "as it was three days ago"),
        ])

    static let history = entity.history(examples: [
        Example("hub notes history shopping", "every change and who made it"),
        Example("hub notes history last --json=at,changes", "for a script"),
    ])

    static let tagging = entity.tagging { verb in
        [
            Example("hub notes \(verb) shopping home weekly", "two tags"),
            Example("hub notes \(verb) last work", "the newest note"),
        ]
    }

    /// Returns the note that an argument selects, with its name and short id for messages.
    static func labeled(_ notes: NotesPlugin, _ input: Input) async throws -> (id: String, label: String) {
        let chosen = try await notes.notes.select(input[one], asking: input)
        return (chosen.id, try await notes.notes.label(of: chosen))
    }
}

/// A note as a table row.
typealias NoteListItem = ListedEntity<NoteSummary>

extension NoteListItem {
    /// The columns of every list of notes.
    static var fields: [Field<NoteListItem>] {
        [
            Field("id", "ID", help: "id of the note") { .id($0.summary.id, shown: $0.shortID.count) },
            Field(
                "name", "NOTE", help: "title, or else the first line of the text",
                cell: { ($0.summary.isPinned ? "* " : "") + $0.summary.name }
            ) { .text($0.summary.name) },
            Field(
                "tags", "TAGS", help: "tags of the note", column: .ifRoom(2),
                cell: { $0.summary.tags.joined(separator: ", ") }
            ) { FieldValue($0.summary.tags) },
            Field("folder", "FOLDER", help: "folder; empty for the top one", column: .ifRoom(1)) {
                .text($0.summary.folder)
            },
            Field("changed_at", "CHANGED", help: "time of the last change", column: .ifRoom(3)) {
                .instant($0.summary.changedAt)
            },
            Field("created_at", "CREATED", help: "time of creation", column: .onRequest) {
                .instant($0.summary.createdAt)
            },
            Field("title", "TITLE", help: "title; may be empty", column: .onRequest) { .text($0.summary.title) },
            Field("pinned", "PINNED", help: "whether it is pinned", column: .onRequest) {
                .bool($0.summary.isPinned)
            },
            Field("size_bytes", "BYTES", help: "size of the text", align: .trailing, column: .onRequest) {
                .integer($0.summary.size)
            },
            Field("revision", "REVISION", help: "revision, incremented by every change", column: .onRequest) {
                .integer($0.summary.revision)
            },
        ]
    }
}
