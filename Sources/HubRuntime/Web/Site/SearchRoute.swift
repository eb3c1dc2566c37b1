import HubKit
import WebServer

extension WebRoute {
    /// The largest number of hits of one plugin.
    private static let hitsOfPlugin = 8
    /// The largest number of hits when one plugin alone is searched.
    private static let hitsOfFilter = 50

    /// `GET /api/search?q=words&in=plugin`: the best hits of each plugin, the plugin with the best hit first:
    /// `[{"plugin": "contacts", "title": "Contacts", "hits": [{"title", "detail", "path"}]}]`.
    static func search(_ hub: Hub) -> WebRoute {
        WebRoute(.get, "/api/search", use: .programs) { request, _ in
            guard APIClient.current == nil || request.query("q") != nil else {
                throw HubError(field: "q", "is missing")
            }
            let words = (request.query("q") ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
            guard !words.isEmpty, words.count <= 32 else { return .json { $0.array { _ in } } }
            var groups: [(plugin: PluginDescriptor, hits: [SearchHit])] = []
            let only = request.query("in")
            let limit = only == nil ? hitsOfPlugin : hitsOfFilter
            for descriptor in try hub.enabledDescriptors() where only == nil || descriptor.id == only {
                guard APIClient.current?.mayRead(descriptor.id) ?? true else { continue }
                guard descriptor.page != nil, let provider = descriptor.providers.search else { continue }
                let hits = try await provider.search(hub, words, limit)
                if !hits.isEmpty { groups.append((descriptor, Array(hits.prefix(limit)))) }
            }
            let best = groups.enumerated().sorted { left, right in
                let (one, other) = (left.element.hits[0].match, right.element.hits[0].match)
                return one == other ? left.offset < right.offset : one > other
            }
            return .json { json in
                json.array { json in
                    for (_, group) in best { write(group.plugin, group.hits, &json) }
                }
            }
        }
    }

    private static func write(_ plugin: PluginDescriptor, _ hits: [SearchHit], _ json: inout JSONWriter) {
        json.object { json in
            json.name("plugin")
            json.value(plugin.id)
            json.name("title")
            json.value(plugin.pageTitle)
            json.name("hits")
            json.array { json in
                for hit in hits {
                    json.object { json in
                        json.name("title")
                        json.value(hit.title)
                        json.name("detail")
                        json.value(hit.detail)
                        json.name("path")
                        json.value(plugin.path(of: hit.id))
                    }
                }
            }
        }
    }
}

extension HTTPResponse {
    /// A response with the JSON that `body` writes.
    static func json(_ body: (inout JSONWriter) -> Void) -> HTTPResponse {
        var json = JSONWriter()
        body(&json)
        return HTTPResponse(headers: ["Content-Type": "application/json"], body: .bytes(json.bytes))
    }
}
