package import Time

/// A tea, with the leaves that are left of it.
package struct Tea: Hashable, Sendable {
    package let id: String
    /// The name, unique among live teas.
    package var name: String
    package var grams: Int
    package var tags: [String]
    package let revision: Int
    package let deletedAt: Instant?

    /// The leaves of one pot, in grams.
    package static let pot = 5

    package init(
        id: String, name: String, grams: Int, tags: [String] = [], revision: Int = 1, deletedAt: Instant? = nil
    ) {
        self.id = id
        self.name = name
        self.grams = grams
        self.tags = tags
        self.revision = revision
        self.deletedAt = deletedAt
    }

    /// Takes the leaves of a pot. Returns false if there are too few.
    package mutating func brew() -> Bool {
        guard grams >= Tea.pot else { return false }
        grams -= Tea.pot
        return true
    }

    /// Returns the words of a text in the form in which they are compared.
    package static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// The text in which the words of a search are sought, each after a space.
    package var searchText: String { ([name] + tags).flatMap(Tea.words).map { " " + $0 }.joined() }
}
