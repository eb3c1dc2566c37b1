import Text

/// Merges one card into another, property by property.
struct CardUnionBuilder {
    let card: Card
    /// The other card, in the same version.
    let other: Card
    var patch: CardPatch
    var hasChanged = false
    var conflicts: [MergeConflict] = []
    let taking: Set<MergeField>
    let region: CallingCode?
    /// The new names of the other card's groups.
    private var groups: [String: String] = [:]
    /// The labels of new groups that are already in the card, by new name.
    private var labelled: Set<String> = []
    /// Whether the card has a preferred value, by kind.
    var preferred: [PropertyKind: Bool] = [:]

    init(_ card: Card, _ other: Card, _ taking: Set<MergeField>, _ region: CallingCode?) {
        self.card = card
        self.other = other
        self.taking = taking
        self.region = region
        patch = CardPatch(card)
    }

    mutating func merge() {
        mergeSingles()
        mergeNotes()
        mergePictures()
        for kind in [PropertyKind.nickname, .categories] { mergeList(kind) }
        mergeValues()
        mergeLines()
    }

    /// Records that a card was merged into this one; the latest content of a `UID` is kept.
    mutating func remember(_ source: MergedSource) {
        let line = Card.line(for: source)
        for place in card.all(.mergedUID) {
            let known = card.mergedSource(card.properties[place])
            if known == source { return }
            if !source.uid.isEmpty, known.uid == source.uid {
                patch.replace(place, by: line)
                hasChanged = true
                return
            }
        }
        add(line, behind: card.all(.mergedUID).last ?? patch.lastPlace)
    }

    mutating func add(_ line: PropertyLine, behind place: Int) {
        patch.insert(line, behind: place)
        hasChanged = true
    }

    /// Returns the line with the new name of its group.
    mutating func renamed(_ line: PropertyLine, _ property: Card.Property) -> PropertyLine {
        guard !line.group.isEmpty else { return line }
        var line = line
        let name = line.group.lowercased()
        let group = groups[name] ?? patch.newGroup()
        groups[name] = group
        line.group = group
        return line
    }

    /// Adds the label and the country of a property, once per group.
    mutating func addLabel(of property: Card.Property, to group: String, behind place: Int? = nil) {
        guard !group.isEmpty, labelled.insert(group).inserted else { return }
        for kind in [PropertyKind.appleLabel, .appleCountry] {
            guard let companion = other.companion(kind, of: property) else { continue }
            var line = PropertyLine(other.properties[companion], of: other)
            line.group = group
            add(line, behind: place ?? patch.place(for: property.kind))
        }
    }
}

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
