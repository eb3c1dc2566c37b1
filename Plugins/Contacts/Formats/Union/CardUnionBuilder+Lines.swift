/// Unknown properties: they are added unless they exist.
extension CardUnionBuilder {
    mutating func mergeLines() {
        // Converted in the same way as the lines of the other card, so that equal ones are equal.
        let plain = card.converted(to: card.version)
        var known = Set(plain.properties.filter { isLine($0, in: plain) }.map { LineKey($0, in: plain) })
        for property in other.properties where isLine(property, in: other) {
            guard known.insert(LineKey(property, in: other)).inserted else { continue }
            let line = renamed(PropertyLine(property, of: other), property)
            let place = property.kind == .unreadable ? patch.lastPlace : patch.place(for: property.kind)
            add(line, behind: property.kind == .unknown ? patch.lastPlace : place)
            addLabel(of: property, to: line.group, behind: property.kind == .unknown ? patch.lastPlace : place)
        }
    }

    /// A line is identified by its content and its custom label.
    private struct LineKey: Hashable {
        let hash: UInt128
        let label: String

        init(_ property: Card.Property, in card: Card) {
            hash = card.hash(of: property)
            label = card.customLabel(property) ?? ""
        }
    }

    /// Whether the property is merged as a line.
    private func isLine(_ property: Card.Property, in card: Card) -> Bool {
        switch property.kind {
        case .begin, .end, .version, .uid, .revision, .product, .created, .lastModified, .radicaleName, .appleLabel,
            .appleCountry, .formattedName, .name, .organization, .title, .role, .birthday, .kind, .appleKind,
            .appleShowAs, .sortString, .note, .photo, .nickname, .categories, .phone, .email, .url, .messenger,
            .socialProfile, .serviceMessenger, .address, .profile:
            false
        case .unreadable: property.value.contains { !card.bytes[$0].isBlank }
        case .unknown: !card.isNamed("GENDER", property)
        default: !card.isAnniversary(property)
        }
    }
}
