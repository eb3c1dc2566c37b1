import Audio
import CivilDate
import Dictofun
import DictofunDomain
import Glibc
import Storage

/// Voice records: decoding their sound, and a store that is full of them.
struct RecordsBenchmark {
    private static let rounds = HubBench.size(20)
    private static let count = HubBench.size(10_000, smallest: 20)

    /// Decodes the ADPCM in the file at `path` and writes the samples to `output`; prints the shortest time in milliseconds.
    func decode(_ path: String, to output: String) throws {
        let bytes = try BoundedFile.read(path, limit: 1 << 26)
        var samples: [Int16] = []
        var least = Duration.seconds(60)
        for _ in 0..<Self.rounds {
            var decoder = ADPCMDecoder()
            let start = ContinuousClock.now
            samples = decoder.decode(bytes)
            least = min(least, ContinuousClock.now - start)
        }
        guard let file = fopen(output, "w") else { throw SystemError("fopen \(output)") }
        fwrite(samples, 2, samples.count, file)
        fclose(file)
        HubBench.write("decode\t\(least / .milliseconds(1))\n")
    }

    /// Fills the store in `directory` with records that have texts of a minute with the places of their words; one text of a hundred
    /// speaks of a plumber.
    func fill(_ directory: String) async throws {
        let schema = DictofunSchema.schema { try $1.announceRecords($0) }
        let database = Database(at: .directory(directory), plugins: [schema], clock: SystemClock())
        try await database.prepare()
        let records = (0..<Self.count).map { (record: Self.record($0), transcript: Self.transcript($0)) }
        try await database.store(for: "dictofun").write(Operation("fill", kind: .cache)) { transaction in
            for (record, transcript) in records {
                try transaction.insertRecord(record)
                try transaction.setTranscript(transcript, engine: "whisper", isRough: false, of: record.id)
            }
            try transaction.reindexRecords(records.map(\.record.id))
        }
        await database.close()
    }

    private static func record(_ number: Int) -> StoredRecord {
        let start = LocalTime(
            day: CivilDate(daysSinceEpoch: 20_000 + number / 8), millisecond: (8 + number % 8) * 3_600_000)
        let digits = String(number, radix: 16)
        return StoredRecord(
            id: Identifier.make(), revision: 1, deletedAt: nil,
            blob: String(repeating: "0", count: 64 - digits.count) + digits, size: 480_000, format: .recorder,
            name: "",
            record: Record(
                origin: .file(name: ""), startTime: start, length: .seconds(60),
                tags: number.isMultiple(of: 10) ? ["work"] : []), isRough: false)
    }

    private static func transcript(_ number: Int) -> MachineTranscript {
        let words = (0..<120).map { place in
            let isFound = place == 60 && number.isMultiple(of: 100)
            let word = isFound ? "plumber" : "word\((number * 7919 + place * place * 104_729) % 3000)"
            return MachineTranscript.Word(word, place * 500..<place * 500 + 400, confidence: 0.9)
        }
        let segments = stride(from: 0, to: words.count, by: 12).map { first in
            let part = Array(words[first..<first + 12])
            return MachineTranscript.Segment(
                part.map(\.text).joined(separator: " "), first * 500..<(first + 12) * 500, words: part)
        }
        return MachineTranscript(segments: segments, language: "en")
    }
}
