package import Commands

/// The result of editing the config file.
package enum ConfigEditOutcome: Sendable, Equatable {
    case saved
    case unchanged
    /// The changes are not in force; the text is kept in this file.
    case dropped(keptIn: String)
}

extension ConfigManager {
    /// Opens the config file in the user's editor, or a new one with every setting explained, until it is valid or the user
    /// gives up.
    ///
    /// The text is checked when it is saved, and it is never lost: text that is not saved in the end is kept next to the file.
    package func edit(_ input: Input) async throws -> ConfigEditOutcome {
        let original = try file.readIfPresent()
        // An unknown setting may have been there before; only one that was typed now is reported.
        let known = Set((original.map { problems(in: $0.bytes) } ?? []).filter(\.isWarning).map(\.message))
        let start =
            original.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ConfigTemplate.text(for: schema)
        var draft = start
        do {
            while true {
                draft = try await input.edit(draft, suffix: ".toml", option: "hub config set KEY VALUE")
                if draft == start { return .unchanged }
                let problems = problems(in: Array(draft.utf8)).filter { problem in
                    !problem.isWarning || !known.contains(problem.message)
                }
                if problems.isEmpty { break }
                if try await !wantsToGoOn(problems, input) {
                    return .dropped(keptIn: try file.keep(Array(draft.utf8), suffix: ".draft"))
                }
            }
            try file.write(Array(draft.utf8), expecting: original)
            return .saved
        } catch var error as HubError where draft != start {
            let kept = try file.keep(Array(draft.utf8), suffix: ".draft")
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
