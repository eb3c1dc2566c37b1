package import DictofunDomain
import HubKit

extension DictofunPlugin {
    /// Returns the records that a filter accepts, at most `limit`, and the number of all.
    package func listRecords(_ filter: RecordFilter, limit: Int) async throws -> (found: [RecordSummary], total: Int) {
        try await store.read { try $0.records(filter, limit: limit) }
    }

    /// Returns the records with all `words`, or beginnings of words, in their text, name or tags, best first.
    package func searchRecords(_ words: [String], limit: Int) async throws -> (found: [RecordSummary], total: Int) {
        try await store.read { try $0.searchRecords(words, limit: limit) }
    }

    /// Returns the live records among `ids`, in their order.
    package func summaries(_ ids: [String]) async throws -> [RecordSummary] {
        try await store.read { try $0.recordSummaries(ids) }
    }

    /// Returns the records that `typed` may mean, for completion: by the beginning of the id, else by words.
    func completeRecords(_ typed: String) async throws -> [RecordSummary] {
        try await store.read { tx in
            if typed.isEmpty { return try tx.records(RecordFilter(), limit: 20).found }
            let byID = try tx.records(RecordFilter(), limit: 500).found.filter { $0.id.hasPrefix(typed) }
            return byID.isEmpty ? try tx.searchRecords([typed], limit: 20).found : byID
        }
    }
}
