import System

/// The program that plays sound files: of PipeWire, PulseAudio or ALSA, whichever is there.
package struct Player: Sendable {
    /// The path of the program.
    package let program: String
    private let arguments: [String]

    private static let limit = Duration.seconds(24 * 3600)

    /// Finds the player; nil if there is none.
    package init?(_ programs: Programs) {
        let known = [
            ("pw-play", []), ("paplay", []), ("aplay", ["-q"]), ("ffplay", ["-nodisp", "-autoexit", "-v", "error"]),
        ]
        for (name, arguments) in known {
            guard let path = programs.find(name) else { continue }
            (program, self.arguments) = (path, arguments)
            return
        }
        return nil
    }

    /// Plays the WAV file at `path` to its end. Ends early when the task is cancelled.
    package func play(_ path: String) async throws {
        let finished: Subprocess.Finished
        do throws(SubprocessError) {
            finished = try await Subprocess(program, arguments + [path]).run(outputLimit: 1 << 16, timeout: Self.limit)
        } catch {
            if error == .cancelled { throw CancellationError() }
            throw failure("\(error)")
        }
        if finished.status.isSuccess { return }
        let lines = String(decoding: finished.errorOutput, as: UTF8.self).split(separator: "\n")
        throw failure(lines.last.map { TerminalSanitizer.line(String($0)) } ?? "it failed")
    }

    private func failure(_ reason: String) -> HubError {
        HubError(
            .unavailable, code: "player-failed", "\(program) could not play the record", details: [reason],
            hint: "check the sound device, or export the record: hub dictofun export SEL --as wav -o FILE")
    }
}
