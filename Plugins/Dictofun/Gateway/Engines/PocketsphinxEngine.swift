package import DictofunDomain
import System

/// The recognizer `pocketsphinx_continuous` of Debian, or `pocketsphinx` since version 5: it needs no network, knows English only, and
/// hears about every second word of free speech.
package struct PocketsphinxEngine: TranscriptionEngine {
    /// The word by which it is chosen.
    package let name = "pocketsphinx"
    /// Its name with the model.
    package let label = "pocketsphinx"
    /// Whether its texts are too rough to be taken over by others.
    package let isRough = true
    /// Whether it sends the sound over the network.
    package let isRemote = false
    private let program: String
    private let grammar: String?

    private static let limit = Duration.seconds(6 * 3600)

    /// Creates the engine. With the path of a `grammar` (JSGF) it only hears what the grammar allows.
    package init(program: String, grammar: String? = nil) {
        self.program = program
        self.grammar = grammar
    }

    /// Transcribes the sound in `file`.
    package func transcribe(
        _ file: String, language: String?, scratch: String, progress: @escaping @Sendable (Double) -> Void
    ) async throws -> MachineTranscript {
        if let language, language != "en", !language.hasPrefix("en-"), language != "auto" {
            throw HubError(
                .usage, code: "engine-language", "pocketsphinx supports only English, not \(language)",
                hint: "hub dictofun engines list shows others")
        }
        let options = grammar.map { ["-jsgf", $0] } ?? []
        let isContinuous = program.hasSuffix("_continuous")
        let words =
            isContinuous
            ? [program, "-infile", file, "-time", "yes", "-logfn", "/dev/null"] + options
            : [program] + options + ["live", file]
        let output = try await EngineProcess.run(words, limit: Self.limit)
        do throws(TranscriptionError) {
            return try isContinuous ? PocketsphinxTranscript.read(output) : PocketsphinxTranscript.read(json: output)
        } catch {
            throw HubError(engine: label, error)
        }
    }
}
