package import WebServer

/// The frame of a page that the server writes itself; pages of plugins bring their own in the same style.
package struct HTMLLayout: Sendable {
    /// The page's name, as text.
    package var title: String
    /// The session key that login.js stores; empty to delete it, nil to leave it unchanged.
    package var key: String?
    /// The HTML below the heading.
    package var body: String

    package init(title: String, key: String? = nil, body: String) {
        self.title = title
        self.key = key
        self.body = body
    }

    /// The whole document.
    package var html: String {
        let meta = key.map { "\n  <meta name=\"hub-key\" content=\"\(HTML.escape($0))\">" } ?? ""
        return """
            <!doctype html>
            <html lang="en">
            <head>
              <meta charset="utf-8">
              <meta name="viewport" content="width=device-width, initial-scale=1">
              <title>\(HTML.escape(title)) · hub</title>
              <link rel="icon" href="/assets/hub.svg">
              <link rel="stylesheet" href="/assets/hub.css">\(meta)
              <script type="module" src="/assets/login.js"></script>
            </head>
            <body>
              <header class="bar"><h1>\(HTML.escape(title))</h1></header>
              <main class="text">
            \(body)
              </main>
            </body>
            </html>

            """
    }
}

extension HTTPResponse {
    /// A page of the server's own.
    package static func page(_ frame: HTMLLayout, status: Int = 200) -> HTTPResponse {
        .text(frame.html, status: status, type: "text/html; charset=utf-8")
    }
}
