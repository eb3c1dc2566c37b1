import HubKit
import MinteeDomain

/// The contributions of Mintee to the views that span all plugins.
enum MinteeProviders {
    static let all = Providers(
        search: SearchProvider(words: SearchWords.split) { (record: TaskRecord) in
            record.draft.daysText
        } find: { (mintee: MinteePlugin, words, limit) in
            try await mintee.searchTasks(words.joined(separator: " "), limit: limit)
        },
        today: TodayProvider { (mintee: MinteePlugin, day) in
            try await mintee.dueTasks(on: day).filter { !$0.isSettled }.map { item in
                let target = item.targetSet.map { $0.target == .done ? "" : " (\($0.target))" } ?? ""
                return TodayItem(id: item.task.id, text: "\(item.task.draft.name)\(target): \(item.state.name)")
            }
        },
        theme: MinteeWebPage.themes)
}
