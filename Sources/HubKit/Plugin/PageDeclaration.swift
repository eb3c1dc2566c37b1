package import Commands

/// The page of a plugin in the web app, at `/ID`. The plugin brings what stands in `<main>`; HubRuntime draws the frame around
/// it: navigation, search over everything, undo, settings.
package struct PageDeclaration: Sendable {
    /// What the page is for, in the words of its users, such as `Habits`; nil when the title of the plugin says it.
    package let name: String?
    /// The shapes of the icon, as SVG elements on a grid of 24 by 24 that are drawn with a line in the current colour.
    package let icon: String
    /// The HTML beside the heading of the page, such as a search field and tabs; may be empty.
    package let toolbar: [UInt8]
    /// The HTML of `<main>` before the scripts run; if it is empty, that of a page of the plugin's first entity.
    package let content: [UInt8]
    /// The scripts by name, served as `/ID/NAME.js`. They are ES modules; the first one is run, and imports the others.
    /// Without scripts, the page is the one that all entities have: list, item, trash and history.
    package let modules: [(name: String, bytes: [UInt8])]
    /// The style sheets by name, served as `/ID/NAME.css` and loaded in this order.
    package let styles: [(name: String, bytes: [UInt8])]
    /// The invitation that `/` shows while the plugin holds nothing.
    package let firstUse: FirstUse?
    /// What can be added from every page.
    package let additions: [QuickAddition]
    /// What the plugin takes from other apps of a device.
    package let shares: [ShareTarget]

    package init(
        name: String? = nil, icon: String, toolbar: [UInt8] = [], content: [UInt8] = [],
        modules: [(name: String, bytes: [UInt8])] = [],
        styles: [(name: String, bytes: [UInt8])] = [], firstUse: FirstUse? = nil, additions: [QuickAddition] = [],
        shares: [ShareTarget] = []
    ) {
        self.name = name
        self.icon = icon
        self.toolbar = toolbar
        self.content = content
        self.modules = modules
        self.styles = styles
        self.firstUse = firstUse
        self.additions = additions
        self.shares = shares
    }
}

/// Something that can be added from every page, by the key `c` or the button *Add*.
package struct QuickAddition: Sendable {
    /// What is done with the words that are typed.
    package enum Way: Sendable {
        /// They are sent: a `POST` to `path` with `body`, JSON in which `$text` stands for the words, `$today` for the day
        /// of the browser, and `$key` for a random text that is the same when the request is repeated.
        case send(path: String, body: String)
        /// There are none: the page at `path` is opened.
        case open(path: String)
    }

    /// The thing, such as `Note`.
    package let words: String
    /// The name of an icon of the components.
    package let icon: String
    /// What is to be typed, such as `Title`; empty when nothing is.
    package let label: String
    /// What adding does.
    package let way: Way

    package init(_ words: String, icon: String, label: String = "", _ way: Way) {
        self.words = words
        self.icon = icon
        self.label = label
        self.way = way
    }
}

/// Something that other apps of a phone can hand to a plugin, by their share menu.
package struct ShareTarget: Sendable {
    /// What is taken, and how it is sent to the path.
    package enum Content: Sendable {
        /// Text or a link: `body` is JSON in which `$title` and `$text` stand for it, `$today` for the day of the browser, and
        /// `$key` for a random text that is the same when the request is repeated.
        case text(body: String)
        /// Files of these media types and endings, such as `audio/*` and `.vcf`: each is the body of a request, its name in
        /// the query as `name`. With `inPieces`, a file is sent as `sendFile` of the components does it.
        case files([String], inPieces: Bool = false)
    }

    /// What becomes of it, such as `New note`.
    package let words: String
    /// The name of an icon of the components.
    package let icon: String
    /// The path of the `POST` route.
    package let path: String
    /// What is taken.
    package let content: Content

    package init(_ words: String, icon: String, path: String, _ content: Content) {
        self.words = words
        self.icon = icon
        self.path = path
        self.content = content
    }
}

/// What a plugin offers a person who has nothing in it yet.
package struct FirstUse: Sendable {
    /// A way to begin: words for a button, and the path that it opens.
    package struct Step: Sendable {
        /// The words on the button.
        package let words: String
        /// The path of the page that it opens.
        package let path: String

        package init(_ words: String, path: String) {
            self.words = words
            self.path = path
        }
    }

    /// The heading, such as `Your contacts`.
    package let title: String
    /// One or two sentences on what the plugin is for.
    package let text: String
    /// The ways to begin, the best first.
    package let steps: [Step]
    /// The path of the `POST` route that imports the file in its body, whose name is in the query as `name`; nil for none. Files
    /// that are dropped on the invitation go there.
    package let importPath: String?
    /// Returns whether the plugin holds nothing yet.
    package let isEmpty: @Sendable (any PluginHost) async throws -> Bool

    /// Creates the invitation of the plugin `P`.
    package init<P: Plugin>(
        _ title: String, text: String, steps: [Step], importPath: String? = nil,
        isEmpty: @escaping @Sendable (P) async throws -> Bool
    ) {
        self.title = title
        self.text = text
        self.steps = steps
        self.importPath = importPath
        self.isEmpty = { host in try await isEmpty(host.plugin(P.self)) }
    }
}
