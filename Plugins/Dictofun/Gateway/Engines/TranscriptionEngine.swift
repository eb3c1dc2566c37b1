package import DictofunDomain

/// A program or a service that turns speech into text.
package protocol TranscriptionEngine: Sendable {
    /// The word by which it is chosen, such as `whisper`.
    var name: String { get }
    /// The name that is kept with its texts, with the model: `whisper base.en`.
    var label: String { get }
    /// Whether its texts are too rough to be taken over by others, such as notes.
    var isRough: Bool { get }
    /// Whether it sends the sound over the network.
    var isRemote: Bool { get }

    /// Transcribes the sound in `file`, a WAV file of 16 kHz. `language` is a code such as `en`; nil lets it decide.
    ///
    /// `scratch` is the beginning of names of files that it may make; the caller removes them. Throws `busy` or `unavailable`
    /// for what may be different later. `progress` gets the finished share, 0...1, from engines that know it.
    func transcribe(
        _ file: String, language: String?, scratch: String, progress: @escaping @Sendable (Double) -> Void
    ) async throws -> MachineTranscript
}

extension TranscriptionEngine {
    /// Transcribes the sound in `file`, of which no progress is shown.
    package func transcribe(_ file: String, language: String?, scratch: String) async throws -> MachineTranscript {
        try await transcribe(file, language: language, scratch: scratch) { _ in }
    }
}
