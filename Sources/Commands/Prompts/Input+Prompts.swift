extension Input {
    /// Asks `question`, which ends in `?`, and takes y or n; with `--yes` the answer is yes.
    ///
    /// Throws a usage error when there is no terminal; `consequence` completes its message, such as "3 contacts would
    /// be removed".
    package func confirm(_ question: String, consequence: String) async throws -> Bool {
        if yes { return true }
        guard console.isInteractive else {
            throw HubError(
                .usage, code: "confirmation-needed", "confirmation needed: \(consequence); nothing was changed",
                hint: "use --yes to confirm, or --dry-run to see the plan")
        }
        while let answer = try await console.ask(question + " [y/N] ") {
            switch answer.lowercased() {
            case "y", "yes": return true
            case "", "n", "no": return false
            default: await console.show(["Type y or n."])
            }
        }
        return false
    }

    /// Asks for one of `letters` and returns it; Return or the end of input selects the first one.
    ///
    /// `question` is followed by the letters, the first in upper case: `[E/s/d]`. `option` is the alternative for
    /// scripts, named in the error when there is no terminal.
    package func choose(_ question: String, letters: [Character], option: String) async throws -> Character {
        guard let first = letters.first else { preconditionFailure("a question has at least one answer") }
        guard console.isInteractive else { throw Input.noAnswer(to: question, option: option) }
        let shown = ([first.uppercased()] + letters.dropFirst().map(String.init)).joined(separator: "/")
        while let answer = try await console.ask("\(question) [\(shown)] ") {
            let letter = answer.lowercased().first ?? first
            if letters.contains(letter) { return letter }
            await console.show(["Type one of \(shown)."])
        }
        return first
    }

    /// Asks for the number of one of several items that `word` matches.
    ///
    /// Without a terminal, the candidates are the details of a usage error. `noun` is the plural: `contacts`.
    package func pick(_ candidates: [Candidate], named word: String, noun: String) async throws -> Candidate {
        guard console.isInteractive else { throw HubError.ambiguous(candidates, named: word, noun: noun) }
        await console.show(
            ["\"\(word)\" matches \(candidates.count) \(noun):"] + Candidate.lines(candidates, numbered: true))
        while let answer = try await console.ask("Which one? [1-\(candidates.count)] ") {
            if let number = Int(answer), candidates.indices.contains(number - 1) { return candidates[number - 1] }
            if let candidate = candidates.first(where: { $0.id == answer }) { return candidate }
            if answer.isEmpty { break }
            await console.show(["Type a number from 1 to \(candidates.count), or Return for none."])
        }
        throw HubError.ambiguous(candidates, named: word, noun: noun)
    }

    /// Opens `text` in the user's editor; `option` is the alternative for scripts, named in the error when there is
    /// no terminal for an editor or `--no-input` is given. With `onChange` the file is shared while it is open.
    package func edit(
        _ text: String, suffix: String, option: String, onChange: EditedText? = nil
    ) async throws -> String {
        guard console.canEdit else {
            throw HubError(
                .usage, code: "editor-needs-terminal", "the editor needs a terminal; nothing was changed",
                hint: "without an editor: \(option)")
        }
        return try await console.edit(text, suffix: suffix, onChange: onChange)
    }

    private static func noAnswer(to question: String, option: String) -> HubError {
        HubError(
            .usage, code: "answer-needed", "there is no terminal to ask \"\(question)\"; nothing was changed",
            hint: "answer with \(option)")
    }
}
