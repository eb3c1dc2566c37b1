import CivilDate
import Commands
import MinteeDomain

/// `hub mintee ask`: asks about the open tasks of one or more days.
enum AskCommand {
    private static let range = Arguments<DateRange>(
        "DATE|RANGE", .optional, help: "day or range of days, such as mon..today (default: today)")

    static let command = Command(
        "ask", summary: "ask about each open task",
        discussion: [
            "Answer y (done), n (not done), s (skip, followed by an optional reason), a number, or q to quit."
        ],
        examples: [
            Example("hub mintee ask", "today"), Example("hub mintee ask 1w..yesterday", "open tasks of last week"),
        ], parameters: [range], changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        let today = mintee.day.today
        let chosen = input[range].first
        let days = try chosen.map { try TaskCommands.days($0, today: today, .back) } ?? today...today
        let (first, last) = (days.lowerBound, days.upperBound)
        guard input.console.isInteractive else {
            throw HubError(
                .usage, code: "answer-needed", "this command needs a terminal",
                hint: "use hub mintee done TASK or hub mintee set TASK VALUE")
        }
        let operation = Operation(input)
        var count = 0
        var isEnded = false
        for day in first.daysSinceEpoch...last.daysSinceEpoch where !isEnded {
            let date = CivilDate(daysSinceEpoch: day)
            for item in try await mintee.dueTasks(on: date) where !isEnded && item.isWaiting {
                let prefix = first == last ? "" : "\(date.shortText(today: today)): "
                switch try await answer(to: prefix + question(item), mintee, input) {
                case .quit: isEnded = true
                case .later: continue
                case .change(let change):
                    if !input.dryRun {
                        _ = try await mintee.logCompletion(of: item.task.id, on: date, change, operation: operation)
                    }
                    count += 1
                }
            }
        }
        let summary = TodayCommand.summary(try await mintee.dueTasks(on: last))
        let when = last == today ? "today" : "on \(last.shortText(today: today))"
        let told = "\(NumberFormat.counted(count, "answer")), \(summary) \(when)."
        return count > 0 ? .edited(told) : .done(told)
    }

    private enum Answer { case change(EntryChange), later, quit }

    private static func question(_ item: DueTask) -> String {
        let target =
            item.targetText.isEmpty || item.targetSet?.target == .done && item.period == nil
            ? "" : " (\(item.targetText))"
        return "\(item.task.draft.name)\(target)? [y/n/s/number/q] "
    }

    private static func answer(
        to question: String, _ mintee: MinteePlugin, _ input: Input
    ) async throws -> Answer {
        while let text = try await input.console.ask(question) {
            let words = text.split(separator: " ", maxSplits: 1).map(String.init)
            switch words.first?.lowercased() {
            case nil: return .later
            case "y", "yes": return .change(.done)
            case "n", "no": return .change(.value(0))
            case "s", "skip": return .change(.skip(words.count > 1 ? words[1] : ""))
            case "q", "quit": return .quit
            case let word?:
                if words.count == 1, let number = try? NumberText.number(word, mintee.config.decimalMark) {
                    return .change(.value(number))
                }
                await input.console.show(["Type y, n, s, a number, or q; press Return to leave the task open."])
            }
        }
        return .quit
    }
}

extension DueTask {
    /// Whether to ask about the task: it has no entry, or a value above 0 that is not enough yet.
    fileprivate var isWaiting: Bool {
        if state.isFree { return isFree && !state.isEntered }
        return state.isEntered ? isOpen && value != 0 : !state.isReached
    }
}
