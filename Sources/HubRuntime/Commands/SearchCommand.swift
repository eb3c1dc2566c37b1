import HubKit

/// `hub search`: one ranked search over all plugins.
enum SearchCommand {
    private struct Hit: Sendable {
        let plugin: String
        let hit: SearchHit
    }

    private static let words = Arguments<String>("WORD", .oneOrMore)
    private static let plugin = Option<String>("in", "PLUGIN", help: "only in this plugin")
    private static let limit = Option<Int>("limit", "N", in: 1...1000, help: "at most N hits; 20 unless given")

    private static let fields = [
        Field<Hit>("ref", "REF", help: "plugin and id", cell: { "\($0.plugin):\($0.hit.id.prefix(3))" }) {
            .text("\($0.plugin):\($0.hit.id)")
        },
        Field<Hit>("title", "TITLE", help: "what it is called") { .text($0.hit.title) },
        Field<Hit>("detail", "DETAIL", help: "what else tells it apart", column: .ifRoom(1)) { .text($0.hit.detail) },
    ]

    static let command = Command(
        "search", summary: "one search over everything",
        examples: [
            Example("hub search lukasz", "everything that has to do with Łukasz"),
            Example("hub search lukasz --in contacts", "only people"),
        ], parameters: [words, plugin, limit], fields: fields
    ) { (hub: Hub, input: Input) in
        let most = input[limit] ?? 20
        var hits: [Hit] = []
        let chosen = try input[plugin].map { [try hub.descriptor(named: $0)] } ?? hub.enabledDescriptors()
        for descriptor in chosen {
            guard let provider = descriptor.providers.search else { continue }
            hits += try await provider.search(hub, input[words], most).map { Hit(plugin: descriptor.id, hit: $0) }
        }
        let best = hits.enumerated().sorted { left, right in
            (-left.element.hit.score, left.offset) < (-right.element.hit.score, right.offset)
        }
        let sought = input[words].joined(separator: " ")
        return .matches(best.prefix(most).map(\.element), fields, none: Note("Nothing matches \"\(sought)\""))
    }
}
