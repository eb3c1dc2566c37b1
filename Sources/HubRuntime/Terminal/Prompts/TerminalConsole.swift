package import Commands
import Glibc

/// The person at the terminal of this process.
///
/// Questions go to stderr and answers come from stdin, line by line in the terminal's own editing mode, so Ctrl-C needs
/// no help from here. Reading happens on a thread of its own, never on the cooperative pool.
package struct TerminalConsole: Console {
    private let messages: any ByteSink
    private let progressLine: ProgressLine?
    private let editor: Editor
    private let glyphs: Glyphs
    private let palette: Palette

    /// Whether stdin is a terminal and `--no-input` is not given.
    package let isInteractive: Bool
    /// Whether stdout is a terminal.
    package let isShown: Bool

    /// Whether an editor can run, which needs the same terminal.
    package var canEdit: Bool { isInteractive }

    /// `progressLine` is nil when progress is not to be shown.
    package init(
        isInteractive: Bool, isShown: Bool = false, messages: any ByteSink, progressLine: ProgressLine?, editor: Editor,
        glyphs: Glyphs, palette: Palette = Palette(isColored: false)
    ) {
        self.isInteractive = isInteractive
        self.isShown = isShown
        self.messages = messages
        self.progressLine = progressLine
        self.editor = editor
        self.glyphs = glyphs
        self.palette = palette
    }

    /// Prints the prompt and reads a line; nil at the end of input.
    package func ask(_ prompt: String) async throws -> String? {
        progressLine?.clear()
        try? messages.write(Array(glyphs.adapt(TerminalSanitizer.line(prompt)).utf8))
        return await read { InputLine.read(from: STDIN_FILENO) }
    }

    /// Prints the prompt and reads a line without echo; nil at the end of input.
    package func askSecret(_ prompt: String) async throws -> String? {
        progressLine?.clear()
        let prompt = Array(glyphs.adapt(TerminalSanitizer.line(prompt)).utf8)
        let secret = await read { [messages] in
            SecretLine.read(from: STDIN_FILENO) { try? messages.write(prompt) }
        }
        try? messages.write([UInt8(ascii: "\n")])
        return secret
    }

    /// Returns the result of `line`; nil also when no thread can be started.
    private func read(_ line: @escaping @Sendable () -> String?) async -> String? {
        try? await BackgroundThread.run { () throws(SystemError) in
            line()
        } whenRefused: {
            $0
        }
    }

    /// Prints lines on stderr.
    package func show(_ lines: [String]) async {
        progressLine?.clear()
        let text = lines.map { glyphs.adapt(TerminalSanitizer.line($0)) + "\n" }.joined()
        try? messages.write(Array(text.utf8))
    }

    /// Opens `text` in the user's editor and returns the saved text.
    package func edit(_ text: String, suffix: String, onChange: EditedText?) async throws -> String {
        progressLine?.clear()
        return try await editor.edit(text, suffix: suffix, onChange: onChange)
    }

    /// Returns the bytes of standard input in chunks.
    package func standardInput() -> Output.ByteStream { DescriptorStream(STDIN_FILENO) }

    /// Whether stdin is a file that does not end here, or a pipe with something in it.
    package var hasInput: Bool {
        var status = stat()
        guard fstat(STDIN_FILENO, &status) == 0 else { return false }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return lseek(STDIN_FILENO, 0, SEEK_CUR) < status.st_size
        case S_IFIFO:
            var wait = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            return poll(&wait, 1, 0) == 1 && wait.revents & Int16(POLLIN) != 0
        default: return false
        }
    }

    /// Opens the alternate screen of the terminal.
    package func fullScreen() -> (any FullScreen)? {
        guard isInteractive, isShown else { return nil }
        progressLine?.clear()
        let screen = TerminalScreen(output: DescriptorSink.standardOutput, palette: palette, glyphs: glyphs)
        guard let screen, screen.start() else { return nil }
        return screen
    }

    /// Updates the progress line; nil removes it.
    package func report(_ progress: Progress?) { progressLine?.show(progress) }

    /// Shows that `name` is waited for when there is no progress for some seconds.
    package func wait(for name: String) { progressLine?.wait(for: name) }
}
