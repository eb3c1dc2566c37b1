import Audio
import CivilDate
import Commands
import DictofunDomain
import Glibc
package import HubKit
import Storage

/// The voice records of `hub demo`.
package enum DemoRecords {
    /// Records with sounds like a voice behind a wall, which are computed, and with the texts that an engine would have heard.
    package static let declaration = DemoDeclaration(
        settings: ["transcribe = false"], idleServices: ["inbox", "recorder"]
    ) { year in
        memos.enumerated().map { number, memo in
            var random = year.random("record \(number)")
            let sentences = memo.text.split(separator: "|").map(String.init)
            let sound = sound(sentences, &random)
            return year.step(daysAgo: memo.daysAgo, memo.time) { (dictofun: DictofunPlugin) in
                try await dictofun.addDemo(memo.title, sentences, sound)
            }
        }
    }

    fileprivate static let sampleRate = 8000
    /// The samples for a character: some 15 characters are spoken in a second.
    fileprivate static let samplesForCharacter = sampleRate / 15

    /// Returns the samples of sentences: for each a tone with formant-like overtones that swells with its syllables.
    private static func sound(_ sentences: [String], _ random: inout DemoRandom) -> [Int16] {
        var samples: [Int16] = []
        for sentence in sentences {
            let pitch = 120.0 + Double.random(in: 0..<60, using: &random)
            let syllable = Double(sampleRate) / Double.random(in: 4..<6, using: &random)
            for position in 0..<sentence.count * samplesForCharacter {
                let phase = Double(position) / Double(sampleRate) * pitch * 2 * .pi
                let loudness = 0.5 - 0.5 * cos(Double(position) / syllable * 2 * .pi)
                let wave = sin(phase) * 0.6 + sin(phase * 4.1) * 0.3 + Double.random(in: -0.1...0.1, using: &random)
                samples.append(Int16(wave * loudness * 9000))
            }
            samples += Array(repeating: 0, count: sampleRate / 4)
        }
        return samples
    }

    /// A record; bars part the sentences of its text.
    private struct Memo {
        let title: String
        let daysAgo: Int
        let time: String
        let text: String
    }

    private static let memos = [
        Memo(
            title: "Plumber", daysAgo: 0, time: "07:41",
            text: "Call the plumber about the boiler before Monday.|He should bring the long wrench this time."),
        Memo(
            title: "Idea for the shelf", daysAgo: 1, time: "18:05",
            text: "The shelf could hang from the beam.|Two ropes and a plank would do, no screws in the wall."),
        Memo(
            title: "Choir, second piece", daysAgo: 4, time: "21:50",
            text: "Altos breathe before the third bar, not after it.|Tell Ines that the ending is too fast."),
        Memo(
            title: "Dream", daysAgo: 9, time: "06:20",
            text: "I was on the ferry and it was made of paper.|Ruth steered, and no one was worried."),
        Memo(
            title: "Shopping on the way", daysAgo: 13, time: "16:30", text: "Coffee, lentils, and a lamp for the hall."),
        Memo(
            title: "After the talk with the landlord", daysAgo: 15, time: "16:20",
            text: "The rent stays as it is until spring.|He will send a fitter for the boiler next week."),
        Memo(
            title: "Letter to Ruth", daysAgo: 24, time: "20:11",
            text: "Dear Ruth, the plums have arrived, and most of them whole.|I made jam of the others."),
        Memo(
            title: "Harbour sounds", daysAgo: 38, time: "11:02",
            text: "That is the bell of the old pilot boat.|They ring it when the fog comes in."),
        Memo(
            title: "Route for Sunday", daysAgo: 47, time: "19:33",
            text: "To the lighthouse, then along the dyke, and back over Chapel Hill.|Twelve kilometres, I hope."),
        Memo(
            title: "Recipe from Lena", daysAgo: 72, time: "13:12",
            text: "Fry the onion slowly, twenty minutes at least.|The cumin comes last."),
        Memo(
            title: "Meeting notes", daysAgo: 95, time: "10:45",
            text:
                "Tidal Works wants the drawings in March.|Jonas takes the north side, I take the rest.|Next meeting in two weeks."
        ),
        Memo(
            title: "Birthday present for Jonas", daysAgo: 128, time: "17:55",
            text: "Something for the garden, or the book on bridges."),
        Memo(
            title: "On the cliffs", daysAgo: 166, time: "15:08",
            text: "It is windy, you will not hear much of this.|There are puffins below, at least thirty."),
        Memo(
            title: "Number plate", daysAgo: 201, time: "08:58", text: "The grey van was there again this morning."),
        Memo(
            title: "Verse", daysAgo: 251, time: "23:12",
            text: "The tide returns the bottle, not the letter.|The tide forgets the letter, not the sea."),
        Memo(
            title: "First try", daysAgo: 352, time: "19:59",
            text: "Is this on?|This is a test of the recorder."),
    ]
}

extension DictofunPlugin {
    /// Imports a sound as a file of this name, and stores what an engine has heard in it.
    fileprivate func addDemo(_ title: String, _ sentences: [String], _ samples: [Int16]) async throws {
        let imported = try await sounds.withTemporaryFile("wav") { path in
            try await write(samples, to: path, changedAt: clock.now)
            return try await importFile(
                path, name: title + ".wav",
                operation: Operation(
                    "dictofun import", commandLine: "dictofun import \(ShellWords.quote(title + ".wav"))"))
        }
        let heard = transcript(sentences)
        try await store.write(Operation("dictofun transcribe", who: .service("transcription"), kind: .cache)) { tx in
            try tx.setTranscript(heard, engine: "invented", isRough: false, of: imported.id)
            try tx.reindexRecords([imported.id])
        }
    }

    private func write(_ samples: [Int16], to path: String, changedAt time: Instant) async throws {
        let writer = WAVWriter(sampleRate: DemoRecords.sampleRate)
        let bytes = try writer.header(sampleCount: samples.count) + writer.bytes(of: samples)
        try await BackgroundThread.run {
            guard let file = fopen(path, "wx") else { throw SystemError("open \(path)") }
            let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
            guard fclose(file) == 0, isWritten else { throw SystemError("write \(path)") }
            let seconds = timespec(tv_sec: Int(time.milliseconds / 1000), tv_nsec: 0)
            // The time at which the record began.
            guard utimensat(AT_FDCWD, path, [seconds, seconds], 0) == 0 else { throw SystemError("utimensat \(path)") }
        }
    }

    private func transcript(_ sentences: [String]) -> MachineTranscript {
        var start = 0
        let segments = sentences.map { sentence in
            let character = DemoRecords.samplesForCharacter * 1000 / DemoRecords.sampleRate
            let end = start + sentence.count * character
            var position = start
            let words = sentence.split(separator: " ").map { word in
                defer { position += (word.count + 1) * character }
                return MachineTranscript.Word(String(word), position..<position + word.count * character)
            }
            defer { start = end + 250 }
            return MachineTranscript.Segment(sentence, start..<end, words: words)
        }
        return MachineTranscript(segments: segments, language: "en")
    }
}
