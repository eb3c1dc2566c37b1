import HubKit

/// The settings under `plugins.notes`.
enum NotesKeys {
    static let mirror = ConfigKey(
        "mirror", ConfigType<String>.path, otherwise: "none",
        help: "folder of Markdown files to sync with the notes", example: #""~/notes""#)

    static let all: [any ConfigDeclaration] = [mirror]
}
