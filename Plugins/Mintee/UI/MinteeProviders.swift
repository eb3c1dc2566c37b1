import HubKit
import MinteeDomain

/// The contributions of Mintee to the views that span all plugins.
enum MinteeProviders {
    static let all = Providers(
        search: SearchProvider { (mintee: MinteePlugin, words, limit) in
            let sought = words.flatMap(SearchWords.split)
            return try await mintee.searchTasks(words.joined(separator: " "), limit: limit).map { record in
                SearchHit(
                    id: record.id, title: record.draft.name, detail: record.draft.daysText,
                    match: .init(sought, in: SearchWords.split(record.draft.name)))
            }
        },
        today: TodayProvider { (mintee: MinteePlugin, day) in
            try await mintee.dueTasks(on: day).filter { !$0.isSettled }.map { item in
                let target = item.targetSet.map { $0.target == .done ? "" : " (\($0.target))" } ?? ""
                return TodayItem(id: item.task.id, text: "\(item.task.draft.name)\(target): \(item.state.name)")
            }
        },
        sync: .accounts(of: MinteePlugin.self), status: .accounts(of: MinteePlugin.self),
        theme: MinteeWebPage.themes)
}
