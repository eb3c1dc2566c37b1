import CivilDate
import DictofunDomain
import HubKit

/// The contributions of Dictofun to the views that span all plugins.
enum DictofunProviders {
    static let all = Providers(
        search: SearchProvider { (dictofun: DictofunPlugin, words, limit) in
            let sought = words.flatMap(RecordWords.split)
            return try await dictofun.searchRecords(words, limit: limit).found.map { record in
                SearchHit(
                    id: record.id, title: record.name,
                    detail: record.fileName.isEmpty ? "\(record.startTime)" : record.excerpt,
                    match: .init(sought, in: RecordWords.split(record.name)))
            }
        },
        today: TodayProvider(title: "Voice memos", rows: 3) { (dictofun: DictofunPlugin, day) in
            var filter = RecordFilter()
            (filter.since, filter.until) = (LocalTime(day: day), LocalTime(day: day.adding(days: 1)))
            return try await dictofun.listRecords(filter, limit: 50).found.map { record in
                let length = TranscriptWriter.length(record.length)
                let words = record.excerpt.isEmpty ? record.name : record.excerpt
                var item = TodayItem(
                    id: record.id, text: "\(record.startTime.clock), \(length): \(words)", title: words,
                    detail: length)
                item.time = record.startTime
                return item
            }
        },
        content: ContentProvider { (dictofun: DictofunPlugin, id) in try await dictofun.content(of: id) },
        sync: SyncProvider { (_: DictofunPlugin, _) in
            // Recorders are near now and then: the service fetches from them, or hub dictofun sync.
            []
        } explain: { (dictofun: DictofunPlugin, id) in
            try await dictofun.explain(id)
        },
        status: StatusProvider { (dictofun: DictofunPlugin) in try await StatusCommand.lines(dictofun) })
}
