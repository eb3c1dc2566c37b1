import CivilDate
import HubKit
import MinteeDomain

/// The tasks that the words of a command name, and the day that it is about.
struct TaskSelection: Sendable {
    /// One selector: an id or its beginning, words, or `last`.
    static let one = Argument<String>("TASK", help: "task: id, words, or last", completion: completion)
    /// Several selectors.
    static let many = Arguments<String>(
        "TASK", .oneOrMore, help: "tasks: ids, words, last, or - for stdin", completion: completion)

    /// Tasks by the beginning of their id or of words of their name.
    static let completion = Completion.from(MinteePlugin.self) { mintee, prefix in
        try await mintee.listed(try await mintee.getTasks())
            .filter { isMeant($0.record.id, $0.record.draft.name, by: prefix) }
            .prefix(50).map { CompletionWord(id: $0.shortID, name: $0.record.draft.name) }
    }

    /// The tags in use.
    static let tagCompletion = Completion.from(MinteePlugin.self) { mintee, _ in
        try await mintee.getTags().map { CompletionWord($0.tag, $0.count == 1 ? "1 task" : "\($0.count) tasks") }
    }

    /// Whether `typed` begins the id, or each of its words a word of the name, whatever case and accents.
    static func isMeant(_ id: String, _ name: String, by typed: String) -> Bool {
        if id.hasPrefix(typed) { return true }
        let (wanted, words) = (SearchTasks.words(typed), SearchTasks.words(name))
        return !wanted.isEmpty && wanted.allSatisfy { word in words.contains { $0.hasPrefix(word) } }
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
