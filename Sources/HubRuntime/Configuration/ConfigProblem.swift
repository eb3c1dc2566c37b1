package import HubKit

/// A problem of the configuration.
package struct ConfigProblem: Sendable, Equatable {
    /// The source of the value: the path of the config file, an environment variable, or an option.
    package let source: String
    /// The line in the file, counted from 1; nil elsewhere.
    package let line: Int?
    /// The column in Unicode scalars, counted from 1; nil elsewhere.
    package let column: Int?
    /// The message, such as `unknown setting hub.regoin`.
    package let message: String
    /// The reason or a suggestion; may be empty.
    package let note: String
    /// The lines of the file with marks; empty elsewhere.
    package let excerpt: [String]
    /// Whether the rest of the configuration is still used, as with a setting that this version does not know.
    package var isWarning = false

    /// `file:line:column`, or the name of the source.
    package var place: String {
        [source, line.map(String.init), column.map(String.init)].compactMap(\.self).joined(separator: ":")
    }

    /// The message, with the note unless an excerpt shows it.
    var explanation: String { excerpt.isEmpty && !note.isEmpty ? "\(message): \(note)" : message }

    /// The lines that describe the problem below an error.
    package var lines: [String] { ["\(place)  \(explanation)"] + excerpt }
}

extension HubError {
    /// The maximum number of problems that are shown; the rest is counted.
    private static let shownProblems = 20

    /// Creates the error that reports all problems of the configuration at once; there is at least one.
    package init(
        _ problems: [ConfigProblem], hint: String = "fix the file with hub config edit"
    ) {
        var details = problems.prefix(Self.shownProblems).flatMap(\.lines)
        if problems.count > Self.shownProblems { details.append("and \(problems.count - Self.shownProblems) more") }
        let subject = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
        self.init(.config, code: "config-invalid", "the configuration has \(subject)", details: details, hint: hint)
    }
}
