/// The themes of the page, with their stored names.
package enum Theme: String, CaseIterable, Sendable {
    case systemDefault = "System Default"
    case jungle = "Jungle"
    case ocean = "Ocean"

    /// Returns the theme with a stored name; System Default for an unknown name.
    package init(stored name: String?) { self = name.flatMap(Theme.init(rawValue:)) ?? .systemDefault }
}
