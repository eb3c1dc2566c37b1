/// The person at the terminal, as far as a command may turn to them. HubRuntime talks to the terminal; tests give a
/// script.
///
/// Commands call the questions of ``Input``, which know `--yes` and what to do when there is nobody to ask.
package protocol Interaction: Sendable {
    /// Whether a person can be asked: stdin is a terminal and `--no-input` is not given.
    var canAsk: Bool { get }

    /// Whether a text can be opened in the person's editor.
    var canEdit: Bool { get }

    /// Whether results go to a person's eyes, not into a pipe or a file.
    var isShown: Bool { get }

    /// Shows `prompt` and reads one line without its end; nil when the input has ended.
    func ask(_ prompt: String) async throws -> String?

    /// Like ``ask(_:)``, but what is typed is not shown.
    func askSecret(_ prompt: String) async throws -> String?

    /// Shows lines at once, on stderr, before the command has ended.
    func show(_ lines: [String]) async

    /// Opens `text` in the person's editor and returns it as it was saved; `suffix` names the kind of text: `.txt`.
    func edit(_ text: String, suffix: String) async throws -> String

    /// The bytes of stdin in chunks, as they come.
    func standardInput() -> Output.ByteStream

    /// Shows how far a long piece of work is, or takes the line away with nil. It may be called as often as one likes.
    func report(_ progress: Progress?)
}

/// How far a long piece of work is.
package struct Progress: Sendable, Equatable {
    /// What is worked on, such as `people.vcf`.
    package var label: String
    /// How much is done, in `unit`.
    package var completed: Int
    /// How much there is to do, in `unit`; nil while that is not known.
    package var total: Int?
    /// What is counted, such as `cards` or `kB`.
    package var unit: String

    package init(_ label: String, completed: Int, of total: Int? = nil, unit: String) {
        self.label = label
        self.completed = completed
        self.total = total
        self.unit = unit
    }
}
