package import HubKit
package import WebServer

/// The frame of all pages: navigation, search over everything, undo and redo, the menu, and the place for a page's own content.
package struct WebShell: Sendable {
    /// The files of the web app.
    let assets: WebAssets
    /// The pages of the navigation after Today.
    private let places: [Place]
    /// What can be added from every page, as JSON.
    private let additions: String
    /// The content security policy, which lets the import map run and no other inline script.
    let policy: String
    private let presentation: @Sendable () async -> Presentation

    /// A page that the navigation leads to.
    private struct Place: Sendable {
        let id: String
        let title: String
        let icon: String
    }

    /// Makes the frame for the pages of `descriptors`. Throws when libcrypto is missing.
    package init(
        _ descriptors: [PluginDescriptor] = [],
        presentation: @escaping @Sendable () async -> Presentation = { Presentation() }
    ) throws {
        assets = WebAssets(descriptors)
        places = descriptors.compactMap { descriptor in
            descriptor.page.map { Place(id: descriptor.id, title: descriptor.pageTitle, icon: $0.icon) }
        }
        additions = Self.json(of: descriptors.compactMap(\.page).flatMap(\.additions))
        self.presentation = presentation
        let hash = Base64.encode(try WebSecret.hash(assets.importMap))
        policy = """
            default-src 'self'; script-src 'self' 'sha256-\(hash)'; img-src 'self' data: blob:; base-uri 'none'; \
            form-action 'self'; frame-ancestors 'none'; object-src 'none'
            """
    }

    /// The response with a page in the frame.
    package func page(_ layout: HTMLLayout, status: Int = 200) async -> HTTPResponse {
        .text(html(layout, await presentation()), status: status, type: "text/html; charset=utf-8")
    }

    private func html(_ layout: HTMLLayout, _ presentation: Presentation) -> String {
        let title = layout.title == "hub" ? "hub" : "\(HTML.escape(layout.title)) · hub"
        return """
            <!doctype html>
            <html lang="en" \(presentation.attributes)>
            <head>
              <meta charset="utf-8">
              <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
              <title>\(title)</title>
              \(head(layout))
              \(presentation.themeColor)
            </head>
            \(layout.isForSession ? framed(layout, presentation) : bare(layout))
            </html>

            """
    }

    /// The links to style sheets and modules. All modules are named at once, so that a browser need not find them one by one.
    private func head(_ layout: HTMLLayout) -> String {
        let entries =
            layout.isForSession ? ["/assets/shell.js"] + (layout.script.map { [$0] } ?? []) : ["/assets/login.js"]
        var lines = [
            "<link rel=\"icon\" href=\"\(assets.address("/assets/hub.svg"))\">",
            "<link rel=\"apple-touch-icon\" href=\"\(assets.address("/assets/icon-192.png"))\">",
            "<link rel=\"manifest\" href=\"/manifest.webmanifest\">",
        ]
        let styles = [
            "/assets/hub.css", "/assets/themes.css", "/assets/components/components.css", "/assets/shell.css",
        ]
        for path in styles + layout.styles {
            lines.append("<link rel=\"stylesheet\" href=\"\(assets.address(path))\">")
        }
        if let key = layout.key { lines.append("<meta name=\"hub-key\" content=\"\(HTML.escape(key))\">") }
        lines.append("<script type=\"importmap\">\(assets.importMap)</script>")
        for path in assets.modules(from: entries) {
            lines.append("<link rel=\"modulepreload\" href=\"\(assets.address(path))\">")
        }
        for path in entries { lines.append("<script type=\"module\" src=\"\(assets.address(path))\"></script>") }
        return lines.joined(separator: "\n  ")
    }

    /// A page without a session: nothing but its words.
    private func bare(_ layout: HTMLLayout) -> String {
        """
        <body class="bare">
          <main id="main">
            <p class="brand">\(Self.logo)<span>hub</span></p>
            <h1>\(HTML.escape(layout.title))</h1>
        \(layout.body)
          </main>
        </body>
        """
    }

    private func framed(_ layout: HTMLLayout, _ presentation: Presentation) -> String {
        let entities = layout.entities.isEmpty ? "" : " data-entities=\"\(HTML.escape(layout.entities))\""
        return """
            <body class="framed" data-place="\(HTML.escape(layout.place ?? ""))"\(entities) data-additions="\(HTML.escape(additions))">
              <a class="skip" href="#main">Skip to the content</a>
              \(navigation(layout.place))
              <header class="bar">
                <h1>\(HTML.escape(layout.title))</h1>
                <div id="toolbar">\(layout.toolbar)</div>
                \(Self.tools)
              </header>
              <main id="main" tabindex="-1">
            \(layout.body)
              </main>
            </body>
            """
    }

    private func navigation(_ current: String?) -> String {
        func item(_ place: Place) -> String {
            let mark = place.id == current ? " aria-current=\"page\"" : ""
            return
                "<li><a href=\"/\(place.id)\"\(mark)>\(Icon.svg(place.icon))<span>\(HTML.escape(place.title))</span></a></li>"
        }
        let all = [Place(id: "", title: "Today", icon: Icon.today)] + places
        return """
            <nav class="side" aria-label="hub">
                <a class="brand" href="/" tabindex="-1" aria-hidden="true">\(Self.logo)<span>hub</span></a>
                <button class="find" type="button" data-shell="search" aria-keyshortcuts="Control+K">\
            \(Icon.svg(Icon.search))<span>Search</span><kbd aria-hidden="true">Ctrl K</kbd></button>
                <button class="find add" type="button" data-shell="add" aria-keyshortcuts="c">\
            \(Icon.svg(Icon.add))<span>Add</span><kbd aria-hidden="true">c</kbd></button>
                <ul class="places">\(all.map(item).joined())</ul>
              </nav>
            """
    }

    private static func json(of additions: [QuickAddition]) -> String {
        var json = JSONWriter()
        json.array { json in
            for addition in additions {
                json.object { json in
                    json.name("words")
                    json.value(addition.words)
                    json.name("icon")
                    json.value(addition.icon)
                    json.name("label")
                    json.value(addition.label)
                    json.name("path")
                    switch addition.way {
                    case .open(let path): json.value(path)
                    case .send(let path, let body):
                        json.value(path)
                        json.name("body")
                        json.value(body)
                    }
                }
            }
        }
        return json.string
    }

    /// What is always at hand, at the end of the bar.
    private static let tools = """
        <div class="tools">
              \(tool("add", "Add", Icon.add, "class=\"tool find\""))
              \(tool("search", "Search", Icon.search, "class=\"tool find\""))
              \(tool("undo", "Undo", Icon.undo))
              \(tool("redo", "Redo", Icon.redo))
              <button class="tool" type="button" id="menu-button" popovertarget="menu" aria-label="Menu" title="Menu">\
        \(Icon.svg(Icon.more))</button>
              <div class="menu" id="menu" popover aria-label="Menu">
                <a href="/timeline">\(Icon.svg(Icon.clock))Timeline</a>
                <a href="/trash">\(Icon.svg(Icon.trash))Trash</a>
                <a href="/devices">\(Icon.svg(Icon.phone))Devices</a>
                <a href="/settings">\(Icon.svg(Icon.settings))Settings</a>
                <button type="button" id="show-help">\(Icon.svg(Icon.keys))Keyboard shortcuts</button>
                <form class="logout" method="post" action="/logout"><button>\(Icon.svg(Icon.logOut))Log out</button></form>
              </div>
            </div>
        """

    private static func tool(_ name: String, _ words: String, _ icon: String, _ attributes: String = "class=\"tool\"")
        -> String
    {
        "<button \(attributes) type=\"button\" data-shell=\"\(name)\" aria-label=\"\(words)\" title=\"\(words)\">"
            + "\(Icon.svg(icon))</button>"
    }

    private static let logo = String(decoding: PackageResources.hub_svg, as: UTF8.self)
        .replacing("<svg ", with: "<svg class=\"logo\" aria-hidden=\"true\" ")
}
