import PlainText

/// One thing that a card says, free of how it is written: order, case of names, folds, escapes and spellings that
/// servers change by themselves do not count.
struct CardItem: Sendable {
    /// What is said.
    struct Content: Hashable, Sendable {
        /// The property's name in upper case.
        var slot: String
        /// The value in parts: the components of a name or an address, else one text.
        var value: [String]
        /// What the value is, in people's words: `work`, `mobile`, or the label of its group.
        var label: String
        /// All other parameters, sorted.
        var parameters: [String]
        /// What else stands in the group: the country of an address.
        var companions: [String]
    }

    let content: Content
    let kind: PropertyKind
    /// Where the property stands in its card.
    let place: Int
    /// Where its label and its country stand.
    let companions: [Int]
}

extension Card {
    /// What the card says, property by property. What programs write about the card itself is left out.
    var items: [CardItem] {
        properties.indices.compactMap { place in
            let property = properties[place]
            switch property.kind {
            case .begin, .end, .version, .uid, .revision, .product, .created, .lastModified, .radicaleName: return nil
            // What is no line of a card cannot be given to another one.
            case .unreadable: return nil
            case .appleLabel, .appleCountry:
                // They belong to what they stand beside; alone they say nothing.
                return nil
            default:
                // An empty line says nothing; some programs write it and some take it away.
                let item = item(property, at: place)
                return item.content.value.allSatisfy(\.isEmpty) ? nil : item
            }
        }
    }

    private func item(_ property: Property, at place: Int) -> CardItem {
        let companions = companions(of: property)
        let label = typeWords(property).label
        let countries = companions.filter { properties[$0].kind == .appleCountry }
        let content = CardItem.Content(
            slot: slot(of: property), value: itemValue(property), label: label,
            parameters: itemParameters(property), companions: countries.map { trimmedText(properties[$0]) }.sorted())
        return CardItem(content: content, kind: property.kind, place: place, companions: companions)
    }

    private func slot(of property: Property) -> String {
        switch property.kind {
        case .unknown, .serviceMessenger: TextDecoding.decode(unfolded(property.name, property)).uppercased()
        default: property.kind.rawValue
        }
    }

    private func itemValue(_ property: Property) -> [String] {
        switch property.kind {
        case .name, .address, .organization:
            var parts = components(property)
            while parts.last?.isEmpty == true { parts.removeLast() }
            return parts
        case .categories, .nickname: return list(property).sorted()
        case .birthday, .anniversary, .extendedAnniversary, .evolutionAnniversary:
            guard let date = date(property) else { return [trimmedText(property)] }
            // A time of day is no part of a date, but part of what is said.
            let text = trimmedText(property)
            return text.contains("T") ? [date.description, text] : [date.description]
        case _ where property.kind.isBinary || property.flags.contains(.base64):
            // Nobody escapes pictures, save some servers.
            return [String(decoding: content(property).filter { !$0.isBlank && $0 != ASCII.backslash }, as: UTF8.self)]
        default: return [plainValue(property)]
        }
    }

    /// The parameters that say something of their own: not how the value is written, and not its kind in people's words.
    private func itemParameters(_ property: Property) -> [String] {
        if property.parameters.isEmpty { return [] }
        var found = Set<String>()
        for parameter in parameters(property) {
            switch parameter.name.uppercased() {
            case "ENCODING", "CHARSET", "VALUE", "X-APPLE-OMIT-YEAR": continue
            case "", "TYPE":
                for word in parameter.values where word.uppercased() == "PREF" { found.insert("PREF=1") }
                if property.kind.isBinary { found.formUnion(parameter.values.map { "TYPE=\($0.uppercased())" }) }
            case let name: found.formUnion(parameter.values.map { "\(name)=\($0)" })
            }
        }
        return found.sorted()
    }
}

extension Card {
    /// Whether both cards say the same, in whichever version each is written.
    package func saysSame(as other: Card) -> Bool {
        if bytes == other.bytes { return true }
        if version == other.version, contentHash == other.contentHash { return true }
        let mine = version == other.version ? self : converted(to: other.version)
        func counted(_ card: Card) -> [CardItem.Content: Int] {
            card.items.reduce(into: [:]) { $0[$1.content, default: 0] += 1 }
        }
        return counted(mine) == counted(other)
    }
}

extension Card {
    /// The fields that this card says and `other` does not say so, such as `phone home`, each once: what somebody did not
    /// keep who was given this card.
    package func fields(missingIn other: Card) -> [String] {
        struct Statement: Hashable {
            let slot: String
            let value: [String]
            let label: String

            init(_ content: CardItem.Content) { (slot, value, label) = (content.slot, content.value, content.label) }
        }
        var kept: [Statement: Int] = [:]
        for item in (version == other.version ? other : other.converted(to: version)).items {
            kept[Statement(item.content), default: 0] += 1
        }
        var missing: [String] = []
        var named: Set<String> = []
        for item in items {
            let statement = Statement(item.content)
            if let count = kept[statement], count > 0 {
                kept[statement] = count - 1
                continue
            }
            let name = item.content.label.isEmpty ? item.fieldName : "\(item.fieldName) \(item.content.label)"
            if named.insert(name).inserted { missing.append(name) }
        }
        return missing
    }
}
