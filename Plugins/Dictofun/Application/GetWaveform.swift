package import Audio
import DictofunDomain
import HubKit

extension DictofunPlugin {
    /// Returns the blob of a record's sound.
    func blob(of record: StoredRecord) throws(HubError) -> BlobID {
        if let blob = BlobID(record.blob) { return blob }
        throw HubError(.internal, code: "record-damaged", "the record \(record.id) names an invalid file")
    }

    /// Opens the sound of a record.
    func sound(of record: StoredRecord) async throws -> Sound {
        let blob = try blob(of: record)
        // Says what to do when the file is gone, which no decoder knows.
        _ = try blobs.reader(blob)
        return try await sounds.open(blobs.path(of: blob), record.format)
    }

    /// Returns the outline of a record's sound, from the cache if it was made before.
    package func waveform(of id: String) async throws -> Waveform {
        let (record, cached) = try await store.read { tx in
            (try StoredRecord.kind.item(id, in: tx), try tx.outline(of: id))
        }
        if let cached, let waveform = Waveform(bytes: cached) { return waveform }
        let waveform = try await sound(of: record).outline().waveform
        // A store that cannot be written only makes this slow the next time.
        try? await store.write(Operation("dictofun waveform", who: .service("dictofun"), kind: .cache)) { tx in
            if try tx.record(id) != nil { try tx.setOutline(waveform.bytes, of: id) }
        }
        return waveform
    }
}
