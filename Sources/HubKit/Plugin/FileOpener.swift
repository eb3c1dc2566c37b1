/// Files that a plugin imports when a person opens them with hub, in a file manager or by `hub open`.
package struct FileOpener: Sendable {
    /// The extensions of the names of the files, in lower case and without a dot.
    package let extensions: Set<String>
    /// The words after the plugin's id of the command that imports such files, which knows `--dry-run`.
    package let command: [String]

    package init(_ extensions: Set<String>, command: String...) {
        self.extensions = extensions
        self.command = command
    }
}
