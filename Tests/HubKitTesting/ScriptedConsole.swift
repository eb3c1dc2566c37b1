package import Commands
import Synchronization

/// Plays the user in tests: answers in order, edits with a closure, and records what was shown.
package final class ScriptedConsole: Console {
    private struct State {
        var answers: [String]
        var transcript: [String] = []
        var progress: [Progress] = []
    }

    private let state: Mutex<State>
    private let input: [UInt8]
    private let editor: @Sendable (String) throws -> String
    private let saves: [@Sendable (String) throws -> String]

    /// Whether questions are answered from the script.
    package let isInteractive: Bool
    /// Whether `edit(_:suffix:)` may be called.
    package let canEdit: Bool
    /// Whether output goes to a terminal.
    package let isShown: Bool

    /// Without `answers`, no question can be asked, as in a pipe; without both `answers` and `editor`, no text can be
    /// edited. `saves` are the texts that an editor saves one after the other, each made of the file as it is then.
    package init(
        answers: [String]? = nil, input: [UInt8] = [], isShown: Bool = true,
        editor: (@Sendable (String) throws -> String)? = nil,
        saves: [@Sendable (String) throws -> String] = []
    ) {
        isInteractive = answers != nil
        canEdit = answers != nil || editor != nil || !saves.isEmpty
        self.isShown = isShown
        state = Mutex(State(answers: answers ?? []))
        self.input = input
        self.editor = editor ?? { $0 }
        self.saves = saves
    }

    /// The lines and questions so far, each question followed by its answer.
    package var transcript: [String] { state.withLock(\.transcript) }

    /// The progress that was reported so far.
    package var progress: [Progress] { state.withLock(\.progress) }

    /// Records the prompt and returns the next answer of the script; nil at its end.
    package func ask(_ prompt: String) async throws -> String? {
        state.withLock { state in
            let answer = state.answers.isEmpty ? nil : state.answers.removeFirst()
            state.transcript.append(prompt + (answer ?? ""))
            return answer
        }
    }

    /// Returns the next answer of the script, like ``ask(_:)``.
    package func askSecret(_ prompt: String) async throws -> String? { try await ask(prompt) }

    /// Records the lines in the transcript.
    package func show(_ lines: [String]) async { state.withLock { $0.transcript += lines } }

    /// Returns the text that the scripted editor makes of `text`.
    package func edit(_ text: String, suffix: String, onChange: EditedText?) async throws -> String {
        guard let onChange else { return try editor(text) }
        var text = text
        for save in saves.isEmpty ? [editor] : saves { text = try await onChange(save(text)) }
        return text
    }

    /// Whether there is scripted standard input.
    package var hasInput: Bool { !input.isEmpty }

    /// Returns the scripted standard input as one chunk.
    package func standardInput() -> Output.ByteStream {
        AsyncThrowingStream { [input] continuation in
            if !input.isEmpty { continuation.yield(input) }
            continuation.finish()
        }
    }

    /// Records the progress.
    package func report(_ progress: Progress?) {
        guard let progress else { return }
        state.withLock { $0.progress.append(progress) }
    }
}
