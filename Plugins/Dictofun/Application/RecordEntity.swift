package import DictofunDomain
package import HubKit
import Storage

extension StoredRecord: EntityRecord {
    /// The values in lists.
    package var summary: RecordSummary {
        var device = ""
        if case .device(let address, _) = record.origin { device = address }
        return RecordSummary(
            id: id, fileName: name, startTime: record.startTime, isTimeUnknown: record.isTimeUnknown,
            length: record.length,
            tags: record.tags, excerpt: record.excerpt(120), device: device, revision: revision)
    }
}

extension RecordSummary: EntitySummary {
    /// The name of its file, else the beginning of its text, else its time.
    package var name: String {
        if !fileName.isEmpty { return fileName }
        return excerpt.isEmpty ? "record of \(startTime)" : String(excerpt.prefix(40))
    }

    /// The time at which it began.
    package var distinction: String { "\(startTime)" }
}

extension StoredRecord {
    /// The description of records, from which their selectors, trash, tags and history follow.
    package static let kind: EntityKind<StoredRecord> = EntityKind(
        one: "record", many: "records", command: "hub dictofun", table: "dictofun_record",
        topics: DictofunEvents.topics,
        selectors: selectors,
        rules: EntityKind<StoredRecord>.Rules(
            destroy: { try $1.destroyRecord($0) }, reindex: { try $1.reindexRecords($0) }),
        tags: tags, past: past, summaries: { try $1.recordSummaries($0) }, find: { try $1.record($0) })

    /// The text is the one that was typed: the history has nothing of what an engine has heard.
    private static let past = EntityPast { _, rows in
        let table = "dictofun_record"
        guard rows.has(table) else { return [] }
        return [
            ("name", rows.text("name", of: table)), ("recorded_at", rows.text("started", of: table)),
            ("tags", rows.texts("name", of: "dictofun_tag").sorted().joined(separator: ", ")),
        ] + EntityPast.lines(rows.text("edited", of: table), field: "text")
    }

    /// Words select the record whose file is named so, else those whose text or name has all of them.
    private static let selectors = EntitySelectors<RecordSummary> { text, inTrash, transaction in
        var filter = RecordFilter()
        filter.isTrash = inTrash
        filter.words = RecordWords.split(text)
        guard !filter.words.isEmpty else { return [] }
        let found = try transaction.records(filter, limit: 1000).found
        let named = found.filter { RecordWords.split($0.fileName) == filter.words }
        return named.isEmpty ? found : named
    } nearest: { text, inTrash, transaction in
        var filter = RecordFilter()
        filter.isTrash = inTrash
        let all = try transaction.records(filter, limit: 1000).found.filter { !$0.fileName.isEmpty }
        let name = Suggestion.nearest(to: text, in: all.map(\.fileName))
        return all.filter { $0.fileName == name }
    }

    /// Tags are compared without case and accents.
    private static let tags: EntityTags<StoredRecord> = EntityTags({ $0.tags }, folded: { RecordWords.foldedTag($0) }) {
        try $0.recordTags()
    } tagged: { tags, words, transaction in
        var filter = RecordFilter()
        (filter.tags, filter.words) = (tags, RecordWords.split(words))
        return try transaction.records(filter, limit: .max).found
    } change: { id, transaction, change in
        let record = try kind.live(id, in: transaction)
        var tags = record.record.tags
        change(&tags)
        guard tags != record.record.tags else { return nil }
        try transaction.setTags(tags, of: id)
        return try transaction.savedRecord(id)
    }
}

extension Transaction {
    /// Ends a change of a live record: its revision, its search rows and its event. Returns the record.
    @discardableResult
    func savedRecord(_ id: String) throws -> StoredRecord {
        try noteChange(of: id)
        try reindexRecords([id])
        let record = try StoredRecord.kind.item(id, in: self)
        try emit(DictofunEvents.recordChanged, record.summary)
        return record
    }
}
