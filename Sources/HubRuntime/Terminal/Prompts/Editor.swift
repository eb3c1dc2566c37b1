package import Commands
import Glibc

/// The user's editor: `$VISUAL`, `$EDITOR`, or the first of the usual editors that is installed.
package struct Editor: Sendable {
    private let command: String?
    private let temporaryDirectory: String

    /// Creates the editor that `environment` names; without one, ``edit(_:suffix:)`` throws.
    package init(environment: [String: String]) {
        let named = ["VISUAL", "EDITOR"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        command = named ?? ExecutablePath.first(of: Editor.usual, in: environment)
        temporaryDirectory =
            ["XDG_RUNTIME_DIR", "TMPDIR"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "/tmp"
    }

    /// Opens `text` in a file that only the user can read, waits for the editor to exit, and returns the saved text.
    ///
    /// With `onChange`, the file is exchanged with it every second, and once more at the end; the result is its last text.
    package func edit(_ text: String, suffix: String, onChange: EditedText? = nil) async throws -> String {
        guard let command else {
            throw HubError(
                .usage, code: "no-editor", "no editor found",
                hint: "set EDITOR to an editor, or change values with set")
        }
        let path = try Editor.makeFile(text, in: temporaryDirectory, suffix: suffix)
        let sharing = onChange.map { onChange in Task { await SharedFile(path, onChange).exchangeUntilCancelled() } }
        let status: Subprocess.Status
        defer { sharing?.cancel() }
        do throws(SubprocessError) {
            status = try await Subprocess.shell("\(command) \(ShellWords.quote(path))").runOnTerminal()
        } catch {
            throw Editor.failure("\(error)", path: path, cause: error)
        }
        sharing?.cancel()
        await sharing?.value
        guard status.isSuccess else { throw Editor.failure(Editor.reason(status), path: path, cause: nil) }
        if let onChange {
            do {
                let text = try await SharedFile(path, onChange).exchange()
                unlink(path)
                return text
            } catch {
                throw Editor.failure("the saved text could not be stored", path: path, cause: error)
            }
        }
        do {
            let bytes = try await BackgroundThread.run { try BoundedFile.read(path, limit: Editor.limit) }
            unlink(path)
            return String(decoding: bytes, as: UTF8.self)
        } catch {
            throw Editor.failure("cannot read the saved file", path: path, cause: error)
        }
    }

    /// The maximum size of an edited text in bytes.
    static let limit = 32 << 20

    private static let usual = ["sensible-editor", "editor", "nano", "vim", "vi"]

    private static func reason(_ status: Subprocess.Status) -> String {
        switch status {
        case .exited(127): "program not found"
        case .exited(let code): "exit status \(code)"
        case .signalled(let number): "killed by signal \(number)"
        }
    }

    private static func failure(_ reason: String, path: String, cause: (any Error)?) -> HubError {
        HubError(
            .usage, code: "editor-failed", "the editor failed: \(reason); nothing was changed",
            details: ["your text is in \(path)"], hint: "set EDITOR to a program that runs in this terminal",
            cause: cause
        )
    }

    private static func makeFile(_ text: String, in folder: String, suffix: String) throws -> String {
        let path = "\(folder)/hub-\(Identifier.make())\(suffix)"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw AtomicFile.failure(path, errno) }
        defer { close(descriptor) }
        do throws(SinkError) {
            try DescriptorSink(descriptor).write(Array(text.utf8))
        } catch {
            throw AtomicFile.failure(path, errno)
        }
        return path
    }
}
