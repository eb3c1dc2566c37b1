import HubKit

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
