import HubKit
package import MinteeDomain

extension MinteePlugin {
    /// Returns the task that `selector` matches, or several to choose from: an id or its prefix, words, or `last`; only live tasks, or with `inTrash` only
    /// those in the trash. Throws `not-found`, with the nearest name as hint.
    package func resolve(_ selector: String, inTrash: Bool = false) async throws -> [TaskRecord] {
        let selector = selector.singleSpaced
        guard !selector.isEmpty else {
            throw HubError(.usage, code: "selector-empty", "an empty selector matches no task")
        }
        let tasks = try await store.read { try $0.tasks(inTrash ? .trashed : .live) }
        let found = MinteePlugin.tasks(tasks, named: selector)
        if !found.isEmpty { return found }
        let near = Suggestion.nearest(to: selector, in: tasks.map(\.draft.name))
        throw HubError(
            .notFound, code: "task-not-found", "no task\(inTrash ? " in the trash" : "") matches \"\(selector)\"",
            hint: near.map { "did you mean \($0)?" })
    }

    private static func tasks(_ tasks: [TaskRecord], named selector: String) -> [TaskRecord] {
        if selector == "last" { return tasks.last.map { [$0] } ?? [] }
        if Identifier.isPrefix(selector) {
            let byID = tasks.filter { $0.id.hasPrefix(selector) }
            if !byID.isEmpty { return byID }
        }
        let exact = tasks.filter { $0.draft.name == selector }
        if !exact.isEmpty { return exact }
        let words = SearchWords.split(selector)
        let whole = tasks.filter { SearchWords.split($0.draft.name) == words }
        if whole.count == 1 || words.isEmpty { return whole }
        return tasks.filter { SearchWords.match(words, $0) }
    }

    /// Returns the shortest unique prefix of each id of a task or analysis, of three characters or more.
    package func shortenIDs(_ ids: [String]) async throws -> [String: String] {
        let all = try await store.read { try ($0.taskIDs() + $0.analysisIDs()).sorted() }
        let wanted = Set(ids)
        var short: [String: String] = [:]
        for (index, id) in all.enumerated() where wanted.contains(id) {
            let before = index > 0 ? all[index - 1] : nil
            let after = index + 1 < all.count ? all[index + 1] : nil
            short[id] = String(id.prefix(ShortIDs.shorten(id, before: before, after: after)))
        }
        return short
    }
}
