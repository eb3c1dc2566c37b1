package import HubKit
import WebServer

extension WebRoute {
    /// `GET /ID`: the page that a plugin declares, in the frame of all pages; nil when it has none.
    package static func page(of descriptor: PluginDescriptor, in shell: WebShell) -> WebRoute? {
        guard let page = descriptor.page else { return nil }
        let id = descriptor.id
        let layout = HTMLLayout(
            title: descriptor.title, place: id, toolbar: String(decoding: page.toolbar, as: UTF8.self),
            body: String(decoding: page.content, as: UTF8.self), styles: page.styles.map { "/\(id)/\($0.name).css" },
            script: page.modules.first.map { "/\(id)/\($0.name).js" })
        return WebRoute(.get, "/\(id)") { _, _ in await shell.page(layout) }
    }
}
