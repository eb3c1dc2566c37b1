/// A change of a card. Indices refer to `Card.properties` of the card that the edit is applied to.
package enum PropertyEdit: Hashable, Sendable {
    /// Adds a property after the others of its kind; a preference of 1 is the highest.
    case add(PropertyKind, PropertyValue, label: String, preference: Int? = nil)
    /// Adds a property without a kind after the others without one.
    case addNamed(String, PropertyValue)
    /// Replaces the value; parameters that do not describe the encoding are kept.
    case replace(Int, PropertyValue)
    /// Replaces the label; an empty one removes it.
    case relabel(Int, String)
    /// Removes the property, and with the last property of a group its label.
    case remove(Int)
}

/// A value to write, which is encoded for the version of the card.
package enum PropertyValue: Hashable, Sendable {
    /// Text, which is escaped.
    case text(String)
    /// A URI, which is not escaped.
    case uri(String)
    /// Items separated by commas.
    case list([String])
    /// Components separated by semicolons; nil keeps the existing component.
    case components([String?])
    /// A birthday or anniversary.
    case date(ContactDate)
}
