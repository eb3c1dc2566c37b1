/// Something said beside the result, on stderr: a count, a warning, what to type next.
package struct Note: Sendable, Equatable {
    /// How much it matters; `--quiet` keeps warnings only.
    package enum Level: String, Sendable {
        /// Goes with a table for a person only, such as the number of rows.
        case aside
        /// Is told in every form.
        case message
        /// Starts with `!`.
        case warning
    }

    /// How much it matters.
    package var level: Level
    /// A stable word for programs, such as `conflict-kept`; empty when there is nothing to tell apart.
    package var code: String
    /// What is said, in one line.
    package var text: String
    /// What to type next.
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
    package static func warning(_ text: String, code: String = "", hint: String? = nil) -> Note {
        Note(text, level: .warning, code: code, hint: hint)
    }
}
