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
    ///
    /// With `onChange`, the file is shared while it is open: each text that is saved is passed on, from time to time also
    /// the one that is there, and the file gets the text that is returned. The last one is returned here.
    func edit(_ text: String, suffix: String, onChange: EditedText?) async throws -> String

    /// The bytes of stdin in chunks, as they come.
    func standardInput() -> Output.ByteStream

    /// Whether stdin is a file or a pipe with something in it that was not read.
    var hasInput: Bool { get }

    /// Opens a screen that fills the terminal; nil when there is none.
    func fullScreen() -> (any FullScreen)?

    /// Shows how far a long piece of work is, or takes the line away with nil. It may be called as often as one likes.
    func report(_ progress: Progress?)

    /// Shows after some seconds without progress that `name`, such as a server, is waited for. It ends when the progress is
    /// taken away, or lines are shown or asked for.
    func wait(for name: String)
}

/// Takes the text of a file that is open in an editor, and returns the text that the file is to have.
package typealias EditedText = @Sendable (String) async throws -> String

extension Console {
    /// By default false: nothing is known of stdin.
    package var hasInput: Bool { false }

    /// By default nothing is shown.
    package func wait(for name: String) {}

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

/// One of several items that a selector matches.
package struct Candidate: Sendable, Equatable {
    /// Its id, as short as it is unique.
    package let id: String
    /// The name that the user knows it by.
    package let name: String

    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }

    /// The maximum number of candidates that are shown; the rest is counted.
    static let shown = 20

    /// The lines that list them, with numbers to choose by.
    package static func lines(_ candidates: [Candidate], numbered: Bool) -> [String] {
        let width = String(candidates.count).count
        let idWidth = candidates.map(\.id.count).max() ?? 0
        return candidates.enumerated().map { index, candidate in
            let prefix = numbered ? String(index + 1).leftPadded(to: width) + "  " : ""
            return "  \(prefix)\(candidate.id.padded(to: idWidth))  \(candidate.name)"
        }
    }
}

extension HubError {
    /// Returns the error for a selector that matches several items when there is no terminal to ask on.
    package static func ambiguous(_ candidates: [Candidate], named word: String, noun: String) -> HubError {
        var details = Candidate.lines(Array(candidates.prefix(Candidate.shown)), numbered: false).map {
            String($0.dropFirst(2))
        }
        if candidates.count > Candidate.shown { details.append("and \(candidates.count - Candidate.shown) more") }
        return HubError(
            .usage, code: "ambiguous", "\"\(word)\" matches \(candidates.count) \(noun)", details: details,
            hint: candidates.first.map { "use an id, such as \($0.id)" })
    }
}
