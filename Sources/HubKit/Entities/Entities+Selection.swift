extension Entities {
    /// Returns the item that `word` matches. If several match, the user picks one on a terminal.
    package func select(_ word: String, inTrash: Bool = false, asking input: Input) async throws -> Summary {
        let found = try await resolve(word, inTrash: inTrash)
        if found.count == 1 { return found[0] }
        let rows = try await listed(found)
        let candidates = rows.map(\.candidate)
        let picked = try await input.pick(candidates, named: word, noun: kind.many)
        guard let row = rows.first(where: { $0.shortID == picked.id }) else {
            throw HubError.ambiguous(candidates, named: word, noun: kind.many)
        }
        return row.summary
    }

    /// Returns the items that `words` match, each once and in order; `-` reads more words from stdin, one per line.
    package func select(_ words: [String], inTrash: Bool = false, asking input: Input) async throws -> [Summary] {
        var (chosen, seen): ([Summary], Set<String>) = ([], [])
        for word in try await input.selectors(words) {
            let item = try await select(word, inTrash: inTrash, asking: input)
            if seen.insert(item.id).inserted { chosen.append(item) }
        }
        return chosen
    }
}
