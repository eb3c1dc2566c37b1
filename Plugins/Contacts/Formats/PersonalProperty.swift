import TextDecoding

/// A property of vCard 4.0 about a person that other versions have under the same name, or with `X-` in front.
enum PersonalProperty: String {
    case gender = "GENDER"
    case pronouns = "PRONOUNS"
    case language = "LANG"

    /// The property that an unknown one is; nil if it is none of these.
    init?(_ property: Card.Property, of card: Card) {
        guard property.kind == .unknown, (4...10).contains(property.name.count) else { return nil }
        let name = card.name(property).uppercased()
        self.init(rawValue: name.hasPrefix("X-") ? String(name.dropFirst(2)) : name)
    }
}

extension Card {
    /// The indices of the properties of one meaning.
    func all(_ personal: PersonalProperty) -> [Int] {
        properties.indices.filter { PersonalProperty(properties[$0], of: self) == personal }
    }
}
