package import Commands
import DictofunDomain
import Storage

extension DictofunPlugin {
    /// Returns the text of a live record for other plugins; nil when there is no such record.
    package func content(of id: String) async throws -> ItemContent? {
        guard let record = try await store.read({ try $0.record(id) }), record.deletedAt == nil else { return nil }
        return ItemContent(title: record.summary.name, text: record.record.transcript.text)
    }
}
