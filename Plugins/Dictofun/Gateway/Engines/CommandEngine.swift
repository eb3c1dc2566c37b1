package import DictofunDomain
import Synchronization
import System

/// A command that transcribes a file: `whisper-cli` of whisper.cpp, or what the user configured.
///
/// Its text is what it writes to `{output}.json` as whisper.cpp does, else to `{output}.txt`, else to standard output.
package struct CommandEngine: TranscriptionEngine {
    /// The word by which it is chosen.
    package let name: String
    /// Its name with the model.
    package let label: String
    /// Whether its texts are too rough to be taken over by others.
    package let isRough = false
    /// Whether it sends the sound over the network.
    package let isRemote = false
    private let template: CommandTemplate
    private let model: String?

    /// The longest run.
    private static let limit = Duration.seconds(6 * 3600)

    /// Creates the engine of a command line with placeholders. `model` is a path or a name, as the command takes it.
    package init(name: String, template: CommandTemplate, model: String?) {
        self.name = name
        self.template = template
        self.model = model
        let file = model?.split(separator: "/").last.map(String.init)
        label = [name, file].compactMap(\.self).joined(separator: " ")
    }

    /// The arguments of whisper.cpp: its JSON has the times of words.
    package static let whisperArguments = "-m {model} -l {language} -ojf -of {output} -np -pp -f {file}"

    /// Transcribes the sound in `file`.
    package func transcribe(
        _ file: String, language: String?, scratch: String, progress: @escaping @Sendable (Double) -> Void
    ) async throws -> MachineTranscript {
        let words = template.arguments([
            .file: file, .language: language ?? "auto", .output: scratch, .model: model ?? "",
        ])
        let output = try await EngineProcess.run(words, limit: Self.limit, progress: progress)
        let written = try await BackgroundThread.run {
            [".json", ".txt"].map { try? BoundedFile.read(scratch + $0, limit: TranscriptionError.maximumSize) }
        }
        do throws(TranscriptionError) {
            if let bytes = written[0] { return try WhisperTranscript.read(bytes) }
            let bytes = written[1] ?? output
            let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            let phrases = lines.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
            return MachineTranscript(
                segments: phrases.filter { !$0.isEmpty }.map { MachineTranscript.Segment($0, nil) }, language: language)
        } catch {
            throw HubError(engine: label, error)
        }
    }
}

/// Runs the process of an engine.
enum EngineProcess {
    /// The exit status of a program that may succeed later (`EX_TEMPFAIL` of sysexits.h).
    private static let temporaryFailure: Int32 = 75

    /// Runs the words of a command and returns its output; `progress` gets the percentages that it writes to standard error. Throws
    /// `invalid` with its last lines when it fails, and `unavailable` when it may succeed later.
    static func run(
        _ words: [String], limit: Duration, name: String? = nil, progress: (@Sendable (Double) -> Void)? = nil
    ) async throws -> [UInt8] {
        guard let program = words.first else {
            throw HubError(.config, code: "engine-empty", "the engine has no command")
        }
        let name = name ?? program
        let finished: Subprocess.Finished
        let percentages = Mutex(EngineProgress())
        do throws(SubprocessError) {
            finished = try await Subprocess(program, Array(words.dropFirst()))
                .run(outputLimit: TranscriptionError.maximumSize, timeout: limit) { bytes in
                    if let share = percentages.withLock({ $0.read(bytes) }) { progress?(share) }
                }
        } catch {
            switch error {
            case .cancelled: throw CancellationError()
            case .notStarted:
                throw HubError(
                    .config, code: "engine-not-found", "the engine \(program) could not be started",
                    details: ["\(error)"],
                    hint: "hub dictofun engines list")
            case .timedOut, .tooMuchOutput:
                throw HubError(
                    .invalid, code: "engine-failed", "the engine \(name) was stopped", details: ["\(error)"])
            }
        }
        if finished.status.isSuccess { return finished.output }
        let written = String(decoding: finished.errorOutput, as: UTF8.self).split(whereSeparator: \.isNewline)
        let lines = written.filter { EngineProgress.percentage(in: $0.utf8) == nil }.suffix(3).map {
            TerminalSanitizer.line(String($0))
        }
        if finished.status == .exited(temporaryFailure) {
            throw HubError(
                .unavailable, code: "engine-not-ready", "the engine \(name) cannot work now", details: lines)
        }
        throw HubError(.invalid, code: "engine-failed", "the engine \(name) failed", details: lines)
    }
}

extension HubError {
    /// The error for output of an engine that is not a transcript.
    init(engine: String, _ error: TranscriptionError) {
        let reason =
            switch error {
            case .malformed(let reason): reason
            case .refused(let reason): TerminalSanitizer.line(reason)
            case .tooLong: "there is more than any record can hold"
            }
        self.init(.invalid, code: "engine-output", "unexpected output of \(engine)", details: [reason])
    }
}
