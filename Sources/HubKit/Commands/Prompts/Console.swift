/// The person at the terminal, as far as a command may turn to them. HubRuntime talks to the terminal; tests give a
/// script.
///
/// Commands use the questions of ``Input``, which handle `--yes` and the case without a terminal.
package protocol Console: Sendable {
    /// Whether questions can be asked: stdin is a terminal and `--no-input` is not given.
    var isInteractive: Bool { get }

    /// Whether a text can be opened in the user's editor.
    var canEdit: Bool { get }

    /// Whether results are shown on a terminal, not written to a pipe or a file.
    var isShown: Bool { get }

    /// Shows `prompt` and reads one line without its end; nil when the input has ended.
    func ask(_ prompt: String) async throws -> String?

    /// Like ``ask(_:)``, but what is typed is not shown.
    func askSecret(_ prompt: String) async throws -> String?

    /// Shows lines at once, on stderr, before the command has ended.
    func show(_ lines: [String]) async

    /// Opens `text` in the user's editor and returns the saved text; `suffix` is that of the file, such as `.txt`.
    func edit(_ text: String, suffix: String) async throws -> String

    /// The bytes of stdin in chunks, as they come.
    func standardInput() -> Output.ByteStream

    /// Opens a screen that fills the terminal; nil when there is none.
    func fullScreen() -> (any FullScreen)?

    /// Shows how far a long piece of work is, or takes the line away with nil. It may be called as often as one likes.
    func report(_ progress: Progress?)
}

extension Console {
    /// By default nil: there is no terminal.
    package func fullScreen() -> (any FullScreen)? { nil }
}

/// The progress of a long operation.
package struct Progress: Sendable, Equatable {
    /// The item being processed, such as `people.vcf`.
    package var label: String
    /// The amount done, in `unit`.
    package var completed: Int
    /// The total amount, in `unit`; nil while it is not known.
    package var total: Int?
    /// The unit of the amounts, such as `cards` or `kB`.
    package var unit: String

    package init(_ label: String, completed: Int, of total: Int? = nil, unit: String) {
        self.label = label
        self.completed = completed
        self.total = total
        self.unit = unit
    }
}
