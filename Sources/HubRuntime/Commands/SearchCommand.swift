import Commands
import HubKit

/// `hub search`: one ranked search over all plugins.
enum SearchCommand {
    private struct Hit: Sendable {
        let plugin: String
        let hit: SearchHit
        /// How many characters of the id are shown.
        let shown: Int
    }

    private static let words = Arguments<String>("WORD", .oneOrMore, help: "word, or the beginning of one")
    private static let plugin = Option<String>(
        "in", "PLUGIN", help: "search only this plugin", completion: SyncCommand.pluginNames)

    private static let fields = [
        Field<Hit>("ref", "REF", help: "plugin:id of the item", cell: { "\($0.plugin):\($0.hit.id.prefix($0.shown))" })
        {
            .text("\($0.plugin):\($0.hit.id)")
        },
        Field<Hit>("title", "TITLE", help: "name or title") { .text($0.hit.title) },
        Field<Hit>("detail", "DETAIL", help: "further details", column: .ifRoom(1)) { .text($0.hit.detail) },
    ]

    static let command = Command(
        "search", summary: "one search over everything",
        examples: [
            Example("hub search lukasz", "search all plugins"),
            Example("hub search lukasz --in contacts", "search only contacts"),
        ], parameters: [words, plugin, SharedOptions.limit], fields: fields
    ) { (hub: Hub, input: Input) in
        var hits: [Hit] = []
        let chosen = try input[plugin].map { [try hub.descriptor(named: $0)] } ?? hub.enabledDescriptors()
        for descriptor in chosen {
            guard let provider = descriptor.providers.search else { continue }
            let found = try await provider.search(hub, input[words], .max)
            let shown = ShortIDs.lengths(found.map(\.id))
            hits += zip(found, shown).map { hit, length in
                // Ids of others, such as those of tokens, cannot be shortened.
                let isOwn = hit.id.utf8.count == Identifier.length && Identifier.isPrefix(hit.id)
                return Hit(plugin: descriptor.id, hit: hit, shown: isOwn ? length : hit.id.count)
            }
        }
        let best = hits.enumerated().sorted { left, right in
            (right.element.hit.match, left.offset) < (left.element.hit.match, right.offset)
        }
        let sought = input[words].joined(separator: " ")
        let shown = best.prefix(input.rowLimit(20)).map(\.element)
        return .matches(
            shown, fields, count: Output.count(shown.count, of: best.count, "matches"),
            none: Diagnostic("Nothing matches \"\(sought)\""))
    }
}
