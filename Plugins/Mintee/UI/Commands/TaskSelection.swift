import CivilDate
import HubKit
import MinteeDomain

/// The tasks that the words of a command name, and the day that it is about.
struct TaskSelection: Sendable {
    /// One selector: an id or its beginning, words, or `last`.
    static let one = Argument<String>("TASK", help: "a task: id, words, or last", completion: completion)
    /// Several selectors.
    static let many = Arguments<String>(
        "TASK", .oneOrMore, help: "tasks: ids, words, last, or - for stdin", completion: completion)

    static let completion = Completion.from(MinteePlugin.self) { mintee, prefix in
        let all = try await mintee.listed(try await mintee.getTasks())
        let words = SearchTasks.words(prefix)
        return all.filter { row in
            row.shortID.hasPrefix(prefix)
                || words.allSatisfy { SearchTasks.words(row.record.draft.name).joined(separator: " ").contains($0) }
        }.prefix(50).map { CompletionWord($0.shortID, $0.record.draft.name) }
    }

    private let mintee: MinteePlugin
    private let input: Input

    init(_ mintee: MinteePlugin, _ input: Input) {
        self.mintee = mintee
        self.input = input
    }

    /// The one task that `word` names; of several the person picks one.
    func task(_ word: String, inTrash: Bool = false) async throws -> TaskRecord {
        let found = try await mintee.resolve(word, inTrash: inTrash)
        if found.count == 1 { return found[0] }
        let rows = try await mintee.listed(found)
        let candidates = rows.map {
            Candidate(id: $0.shortID, name: "\($0.record.draft.name)  \($0.record.draft.daysText)")
        }
        let picked = try await input.pick(candidates, named: word, noun: "tasks")
        guard let row = rows.first(where: { $0.shortID == picked.id }) else {
            throw HubError.ambiguous(candidates, named: word, noun: "tasks")
        }
        return row.record
    }

    /// The tasks that `words` name, each once and in their order; `-` reads more words from stdin, one a line.
    func tasks(_ words: [String], inTrash: Bool = false) async throws -> [TaskRecord] {
        var chosen: [TaskRecord] = []
        for word in try await input.selectors(words) {
            let record = try await task(word, inTrash: inTrash)
            if !chosen.contains(where: { $0.id == record.id }) { chosen.append(record) }
        }
        return chosen
    }

    /// The day of `--date`, today without it. A weekday means the last one, for what was done lies behind.
    var date: CivilDate { input[SharedOptions.date]?.day(today: mintee.day.today, .back) ?? mintee.day.today }
}
