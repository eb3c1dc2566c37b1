import Glibc
import HubKit

/// The person's editor: `$VISUAL`, `$EDITOR`, or the first one of the usual editors that is there.
package struct Editor: Sendable {
    private let command: String?
    private let temporaryDirectory: String

    /// The editor that `environment` names; nil when there is none at all.
    package init(environment: [String: String]) {
        let named = ["VISUAL", "EDITOR"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        command = named ?? ExecutablePath.first(of: Editor.usual, in: environment)
        temporaryDirectory =
            ["XDG_RUNTIME_DIR", "TMPDIR"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "/tmp"
    }

    /// Opens `text` in a file that only the person can read, waits for the editor, and returns what was saved.
    package func edit(_ text: String, suffix: String) async throws -> String {
        guard let command else {
            throw HubError(
                .usage, code: "no-editor", "there is no editor",
                hint: "name one with EDITOR, or change values with set")
        }
        let path = try Editor.makeFile(text, in: temporaryDirectory, suffix: suffix)
        let status: Subprocess.Status
        do throws(SubprocessError) {
            status = try await Subprocess.shell("\(command) \(ShellWords.quote(path))").runOnTerminal()
        } catch {
            throw Editor.failure("\(error)", path: path, cause: error)
        }
        guard status.isSuccess else { throw Editor.failure(Editor.reason(status), path: path, cause: nil) }
        do throws(SystemError) {
            let bytes = try SmallFile.read(path, limit: Editor.limit)
            unlink(path)
            return String(decoding: bytes, as: UTF8.self)
        } catch {
            throw Editor.failure("what it saved cannot be read", path: path, cause: error)
        }
    }

    /// The most bytes of a text that comes out of an editor.
    private static let limit = 32 << 20

    private static let usual = ["sensible-editor", "editor", "nano", "vim", "vi"]

    private static func reason(_ status: Subprocess.Status) -> String {
        switch status {
        case .exited(127): "there is no such program"
        case .exited(let code): "it ended with status \(code)"
        case .signalled(let number): "signal \(number) ended it"
        }
    }

    private static func failure(_ reason: String, path: String, cause: (any Error)?) -> HubError {
        HubError(
            .usage, code: "editor-failed", "the editor did not do its work: \(reason)",
            details: ["the text as it was saved last: \(path)"], hint: "set EDITOR to one that works here", cause: cause
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
