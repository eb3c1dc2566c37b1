/// What the user's text in the editor means.
package enum EditorReading<Value: Sendable>: Sendable {
    /// All of it is valid.
    case valid(Value)
    /// Some lines are not valid.
    case invalid([EditorProblem])
}

/// A line in the editor that is not valid.
package struct EditorProblem: Sendable {
    /// The line with the invalid part marked; empty if the problem is in no single line.
    package let excerpt: [String]
    /// The suggested input, if known.
    package let hint: String?

    package init(_ excerpt: [String], hint: String? = nil) {
        self.excerpt = excerpt
        self.hint = hint
    }
}

extension Input {
    /// Lets the user edit `text` until it is valid or dropped, and returns what it means; nil if nothing was changed or
    /// the changes were dropped.
    ///
    /// Invalid lines are shown, and the editor opens again with the same text. `readingRest` reads the text without
    /// them, if it may be saved so. `option` is the alternative for scripts, named in the error without a terminal.
    package func edited<Value: Sendable>(
        _ text: String, suffix: String, option: String, read: (String) throws -> EditorReading<Value>,
        readingRest: ((String) throws -> EditorReading<Value>)? = nil
    ) async throws -> Value? {
        var current = text
        while true {
            current = try await edit(current, suffix: suffix, option: option)
            if current == text || current.allSatisfy(\.isWhitespace) { return nil }
            let problems: [EditorProblem]
            switch try read(current) {
            case .valid(let value): return value
            case .invalid(let found): problems = found
            }
            await console.show(Self.complaint(problems))
            let lines = problems.count == 1 ? "this line" : "these lines"
            let saving = readingRest == nil ? "" : "save without \(lines), "
            let letters: [Character] = readingRest == nil ? ["e", "d"] : ["e", "s", "d"]
            switch try await choose(
                "Edit again, \(saving)or drop all changes?", letters: letters, option: option)
            {
            case "s":
                switch try readingRest?(current) {
                case .valid(let value)?: return value
                case .invalid(let problems)?: await console.show(Self.complaint(problems))
                case nil: break
                }
            case "d": return nil
            default: break
            }
        }
    }

    private static func complaint(_ problems: [EditorProblem]) -> [String] {
        let count = NumberFormat.counted(problems.count, "line needs", "lines need")
        return ["error: not saved yet: \(count) a look"]
            + problems.flatMap { problem in
                problem.excerpt.map { "  " + $0 } + [problem.hint].compactMap(\.self).map { "  hint: \($0)" }
            }
    }
}
