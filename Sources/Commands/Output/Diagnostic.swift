/// Something said beside the result, on stderr: a count, a warning, what to type next.
package struct Diagnostic: Sendable, Equatable {
    /// The severity; `--quiet` keeps only warnings.
    package enum Level: String, Sendable {
        /// Accompanies a table on a terminal, such as the number of rows.
        case aside
        /// Is printed in every form.
        case message
        /// Starts with `!`.
        case warning
    }

    /// The severity.
    package var level: Level
    /// A stable code for programs, such as `conflict-kept`; may be empty.
    package var code: String
    /// The message, in one line.
    package var text: String
    /// The suggested next command.
    package var hint: String?
    /// Command lines that are worth a try, such as the first steps below an empty list.
    package var suggestions: [Example]

    package init(
        _ text: String, level: Level = .message, code: String = "", hint: String? = nil, suggestions: [Example] = []
    ) {
        self.level = level
        self.code = code
        self.text = text
        self.hint = hint
        self.suggestions = suggestions
    }

    /// A note that starts with `!` and that `--quiet` keeps.
    package static func warning(_ text: String, code: String = "", hint: String? = nil) -> Diagnostic {
        Diagnostic(text, level: .warning, code: code, hint: hint)
    }
}
