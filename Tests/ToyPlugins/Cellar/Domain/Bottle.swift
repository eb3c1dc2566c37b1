package import CivilDate
package import Time

/// An item of the plugin: a value with rules, which knows neither the store nor hub.
package struct Bottle: Hashable, Sendable {
    /// The id.
    package let id: String
    /// The name, unique among live items.
    package var name: String
    /// The day that hub reminds of; nil for none.
    package var day: CivilDate?
    /// The tags.
    package var tags: [String]
    /// The revision number, increased by every change.
    package let revision: Int
    /// The time when it was moved to the trash; nil for a live one.
    package let deletedAt: Instant?

    package init(
        id: String, name: String, day: CivilDate? = nil, tags: [String] = [], revision: Int = 1,
        deletedAt: Instant? = nil
    ) {
        self.id = id
        self.name = name
        self.day = day
        self.tags = tags
        self.revision = revision
        self.deletedAt = deletedAt
    }

    /// Returns whether its day has come on `today`, or will come in at most `ahead` days.
    package func isDue(on today: CivilDate, ahead: Int) -> Bool {
        day.map { $0 <= today.adding(days: ahead) } ?? false
    }

    /// Returns the words of a text in the form in which they are compared.
    package static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// The text in which the words of a search are sought, each after a space.
    package var searchText: String { ([name] + tags).flatMap(Bottle.words).map { " " + $0 }.joined() }
}
