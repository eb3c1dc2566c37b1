import Audio
package import DictofunDomain
import System

extension DictofunPlugin {
    /// The engines, with what each lacks.
    package func listEngines() -> [EngineStatus] { engines.list() }

    /// The sentence that is spoken when an engine is tested without a sample.
    package static let testSentence = "please call the plumber about the boiler before monday morning"

    /// Measures an engine on a sentence that espeak-ng speaks, or on a record whose words the user gives.
    ///
    /// Throws `unavailable` when there is no espeak-ng.
    package func testEngine(
        _ name: String?, language: String? = nil
    ) async throws -> (engine: String, heard: String, measurement: EngineMeasurement) {
        let engine = try engines.engine(name)
        guard let speaker = programs.find("espeak-ng", "espeak") else {
            throw HubError(
                .unavailable, code: "no-speaker", "the sample is spoken by espeak-ng, which is not installed",
                hint: "apt install espeak-ng")
        }
        return try await sounds.withTemporaryFile("wav") { spoken in
            let words = ["-v", "en", "-s", "130", "-w", spoken, Self.testSentence]
            guard try await Subprocess(speaker, words).run(outputLimit: 1 << 16, timeout: .seconds(60)).status.isSuccess
            else {
                throw HubError(.unavailable, code: "no-speaker", "\(speaker) did not speak the sample")
            }
            return try await sounds.withTemporaryFile("wav") { sample in
                let duration = try await sounds.write(
                    spoken, .file("wav"), to: sample, as: .wav, sampleRate: Resampler.speechRate
                ).length
                let start = clock.monotonicNow
                let heard = try await sounds.removing(sample.dropLast(4) + ".json") {
                    try await engine.transcribe(sample, language: language ?? "en", scratch: String(sample.dropLast(4)))
                }
                let measurement = EngineMeasurement(
                    errors: WordErrorRate(heard: heard.text, spoken: Self.testSentence), duration: duration,
                    elapsed: clock.monotonicNow - start)
                return (engine.label, heard.text, measurement)
            }
        }
    }
}
