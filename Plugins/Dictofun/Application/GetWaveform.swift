package import Audio
import DictofunDomain
import HubKit
import Storage

extension DictofunPlugin {
    /// Returns the blob of a record's sound, which is fetched if it is on another machine alone.
    func blob(of record: StoredRecord) async throws -> BlobID {
        guard let blob = BlobID(record.blob) else {
            throw HubError(.internal, code: "record-damaged", "the record \(record.id) names an invalid file")
        }
        if blobs.size(of: blob) == nil { try await absentFiles.fetch(blob) }
        return blob
    }

    /// Returns the machine that alone has the sound of a record; nil for a sound that is here.
    func soundPlace(of record: StoredRecord) async throws -> String? {
        guard let blob = BlobID(record.blob), blobs.size(of: blob) == nil else { return nil }
        return try await absentFiles.places()[blob]
    }

    /// Counts the records whose sound other machines alone have, by these.
    func soundPlaces(of ids: [String]) async throws -> [(machine: String, count: Int)] {
        let places = try await absentFiles.places()
        if places.isEmpty { return [] }
        let blobs = try await store.read { try $0.blobs(of: ids) }
        return Dictionary(grouping: blobs.compactMap { places[$0] }) { $0 }.map { ($0.key, $0.value.count) }
            .sorted { $0.machine < $1.machine }
    }

    /// Returns the path of a record's sound.
    private func soundPath(of record: StoredRecord) async throws -> String {
        let blob = try await blob(of: record)
        // Says what to do when the file is gone, which no decoder knows.
        _ = try await blobs.reader(blob)
        return blobs.path(of: blob)
    }

    /// Writes the sound of a record as a file of `type` from `start` on, at `speed` times its speed.
    func writeSound(
        of record: StoredRecord, to path: String, as type: SoundFileType, sampleRate: Int? = nil,
        from start: Duration = .zero, speed: Double = 1
    ) async throws {
        try await sounds.write(
            try await soundPath(of: record), record.format, to: path, as: type, sampleRate: sampleRate, from: start,
            speed: speed)
    }

    /// Returns the outline of a record's sound, from the cache if it was made before.
    package func waveform(of id: String) async throws -> Waveform {
        let (record, cached) = try await store.read { tx in
            (try StoredRecord.kind.item(id, in: tx), try tx.outline(of: id))
        }
        if let cached, let waveform = Waveform(bytes: cached) { return waveform }
        let waveform = try await sounds.summary(of: try await soundPath(of: record), record.format).waveform
        // A store that cannot be written only makes this slow the next time.
        try? await store.write(Operation("dictofun waveform", who: .service("dictofun"), kind: .cache)) { tx in
            if try tx.record(id) != nil { try tx.setOutline(waveform.bytes, of: id) }
        }
        return waveform
    }
}
