package import HubKit
import WebServer

extension WebRoute {
    /// `GET /`: the plugins that have a page.
    package static func home(_ descriptors: [PluginDescriptor], _ shell: WebShell) -> WebRoute {
        let items = descriptors.filter { $0.page != nil }.map { page in
            "<li><a href=\"/\(page.id)\">\(HTML.escape(page.title))</a>: \(HTML.escape(page.summary))</li>"
        }
        let layout = HTMLLayout(title: "Today", place: "", body: "<ul>\(items.joined())</ul>")
        return WebRoute(.get, "/") { _, _ in await shell.page(layout) }
    }
}
