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
                return TodayItem(
                    id: item.task.id, text: "\(item.task.draft.name)\(target): \(item.state.name)",
                    title: item.task.draft.name, detail: goal(of: item),
                    action: TodayItem.Action(
                        "Done", path: "/api/mintee/tasks/\(item.task.id)/days/\(day)", body: ["do": "done"]))
            }
        },
        theme: MinteeWebPage.themes)

    /// The goal of the day in words, with what is reached of it: `4 of 6 to 10`; empty for a task that is done or not.
    private static func goal(of item: DueTask) -> String {
        guard let target = item.targetSet?.target, target != .done else { return "" }
        return item.value == 0 ? target.words : "\(NumberText.text(item.value)) of \(target.words)"
    }
}
