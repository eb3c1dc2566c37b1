package import HubKit

/// One thing that is wrong with the configuration.
package struct ConfigProblem: Sendable, Equatable {
    /// Where it is wrong: the config file's path, an environment variable, or an option.
    package let source: String
    /// The line in the file, counted from 1; nil elsewhere.
    package let line: Int?
    /// The column in Unicode scalars, counted from 1; nil elsewhere.
    package let column: Int?
    /// What is wrong: `unknown setting hub.regoin`.
    package let message: String
    /// Why, or what was probably meant; empty when the message says it all.
    package let note: String
    /// The lines of the file with marks; empty elsewhere.
    package let excerpt: [String]
    /// Whether all else counts nevertheless: a setting that hub does not know, as an older or a newer one may have.
    package var isWarning = false

    /// `file:line:column`, or the name of the source.
    package var place: String {
        [source, line.map(String.init), column.map(String.init)].compactMap(\.self).joined(separator: ":")
    }

    /// The message, with the note unless an excerpt shows it.
    var explanation: String { excerpt.isEmpty && !note.isEmpty ? "\(message): \(note)" : message }

    /// The problem as it stands below an error.
    package var lines: [String] { ["\(place)  \(explanation)"] + excerpt }
}

extension HubError {
    /// How many problems are shown before the rest is only counted.
    private static let shownProblems = 20

    /// The error that tells all problems of the configuration at once; there is at least one.
    package init(
        _ problems: [ConfigProblem], hint: String = "hub config edit opens the file; all else works once it is mended"
    ) {
        var details = problems.prefix(Self.shownProblems).flatMap(\.lines)
        if problems.count > Self.shownProblems { details.append("and \(problems.count - Self.shownProblems) more") }
        let subject = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
        self.init(.config, code: "config-invalid", "the configuration has \(subject)", details: details, hint: hint)
    }
}
