package import HubKit
import WebServer

extension WebRoute {
    /// `GET /`: the plugins that have a page. With only one of them it opens at once.
    package static func home(_ descriptors: [PluginDescriptor]) -> WebRoute {
        let pages = descriptors.filter { descriptor in
            descriptor.routes.contains { $0.method == .get && $0.pattern == "/\(descriptor.id)" }
        }
        return WebRoute(.get, "/") { _, _ in
            if let only = pages.first, pages.count == 1 { return .redirect(to: "/\(only.id)") }
            let items = pages.map { page in
                "<li><a href=\"/\(page.id)\">\(HTML.escape(page.title))</a>: \(HTML.escape(page.summary))</li>"
            }
            return .page(HTMLLayout(title: "hub", body: "<ul>\(items.joined())</ul>" + WebLogin.logoutForm))
        }
    }
}
