import Collation
import Commands
import HubKit
import WebServer

extension WebRoute {
    /// `GET /api/links?item=contacts:ID`: what other plugins have that names the item, and what the item itself names:
    /// `[{"plugin": "notes", "title": "Notes", "hits": [{"title", "detail", "path"}]}]`.
    static func links(_ hub: Hub) -> WebRoute {
        WebRoute(.get, "/api/links") { request, _ in
            let parts = (request.query("item") ?? "").split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2 else {
                throw HubError(.usage, code: "bad-item", "invalid item", hint: "/api/links?item=contacts:ID")
            }
            let links = ItemLinks(hub, of: try hub.descriptor(named: parts[0]), id: parts[1])
            let groups = try await links.naming() + links.named()
            return .json { json in
                json.array { json in
                    for group in groups { group.write(to: &json) }
                }
            }
        }
    }
}

/// What an item and the items of other plugins have to do with each other, by names in their texts.
private struct ItemLinks {
    /// The items of one plugin.
    struct Group {
        let plugin: PluginDescriptor
        let title: String
        let hits: [(title: String, detail: String, path: String)]

        func write(to json: inout JSONWriter) {
            json.object { json in
                json.name("plugin")
                json.value(plugin.id)
                json.name("title")
                json.value(title)
                json.name("hits")
                json.array { json in
                    for hit in hits {
                        json.object { json in
                            for (name, value) in [("title", hit.title), ("detail", hit.detail), ("path", hit.path)] {
                                json.name(name)
                                json.value(value)
                            }
                        }
                    }
                }
            }
        }
    }

    /// The items of one plugin that are shown, and those that are looked at for them.
    private static let limit = (shown: 8, read: 24)

    private let hub: Hub
    private let plugin: PluginDescriptor
    private let id: String

    init(_ hub: Hub, of plugin: PluginDescriptor, id: String) {
        self.hub = hub
        self.plugin = plugin
        self.id = id
    }

    private var others: [PluginDescriptor] {
        get throws { try hub.enabledDescriptors().filter { $0.id != plugin.id && $0.page != nil } }
    }

    /// The items of other plugins that name this one.
    func naming() async throws -> [Group] {
        guard let names = try await plugin.providers.mentions?.names(hub, id), !names.isEmpty else { return [] }
        var groups: [Group] = []
        for other in try others {
            guard let search = other.providers.search else { continue }
            var found: [SearchHit] = []
            for name in names {
                let words = name.split(whereSeparator: \.isWhitespace).map(String.init)
                for hit in try await search.search(hub, words, Self.limit.read)
                where !found.contains(where: { $0.id == hit.id }) {
                    if try await isNamed(name, in: hit, of: other) { found.append(hit) }
                }
            }
            guard !found.isEmpty else { continue }
            let hits = found.prefix(Self.limit.shown).map { ($0.title, $0.detail, other.path(of: $0.id)) }
            groups.append(Group(plugin: other, title: other.pageTitle, hits: hits))
        }
        return groups
    }

    /// Whether a hit has the words of the name one after the other. A search finds them apart, too.
    private func isNamed(_ name: String, in hit: SearchHit, of other: PluginDescriptor) async throws -> Bool {
        let sought = Self.folded(name)
        if Self.folded(hit.title).contains(sought) || Self.folded(hit.detail).contains(sought) { return true }
        guard let text = try await other.providers.content?.content(hub, hit.id)?.text else { return false }
        return Self.folded(text).contains(sought)
    }

    /// The items of other plugins that this one names.
    func named() async throws -> [Group] {
        guard let content = try await plugin.providers.content?.content(hub, id) else { return [] }
        var groups: [Group] = []
        for other in try others {
            guard let provider = other.providers.mentions else { continue }
            let found = try await provider.mentions(hub, content.title + "\n" + content.text)
            guard !found.isEmpty else { continue }
            groups.append(
                Group(
                    plugin: other, title: provider.title,
                    hits: found.prefix(Self.limit.shown).map { ($0.name, "", other.path(of: $0.id)) }))
        }
        return groups
    }

    /// The folded words, with a space around each.
    private static func folded(_ text: String) -> String {
        " "
            + Transliterator.fold(String(text.prefix(200_000))).split { !$0.isLetter && !$0.isNumber }.joined(
                separator: " ") + " "
    }
}
