import Commands
import HubKit
import Storage
import WebServer

extension WebRoute {
    /// `GET /timeline`: what was done, by anybody, newest first, with the way back from there.
    static func timelinePage(in shell: WebShell) -> WebRoute {
        let layout = HTMLLayout(
            title: "Timeline", place: "timeline", body: "<div id=\"timeline\" aria-busy=\"true\"></div>",
            styles: ["/assets/home.css"], script: "/assets/timeline.js")
        return WebRoute(.get, "/timeline") { _, _ in await shell.page(layout) }
    }

    /// `GET /api/timeline?before=`: fifty operations, newest first, before the one with that id.
    static func timeline(_ hub: Hub) -> WebRoute {
        WebRoute(.get, "/api/timeline", use: .scope(.everything)) { request, _ in
            let rows = try await hub.database().history.operations(limit: 50, before: request.query("before"))
            return .json { json in
                json.array { json in
                    for row in rows {
                        json.object { json in
                            json.name("id")
                            json.value(row.id)
                            json.name("at")
                            json.value(row.at.rfc3339)
                            json.name("who")
                            json.value(row.who.text)
                            json.name("words")
                            json.value(row.commandLine)
                            json.name("state")
                            json.value(row.state.rawValue)
                            json.name("is_reversal")
                            json.value(row.isReversal)
                        }
                    }
                }
            }
        }
    }
}
