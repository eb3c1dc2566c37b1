package import Commands

/// One hit of a search over all plugins.
package struct SearchHit: Sendable {
    /// The place where the words were found; hits of all plugins are ranked by it, the best place last.
    package enum Match: Int, Comparable, Sendable {
        /// Somewhere in the text, or in several parts of it.
        case text
        /// Inside words of the title.
        case insideTitle
        /// At the beginnings of words of the title.
        case titleWords
        /// At the beginning of the title, in the order typed.
        case titleStart
        /// The words are the title.
        case wholeTitle

        /// Orders the places, the best last.
        package static func < (left: Match, right: Match) -> Bool { left.rawValue < right.rawValue }

        /// Finds the place of `words` in the words of a title, both folded in the same way.
        package init(_ words: [String], in title: [String]) {
            self =
                if words == title {
                    .wholeTitle
                } else if title.joined(separator: " ").hasPrefix(words.joined(separator: " ")) {
                    .titleStart
                } else if words.allSatisfy({ word in title.contains { $0.hasPrefix(word) } }) {
                    .titleWords
                } else if words.allSatisfy({ word in title.contains { $0.contains(word) } }) {
                    .insideTitle
                } else {
                    .text
                }
        }
    }

    /// The id of the item.
    package let id: String
    /// The name or title of the item.
    package let title: String
    /// The text in which the words were found, or other details.
    package let detail: String
    /// Where the words were found.
    package let match: Match

    package init(id: String, title: String, detail: String, match: Match) {
        self.id = id
        self.title = title
        self.detail = detail
        self.match = match
    }
}

/// A plugin's part of `hub search`: words and a limit in, hits out, best first.
package struct SearchProvider: Sendable {
    /// Returns the best hits for `words`, at most `limit`, best first.
    package let search: @Sendable (any PluginHost, _ words: [String], _ limit: Int) async throws -> [SearchHit]

    /// Creates the provider for the plugin `P`.
    package init<P: Plugin>(_ body: @escaping @Sendable (P, [String], Int) async throws -> [SearchHit]) {
        search = { host, words, limit in try await body(host.plugin(P.self), words, limit) }
    }

    /// Creates the provider of the items that `find` returns for words, best first, at most a limit. `words` folds a text
    /// to comparable words, and `detail` describes an item.
    package init<P: Plugin, Item: EntitySummary>(
        words: @escaping @Sendable (String) -> [String], detail: @escaping @Sendable (Item) -> String,
        find: @escaping @Sendable (P, [String], Int) async throws -> [Item]
    ) {
        self.init { (plugin: P, typed, limit) in
            let sought = typed.flatMap(words)
            return try await find(plugin, typed, limit).map { item in
                SearchHit(
                    id: item.id, title: item.name, detail: detail(item), match: .init(sought, in: words(item.name)))
            }
        }
    }
}
