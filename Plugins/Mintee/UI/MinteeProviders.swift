import HubKit
import MinteeDomain

/// The contributions of Mintee to the views that span all plugins.
enum MinteeProviders {
    static let all = Providers(
        search: SearchProvider(words: SearchWords.split) { (record: TaskRecord) in
            let words = record.draft.scheduleWords
            return words.isEmpty ? record.draft.daysText : words.joined(separator: "; ")
        } find: { (mintee: MinteePlugin, words, limit) in
            try await mintee.searchTasks(words.joined(separator: " "), limit: limit)
        },
        today: TodayProvider(title: "Habits and tasks", rows: 8, today: { (mintee: MinteePlugin) in mintee.day.today })
        { mintee, day in
            // A limit is kept until something is entered, as the page counts it.
            try await mintee.dueTasks(on: day).filter { !$0.isSettled && !$0.state.isReached }.map { item in
                let target =
                    item.progressText.map { " (\($0))" } ?? item.targetSet.map {
                        $0.target == .done ? "" : " (\($0.target))"
                    } ?? ""
                func action(_ words: String, _ change: String) -> TodayItem.Action {
                    .init(words, path: "/api/mintee/tasks/\(item.task.id)/days/\(day)", body: ["do": change])
                }
                var row = TodayItem(
                    id: item.task.id, text: "\(item.task.draft.name)\(target): \(item.state.name)",
                    title: item.task.draft.name, detail: goal(of: item), action: action("Done", "done"))
                if item.isCount {
                    row.counter = .init(
                        item.value, more: action("One more", "up"), fewer: action("One less", "down"))
                }
                return row
            }
        },
        theme: MinteeWebPage.themes)

    /// The goal of the day in words, with what is reached of it: `4 of 6 to 10`, `24 of 30`, `5, at most 3`; empty for a task
    /// that is done or not.
    private static func goal(of item: DueTask) -> String {
        if let progress = item.progressText { return progress }
        guard let target = item.targetSet?.target, target != .done else { return "" }
        let value = NumberText.text(item.value)
        return switch (target.minOperator, target.maxOperator) {
        case _ where item.value == 0: target.words
        case (.lessOrEqual, .none): "\(value) of \(NumberText.text(target.min))"
        case (.lessOrEqual, .lessOrEqual): "\(value) of \(target.words)"
        default: "\(value), \(target.words)"
        }
    }
}
