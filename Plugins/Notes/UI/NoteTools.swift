import Commands
import HubKit
import NotesDomain

/// What assistants can do with notes. None replaces a whole text: what others wrote meanwhile would be lost.
enum NoteTools {
    static let declarations = ToolDeclarations(
        lists: [
            ToolList("notes", "notes, pinned and recently changed ones first; show has their text", command: "list")
        ],
        tools: [
            ToolDeclaration(
                "note_create", title: "Create a note",
                description: "Creates a note and returns its id. Not for adding to one: use note_append.",
                command: "new", isAddition: true,
                parameters: [
                    ToolParameter("title", .text(300), "title, in one line", isRequired: true),
                    ToolParameter("text", .text(100_000), "text in Markdown", option: "message"),
                    ToolParameter("tags", .texts(20), "tags, such as home", option: "tag"),
                ]),
            ToolDeclaration(
                "note_append", title: "Add to a note",
                description: "Adds text at the end of a note, on a line of its own. Nothing else of the note changes.",
                command: "append", isAddition: true,
                parameters: [
                    ToolParameter("id", .id, "id of the note", isRequired: true),
                    ToolParameter("text", .text(100_000), "text in Markdown", isRequired: true),
                ]
            ) { host, id in try await checkOwn(host, id) },
            ToolDeclaration(
                "note_edit", title: "Change a passage of a note",
                description:
                    "Replaces a passage of a note, which must stand in it once, letter for letter. Show the note first.",
                command: "replace", isIdempotent: false,
                parameters: [
                    ToolParameter("id", .id, "id of the note", isRequired: true),
                    ToolParameter("old", .text(100_000), "passage as it stands in the note", isRequired: true),
                    ToolParameter("new", .text(100_000), "text in its place", isRequired: true),
                ]
            ) { host, id in try await checkOwn(host, id) },
        ])

    /// Throws for a note with other readers: it is a way out for what the assistant has read.
    private static func checkOwn(_ host: any PluginHost, _ id: String) async throws {
        guard try await host.plugin(NotesPlugin.self).notes.get(id).access.isShared else { return }
        throw HubError(
            .denied, code: "note-shared", "the note is shared with others, so assistants do not change it",
            hint: "create a note of its own")
    }
}
