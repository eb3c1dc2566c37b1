import HubKit
import WebServer

extension WebRoute {
    /// `GET /share`: asks where something belongs that another app has shared. The service worker takes it and keeps it in the
    /// browser, so nothing is lost while hub is away or asks for a login.
    static func sharePage(_ descriptors: [PluginDescriptor], in shell: WebShell) -> WebRoute {
        let targets = json(of: descriptors.compactMap(\.page).flatMap(\.shares))
        let layout = HTMLLayout(
            title: "Share", place: "share", body: "<div id=\"share\" data-targets=\"\(HTML.escape(targets))\"></div>",
            styles: ["/assets/home.css"], script: "/assets/share.js")
        return WebRoute(.get, "/share") { _, _ in await shell.page(layout) }
    }

    private static func json(of targets: [ShareTarget]) -> String {
        var json = JSONWriter()
        json.array { json in
            for target in targets {
                json.object { json in
                    for (name, value) in [("words", target.words), ("icon", target.icon), ("path", target.path)] {
                        json.name(name)
                        json.value(value)
                    }
                    switch target.content {
                    case .text(let body):
                        json.name("body")
                        json.value(body)
                    case .files(let types, let isInPieces):
                        json.name("in_pieces")
                        json.value(isInPieces)
                        json.name("types")
                        json.array { json in
                            for type in types { json.value(type) }
                        }
                    }
                }
            }
        }
        return json.string
    }
}
