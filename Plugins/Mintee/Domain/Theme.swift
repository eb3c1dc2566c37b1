/// The looks of the page, by the names that are stored.
package enum Theme: String, CaseIterable, Sendable {
    case systemDefault = "System Default"
    case jungle = "Jungle"
    case ocean = "Ocean"

    /// The theme of a stored name; System Default for a name that is none.
    package init(stored name: String?) { self = name.flatMap(Theme.init(rawValue:)) ?? .systemDefault }
}
