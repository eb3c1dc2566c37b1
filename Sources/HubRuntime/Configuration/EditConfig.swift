package import HubKit

/// Lets the user edit the config file. The text is checked when it is saved, and it is never lost: text that is not
/// saved in the end is kept next to the file.
package struct EditConfig: Sendable {
    /// The result of editing.
    package enum Outcome: Sendable, Equatable {
        case saved
        case unchanged
        /// The changes are not in force; the text is kept in this file.
        case dropped(keptIn: String)
    }

    /// The configuration to edit.
    package let manager: ConfigManager

    package init(manager: ConfigManager) { self.manager = manager }

    /// Opens the file, or a new one with every setting explained, until it is valid or the user gives up.
    package func callAsFunction(_ input: Input) async throws -> Outcome {
        let original = try manager.file.readIfPresent()
        // An unknown setting may have been there before; only one that was typed now is reported.
        let known = Set((original.map { manager.problems(in: $0.bytes) } ?? []).filter(\.isWarning).map(\.message))
        let start =
            original.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ConfigTemplate.text(for: manager.schema)
        var draft = start
        do {
            while true {
                draft = try await input.edit(draft, suffix: ".toml", option: "hub config set KEY VALUE")
                if draft == start { return .unchanged }
                let problems = manager.problems(in: Array(draft.utf8)).filter { problem in
                    !problem.isWarning || !known.contains(problem.message)
                }
                if problems.isEmpty { break }
                if try await !wantsToGoOn(problems, input) {
                    return .dropped(keptIn: try manager.file.keep(Array(draft.utf8), suffix: ".draft"))
                }
            }
            try manager.file.write(Array(draft.utf8), expecting: original)
            return .saved
        } catch var error as HubError where draft != start {
            let kept = try manager.file.keep(Array(draft.utf8), suffix: ".draft")
            error.details.append("your text is in \(kept)")
            throw error
        }
    }

    private func wantsToGoOn(_ problems: [ConfigProblem], _ input: Input) async throws -> Bool {
        let count = NumberFormat.counted(problems.count, "place needs", "places need")
        await input.console.show(
            ["error: not saved yet: \(count) a look"] + problems.flatMap(\.lines).map { "  " + $0 })
        let answer = try await input.choose(
            "Edit again, or drop the changes?", letters: ["e", "d"], option: "hub config set KEY VALUE")
        return answer == "e"
    }
}
