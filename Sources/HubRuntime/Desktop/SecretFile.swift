import Glibc
import System

/// A secret in its own file, which must be private to the user.
enum SecretFile {
    private static let limit = 64 << 10

    /// The first line of the file at `path`.
    static func read(_ path: String) throws(HubError) -> String {
        let bytes: [UInt8]
        var exposure: String?
        do {
            bytes = try BoundedFile.read(path, limit: limit) { status throws(SystemError) in
                if status.st_uid != geteuid() {
                    exposure = "belongs to another user"
                } else if status.st_mode & 0o077 != 0 {
                    exposure = "can be read or changed by other users"
                }
                if exposure != nil { throw SystemError("", code: EPERM) }
            }
        } catch {
            let shown = TerminalSanitizer.line(path)
            if let exposure {
                throw HubError(
                    .denied, code: "secret-file-open", "the password file \(shown) \(exposure)",
                    details: ["it must belong to you and be accessible only to you (mode 0600)"],
                    hint: "chmod 600 \(ShellWords.quote(path))")
            }
            throw HubError(
                .unavailable, code: "secret-file-unreadable", "the password file \(shown) cannot be read",
                details: [error.description], cause: error)
        }
        guard let secret = SecretText.firstLine(of: bytes) else {
            throw HubError(.invalid, code: "secret-file-empty", "\(path) has an empty first line")
        }
        return secret
    }
}

/// A secret printed by a command of the user, such as `pass dav/posteo`.
enum SecretCommand {
    /// Long enough for a passphrase to be typed.
    private static let timeout = Duration.seconds(60)
    private static let outputLimit = 64 << 10

    /// The first line that `command` prints.
    static func read(_ command: String) async throws(HubError) -> String {
        let finished: Subprocess.Finished
        do {
            finished = try await Subprocess.shell(command).run(outputLimit: outputLimit, timeout: timeout)
        } catch {
            throw failure(command, error.description, cause: error)
        }
        guard finished.status.isSuccess else {
            let complaint = String(decoding: finished.errorOutput, as: UTF8.self)
            let lines = complaint.split(whereSeparator: \.isNewline).suffix(3)
            throw failure(command, lines.map { TerminalSanitizer.line(String($0)) }.joined(separator: "\n"), cause: nil)
        }
        guard let secret = SecretText.firstLine(of: finished.output) else {
            throw failure(command, "it printed no text", cause: nil)
        }
        return secret
    }

    private static func failure(_ command: String, _ reason: String, cause: (any Error)?) -> HubError {
        HubError(
            .unavailable, code: "secret-command-failed", "the command for the secret failed: \(command)",
            details: reason.isEmpty ? [] : reason.split(separator: "\n").map(String.init),
            hint: "run it in a terminal to see why", cause: cause)
    }
}

/// The text of a secret in what a program printed or a file holds.
enum SecretText {
    /// The first line without its end, which may be CR LF; nil when it is empty or not UTF-8.
    static func firstLine(of bytes: [UInt8]) -> String? {
        var line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return line.isEmpty ? nil : String(validating: line, as: UTF8.self)
    }
}
