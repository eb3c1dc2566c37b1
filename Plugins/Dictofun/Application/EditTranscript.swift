package import DictofunDomain
import HubKit
package import Storage

extension DictofunPlugin {
    /// Makes `text` the user's version of a record's text; with nil, or the engine's own text, there is none any more. What the engine
    /// heard stays.
    ///
    /// Throws `conflict` if the record is no longer at `revision`, if given.
    @discardableResult
    package func editTranscript(
        of id: String, _ text: String?, expecting revision: Int? = nil, operation: Operation
    ) async throws -> StoredRecord {
        try await store.write(operation) { tx in
            let record = try StoredRecord.kind.live(id, expecting: revision, in: tx)
            var transcript = record.record.transcript
            if let text { transcript.edit(text) } else { transcript.revert() }
            guard transcript.edited != record.record.transcript.edited else { return record }
            try tx.setEdited(transcript.edited, of: id)
            return try tx.savedRecord(id)
        }
    }
}
