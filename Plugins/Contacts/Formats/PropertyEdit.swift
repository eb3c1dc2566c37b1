/// One change of a card. Places are indices into `Card.properties` of the card that the edit is applied to.
package enum PropertyEdit: Hashable, Sendable {
    /// A new property, behind the others of its kind; a preference of 1 is the best.
    case add(PropertyKind, PropertyValue, label: String, preference: Int? = nil)
    /// Another value; parameters that say something else than how the value is written stay.
    case replace(Int, PropertyValue)
    /// Another kind in people's words; an empty one removes it.
    case relabel(Int, String)
    /// The property goes, and with the last property of a group its label.
    case remove(Int)
}

/// A value to be written; the writer knows how each version of vCard spells it.
package enum PropertyValue: Hashable, Sendable {
    /// Free text.
    case text(String)
    /// A link or an address with a scheme; it is not escaped.
    case uri(String)
    /// Items between commas.
    case list([String])
    /// Components between semicolons; nil keeps what the property has at that place.
    case components([String?])
    /// A birthday or anniversary.
    case date(ContactDate)
}
