package import DictofunDomain
import System

/// The recognizer `pocketsphinx_continuous` of Debian: it needs no model of its own and no network, knows English only, and hears
/// about every second word of free speech.
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
    package func transcribe(_ file: String, language: String?, scratch: String) async throws -> MachineTranscript {
        if let language, language != "en", !language.hasPrefix("en-"), language != "auto" {
            throw HubError(
                .usage, code: "engine-language", "pocketsphinx supports only English, not \(language)",
                hint: "hub dictofun engines list shows others")
        }
        let words =
            [program, "-infile", file, "-time", "yes", "-logfn", "/dev/null"] + (grammar.map { ["-jsgf", $0] } ?? [])
        let output = try await EngineProcess.run(words, limit: Self.limit)
        do throws(TranscriptionError) {
            return try PocketsphinxTranscript.read(output)
        } catch {
            throw HubError(engine: label, error)
        }
    }
}
