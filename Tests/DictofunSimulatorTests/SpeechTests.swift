import Audio
import DictofunDomain
import HubKit
import Storage
import TestSupport
import Testing

@testable import Dictofun

/// Spoken sentences, from the recorder's microphone to the text: espeak-ng speaks, the simulated recorder packs and sends, and a real
/// engine listens.
struct SpeechTests {
    /// The sentences that can be said, as the engine's grammar (JSGF) has them.
    private static let words: [[String]] = [
        ["call", "ask", "remind"], ["the plumber", "my sister", "the doctor"],
        ["about the boiler", "about the garden"],
        ["today", "tomorrow", "on monday"],
    ]
    private static let grammar =
        "#JSGF V1.0;\ngrammar notes;\npublic <note> = "
        + words.map { "( " + $0.joined(separator: " | ") + " )" }.joined(separator: " ") + ";\n"
    /// The share of words that the engine must hear.
    private static let floor = 0.6

    @Test func `spoken sentences of a recorder become searchable texts`() async throws {
        var generator = SeededGenerator(seed: 2026)
        let sentences = (0..<3).map { _ in
            Self.words.map { $0.randomElement(using: &generator) ?? $0[0] }.joined(separator: " ")
        }
        try await SyncTests.withRecorder(["--records", "0"] + sentences.flatMap { ["--speech", $0] }) { _, _, _, home in
            try await home.pair()
            let run = try await home.sync()
            try #require(run.records.count == sentences.count)
            let temporary = try TemporaryFolder()
            let grammar = try temporary.write(Self.grammar, to: "notes.gram")
            let engine = PocketsphinxEngine(program: "/usr/bin/pocketsphinx_continuous", grammar: grammar)
            var (spoken, missed) = (0, 0)
            for (record, sentence) in zip(run.records, sentences) {
                let wav = temporary.path + "/\(record.id).wav"
                let stored = try await home.dictofun.records.get(record.id)
                try await home.dictofun.writeSound(of: stored, to: wav, as: .wav, sampleRate: Resampler.speechRate)
                let heard = try await engine.transcribe(wav, language: "en", scratch: temporary.path + "/scratch")
                let errors = WordErrorRate(heard: heard.text, spoken: sentence)
                print("spoken: \(sentence)\n heard: \(heard.text)")
                (spoken, missed) = (spoken + errors.wordCount, missed + min(errors.errorCount, errors.wordCount))
                try await home.database.store(for: "dictofun").write(Operation("transcribe", kind: .cache)) { tx in
                    try tx.setTranscript(heard, engine: engine.label, isRough: true, of: record.id)
                    try tx.reindexRecords([record.id])
                }
            }
            let accuracy = 1 - Double(missed) / Double(spoken)
            #expect(accuracy >= Self.floor, "\(missed) of \(spoken) words missed")
            let first = try #require(
                try await home.dictofun.records.get(run.records[0].id).record.transcript.text.split(separator: " ")
                    .first)
            #expect(try await home.dictofun.searchRecords([String(first)], limit: 10).total > 0)
        }
    }
}
