import ContentLines
import TextDecoding

/// A normalised property of a card, independent of order, case of names, folding, escapes and spellings that servers
/// change.
struct CardItem: Sendable {
    /// The content.
    struct Content: Hashable, Sendable {
        /// The name of the property in upper case.
        var slot: String
        /// The value in parts: the components of a name or an address, else a single text.
        var value: [String]
        /// The label: `work`, `mobile`, or the custom label of its group.
        var label: String
        /// All other parameters, sorted.
        var parameters: [String]
        /// The other values of the group: the country of an address.
        var companions: [String]
    }

    let content: Content
    let kind: PropertyKind
    /// The index of the property in its card.
    let place: Int
    /// The indices of its label and its country.
    let companions: [Int]
}

extension Card {
    /// The items of the card, without metadata of programs.
    var items: [CardItem] {
        properties.indices.compactMap { place in
            let property = properties[place]
            switch property.kind {
            case .begin, .end, .version, .uid, .revision, .product, .created, .lastModified, .radicaleName, .mergedUID:
                return nil
            // A line that is not a property cannot be added to another card.
            case .unreadable: return nil
            case .appleLabel, .appleCountry:
                // They belong to another property of the group and have no meaning alone.
                return nil
            default:
                // Some programs add or remove empty lines.
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
            // The time of day is not part of the date, but of the content.
            let text = trimmedText(property)
            return text.contains("T") ? [date.description, text] : [date.description]
        case _ where property.kind.isBinary || property.flags.contains(.base64):
            // Some servers escape the commas in pictures.
            return [String(decoding: content(property).filter { !$0.isBlank && $0 != ASCII.backslash }, as: UTF8.self)]
        default: return [plainValue(property)]
        }
    }

    /// The significant parameters: neither the encoding nor the label.
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
    /// Whether both cards have the same content, in any version.
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
    /// Whether this card has nothing that `other` has not, in any version: what a server keeps of it.
    package func isPart(of other: Card) -> Bool {
        var rest = (version == other.version ? other : other.converted(to: version)).items.reduce(
            into: [CardItem.Content: Int]()
        ) { $0[$1.content, default: 0] += 1 }
        return items.allSatisfy { item in
            guard let count = rest[item.content], count > 0 else { return false }
            rest[item.content] = count - 1
            return true
        }
    }

    /// Whether this card has everything that `new` has and `old` has not, and nothing that `new` lacks and `old` has.
    package func includesChanges(from old: Card?, to new: Card) -> Bool {
        func counted(_ card: Card?) -> [CardItem.Content: Int] {
            let card = card.map { $0.version == version ? $0 : $0.converted(to: version) }
            return (card?.items ?? []).reduce(into: [:]) { $0[$1.content, default: 0] += 1 }
        }
        let (before, after, now) = (counted(old), counted(new), counted(self))
        return Set(before.keys).union(after.keys).allSatisfy { content in
            let (was, sent) = (before[content, default: 0], after[content, default: 0])
            let count = now[content, default: 0]
            return was == sent || (sent > was ? count >= sent : count <= sent)
        }
    }

    /// Whether this card has all values of `other` and more values of fields that may be repeated, such as phones. A server
    /// that rewrites cards adds none; another program does.
    package func hasAdditions(to other: Card) -> Bool {
        func values(_ card: Card) -> [String: [[String]: Int]] {
            card.items.filter(\.kind.isRepeated).reduce(into: [:]) {
                $0[$1.content.slot, default: [:]][$1.content.value, default: 0] += 1
            }
        }
        let before = values(version == other.version ? other : other.converted(to: version))
        return values(self).contains { slot, found in
            let old = before[slot] ?? [:]
            return found.values.reduce(0, +) > old.values.reduce(0, +) && old.allSatisfy { found[$0, default: 0] >= $1 }
        }
    }

    /// Returns the fields of this card that `other` lacks or has changed, such as `phone home`, each once: the fields
    /// that a server did not store.
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

extension CardItem {
    /// The name of the field for output.
    var fieldName: String {
        switch kind {
        case .formattedName, .name: "name"
        case .phone: "phone"
        case .email: "email"
        case .address, .addressLabel: "address"
        case .organization: "org"
        case .title: "title"
        case .role: "role"
        case .birthday: "birthday"
        case .anniversary, .extendedAnniversary, .evolutionAnniversary, .appleDate: "anniversary"
        case .url: "url"
        case .messenger, .socialProfile, .serviceMessenger: "im"
        case .note: "note"
        case .nickname: "nickname"
        case .categories: "tag"
        default: content.slot.lowercased()
        }
    }
}

extension Card {
    /// The value of an item for output; of a picture its size.
    func shown(_ item: CardItem) -> String {
        let property = properties[item.place]
        switch property.kind {
        case .name: return structuredName(property).formatted
        case .address: return address(property).formatted
        case .organization: return item.content.value.joined(separator: ", ")
        case .birthday, .anniversary, .extendedAnniversary, .evolutionAnniversary:
            return date(property)?.description ?? trimmedText(property)
        case _ where property.kind.isBinary || property.flags.contains(.base64):
            return "\(dataLength(property)) bytes"
        default: return plainValue(property)
        }
    }

    /// The lines of an item for another card: the property, then the others of its group.
    func lines(of item: CardItem) -> [PropertyLine] {
        ([item.place] + item.companions).map { PropertyLine(properties[$0], of: self) }
    }
}
