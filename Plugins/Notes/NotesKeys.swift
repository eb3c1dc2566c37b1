import HubKit

/// The settings under `plugins.notes`.
enum NotesKeys {
    static let mirror = ConfigKey(
        "mirror", ConfigType<String>.path, otherwise: "none",
        help: "folder of Markdown files to sync with the notes", example: #""~/notes""#)

    static let name = ConfigKey(
        "name", .text, default: "me", help: "your name as the owner of notes that you share", example: #""lukasz""#)

    static let all: [any ConfigDeclaration] = [mirror, name]
}
