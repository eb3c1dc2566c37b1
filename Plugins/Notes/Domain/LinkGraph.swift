/// The links between notes: where each leads, what leads back, and which lead nowhere.
package struct LinkGraph: Sendable {
    /// A note as the graph needs it.
    package struct Node: Sendable {
        /// The id of the note.
        package let id: String
        /// The title that links name.
        package let title: String
        /// The links of its text.
        package let links: [WikiLink]

        package init(id: String, title: String, links: [WikiLink]) {
            self.id = id
            self.title = title
            self.links = links
        }
    }

    /// A link that leads nowhere, and the note that has it.
    package struct BrokenLink: Hashable, Sendable {
        /// The id of the note with the link.
        package let source: String
        /// The link.
        package let link: WikiLink
    }

    private var ids: [String: String] = [:]
    private var outgoing: [String: [String]] = [:]
    private var incoming: [String: [String]] = [:]
    /// The links without a target, in the order of the notes.
    package private(set) var broken: [BrokenLink] = []

    /// Builds the graph; of several notes with one title, links lead to the first.
    package init(_ nodes: [Node]) {
        for node in nodes where !node.title.isEmpty {
            let key = WikiLink.key(node.title)
            if ids[key] == nil { ids[key] = node.id }
        }
        for node in nodes {
            var targets: [String] = []
            for link in node.links where !link.title.isEmpty {
                if let target = ids[link.key] {
                    if !targets.contains(target) { targets.append(target) }
                } else {
                    broken.append(BrokenLink(source: node.id, link: link))
                }
            }
            outgoing[node.id] = targets
            for target in targets { incoming[target, default: []].append(node.id) }
        }
    }

    /// Returns the note that a link leads to; nil for a broken one.
    package func target(of link: WikiLink) -> String? { ids[link.key] }

    /// Returns the notes that a note links to, in the order of its links.
    package func links(from id: String) -> [String] { outgoing[id] ?? [] }

    /// Returns the notes that link to a note.
    package func backlinks(to id: String) -> [String] { incoming[id] ?? [] }
}
