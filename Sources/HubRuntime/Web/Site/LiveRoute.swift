package import Storage
import WebServer

extension WebRoute {
    /// `GET /api/live?topics=domain.contacts/*,…`: an event stream that says which topics have news, as
    /// `{"topics":[…]}`, or `{"topics":null}` when it may be any.
    package static func live(_ bus: EventBus) -> WebRoute {
        WebRoute(.get, "/api/live", use: .programs) { request, _ in
            let texts = (request.query("topics") ?? "*").split(separator: ",")
            let patterns = texts.compactMap { TopicPattern($0) }
            guard patterns.count == texts.count, (1...64).contains(patterns.count) else {
                throw HubError(
                    .usage, code: "bad-topics", "invalid list of topics",
                    hint: "/api/live?topics=domain.contacts/*")
            }
            if let client = APIClient.current {
                for pattern in patterns {
                    let scope = APIScope(plugin: plugin(of: pattern), isWriting: false)
                    guard client.may(scope) else { throw WebError.scopeMissing(scope) }
                }
            }
            return .events(bus.changes(of: patterns).map { ServerSentEvent(event: "changed", data: json($0)) })
        }
    }

    /// The plugin whose topics a pattern matches, such as `domain.contacts/*`; nil when it may be those of several.
    private static func plugin(of pattern: TopicPattern) -> String? {
        let owner = pattern.text.prefix { $0 != "/" }.split(separator: ".", omittingEmptySubsequences: false)
        guard owner.count == 2, pattern.text.contains("/"), !owner.contains(where: { $0.contains("*") }) else {
            return nil
        }
        return String(owner[1])
    }

    private static func json(_ changed: ChangeSet) -> String {
        var json = JSONWriter()
        json.object { json in
            json.name("topics")
            switch changed {
            case .everything: json.null()
            case .some(let topics):
                json.array { json in
                    for topic in topics.sorted() { json.value(topic.text) }
                }
            }
        }
        return json.string
    }
}
