import CivilDate
import HubKit
import MinteeDomain

/// The tasks and the day that a command refers to.
struct TaskSelection: Sendable {
    /// One selector: an id or its prefix, words, or `last`.
    static let one = Argument<String>("TASK", help: "task: id, words, or last", completion: completion)
    /// Several selectors.
    static let many = Arguments<String>(
        "TASK", .oneOrMore, help: "tasks: ids, words, last, or - for stdin", completion: completion)

    /// Completes tasks by prefixes of their id or of words of their name.
    static let completion = Completion.from(MinteePlugin.self) { mintee, prefix in
        try await mintee.listed(try await mintee.tasks())
            .filter { isMeant($0.record.id, $0.record.draft.name, by: prefix) }
            .prefix(50).map { CompletionWord(id: $0.shortID, name: $0.record.draft.name) }
    }

    /// Completes the tags in use.
    static let tagCompletion = Completion.from(MinteePlugin.self) { mintee, _ in
        try await mintee.tags().map { CompletionWord($0.tag, NumberFormat.counted($0.count, "task")) }
    }

    /// Whether `typed` is a prefix of the id, or each of its words one of a word of the name, ignoring case and
    /// accents.
    static func isMeant(_ id: String, _ name: String, by typed: String) -> Bool {
        if id.hasPrefix(typed) { return true }
        let (wanted, words) = (SearchWords.split(typed), SearchWords.split(name))
        return !wanted.isEmpty && wanted.allSatisfy { word in words.contains { $0.hasPrefix(word) } }
    }

    private let mintee: MinteePlugin
    private let input: Input

    init(_ mintee: MinteePlugin, _ input: Input) {
        self.mintee = mintee
        self.input = input
    }

    /// Returns the task that `word` matches; asks if there are several.
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

    /// Returns the tasks that `words` match, without duplicates and in order; `-` reads more words from stdin, one per
    /// line.
    func tasks(_ words: [String], inTrash: Bool = false) async throws -> [TaskRecord] {
        var chosen: [TaskRecord] = []
        for word in try await input.selectors(words) {
            let record = try await task(word, inTrash: inTrash)
            if !chosen.contains(where: { $0.id == record.id }) { chosen.append(record) }
        }
        return chosen
    }

    /// The day of `--date`; today without it. A weekday means the last one, since entries are about the past.
    var date: CivilDate { input[SharedOptions.date]?.day(today: mintee.day.today, .back) ?? mintee.day.today }
}
