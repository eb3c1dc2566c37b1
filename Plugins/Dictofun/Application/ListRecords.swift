package import DictofunDomain
import Storage

/// A part of a list of records.
package struct RecordPage: Sendable {
    /// The records in their order.
    package let records: [RecordSummary]
    /// The number of records in the whole list.
    package let total: Int
    /// The months of the whole list, newest first, with their number of records.
    package let months: [(month: String, count: Int)]
    /// The ids of all records that wait for an engine.
    package let waiting: Set<String>
}

extension DictofunPlugin {
    /// Returns the records that a filter accepts, at most `limit`, and the number of all.
    package func listRecords(_ filter: RecordFilter, limit: Int) async throws -> (found: [RecordSummary], total: Int) {
        try await store.read { try $0.records(filter, limit: limit) }
    }

    /// Returns a part of the records that a filter accepts, the number of all, their months, and the ids of those of the part that
    /// wait for an engine.
    package func recordPage(_ filter: RecordFilter, offset: Int, limit: Int) async throws -> RecordPage {
        let (page, months) = try await store.read { tx in
            (try tx.records(filter, offset: offset, limit: limit), try tx.recordMonths(filter))
        }
        let jobs = try await transcriptions.jobs().filter { $0.state != .failed }
        return RecordPage(
            records: page.found, total: page.total, months: months, waiting: Set(jobs.map(\.subject)))
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
