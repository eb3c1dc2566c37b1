/// The part of a page that differs from the others; ``WebShell`` draws the frame around it.
package struct HTMLLayout: Sendable {
    /// The page's name, as text.
    package var title: String
    /// The first part of the path, by which the navigation marks the page; empty for Today.
    package var place: String?
    /// The session key that login.js stores; empty to delete it, nil to leave it unchanged.
    package var key: String?
    /// The HTML beside the heading.
    package var toolbar: String
    /// The HTML of `<main>`.
    package var body: String
    /// What the page needs to know of the entities of its plugin, as JSON; empty for nothing.
    package var entities: String
    /// The paths of the page's own style sheets.
    package var styles: [String]
    /// The path of the page's own module.
    package var script: String?
    /// Whether the page is for a person who has logged in: it has navigation, search and undo.
    package var isForSession: Bool

    package init(
        title: String, place: String? = nil, key: String? = nil, toolbar: String = "", body: String,
        entities: String = "", styles: [String] = [], script: String? = nil, isForSession: Bool = true
    ) {
        self.title = title
        self.place = place
        self.key = key
        self.toolbar = toolbar
        self.body = body
        self.entities = entities
        self.styles = styles
        self.script = script
        self.isForSession = isForSession
    }
}
