import TextDecoding

/// Fields with a single value: own values are kept, missing ones are added.
extension CardUnionBuilder {
    /// The properties that make up one field.
    private func places(_ field: MergeField, in card: Card) -> [Int] {
        func all(_ kinds: PropertyKind...) -> [Int] {
            card.properties.indices.filter { place in
                kinds.contains(card.properties[place].kind) && hasContent(place, in: card)
            }
        }
        switch field {
        case .name: return all(.formattedName, .name)
        case .org: return all(.organization)
        case .title: return all(.title)
        case .role: return all(.role)
        case .birthday: return all(.birthday)
        case .anniversary:
            return card.properties.indices.filter {
                card.isAnniversary(card.properties[$0]) && hasContent($0, in: card)
            }
        case .kind: return all(.kind, .appleKind, .appleShowAs)
        case .gender: return all(.unknown).filter { card.isNamed("GENDER", card.properties[$0]) }
        case .sortAs: return all(.sortString)
        }
    }

    func hasContent(_ place: Int, in card: Card) -> Bool {
        card.trimmedText(card.properties[place]).contains { $0 != ";" && !$0.isWhitespace }
    }

    mutating func mergeSingles() {
        for field in MergeField.allCases {
            let (mine, theirs) = (places(field, in: card), places(field, in: other))
            guard !theirs.isEmpty else { continue }
            if mine.isEmpty {
                take(field, theirs, instead: mine)
                continue
            }
            let (kept, dropped) = (shown(field, mine, in: card), shown(field, theirs, in: other))
            if field == .name, completeName(mine, theirs) { continue }
            if kept.lowercased() == dropped.lowercased() { continue }
            if taking.contains(field) || isMoreExact(field, mine, theirs) {
                take(field, theirs, instead: mine)
            } else if !isMoreExact(field, theirs, mine, turned: true) {
                conflicts.append(MergeConflict(field, kept: kept, dropped: dropped))
            }
        }
    }

    /// Adds an N to an equal FN, or an FN to an equal N; returns false if the names differ.
    private mutating func completeName(_ mine: [Int], _ theirs: [Int]) -> Bool {
        var missing: [Int] = []
        var hasEqual = card.details.displayName == other.details.displayName
        let known = mine.reduce(into: [PropertyKind: Set<[String]>]()) { known, place in
            let property = card.properties[place]
            known[property.kind, default: []].insert(value(of: property, in: card))
        }
        for place in theirs {
            let property = other.properties[place]
            guard let twins = known[property.kind] else {
                missing.append(place)
                continue
            }
            guard twins.contains(value(of: property, in: other)) else {
                return false
            }
            hasEqual = true
        }
        if hasEqual, !missing.isEmpty { take(.name, missing, instead: []) }
        return hasEqual
    }

    private func value(of property: Card.Property, in card: Card) -> [String] {
        var parts = card.components(property)
        while parts.last?.isEmpty == true { parts.removeLast() }
        return parts
    }

    /// Whether the other value is the same date with more known parts.
    private func isMoreExact(_ field: MergeField, _ mine: [Int], _ theirs: [Int], turned: Bool = false) -> Bool {
        guard field == .birthday || field == .anniversary else { return false }
        let (left, right) = turned ? (other, card) : (card, other)
        guard case .date(let mine)? = left.date(left.properties[mine[0]]),
            case .date(let theirs)? = right.date(right.properties[theirs[0]]), mine != theirs
        else { return false }
        func fits(_ mine: Int?, _ theirs: Int?) -> Bool { mine == nil || mine == theirs }
        return fits(mine.year, theirs.year) && fits(mine.month, theirs.month) && fits(mine.day, theirs.day)
    }

    /// The value for output.
    private func shown(_ field: MergeField, _ places: [Int], in card: Card) -> String {
        let details = card.details
        switch field {
        case .name:
            let parts = details.name.formatted
            return parts.isEmpty || parts == details.displayName
                ? details.displayName : "\(details.displayName) (\(details.name.family); \(details.name.given))"
        case .org: return details.organization.filter { !$0.isEmpty }.joined(separator: ", ")
        case .title: return details.title
        case .role: return details.role
        case .birthday: return details.birthday?.description ?? ""
        case .anniversary: return details.anniversary?.description ?? ""
        case .kind: return details.kind.name
        case .gender, .sortAs: return places.first.map { card.trimmedText(card.properties[$0]) } ?? ""
        }
    }

    /// Replaces properties by those of the other card.
    private mutating func take(_ field: MergeField, _ theirs: [Int], instead mine: [Int]) {
        var rest = mine
        // Empty properties are replaced by values of their kind.
        var empty: [PropertyKind: ArraySlice<Int>] = [:]
        for kind in Set(theirs.map { other.properties[$0].kind }) where kind != .unknown {
            empty[kind] = card.all(kind).filter { !hasContent($0, in: card) }[...]
        }
        for place in theirs {
            let property = other.properties[place]
            let line = renamed(PropertyLine(property, of: other), property)
            let twin = rest.firstIndex { card.properties[$0].kind == property.kind }
            if let target = twin.map({ rest.remove(at: $0) }) ?? empty[property.kind]?.popFirst() {
                patch.replace(target, by: line)
                hasChanged = true
            } else {
                add(line, behind: patch.place(for: property.kind))
            }
            addLabel(of: property, to: line.group)
        }
        // A name is taken as a whole: an N does not stay with the FN of another card.
        for place in rest {
            patch.apply(.remove(place))
            hasChanged = true
        }
    }
}

extension Card {
    /// Whether an unknown property has the name `name`, which is in upper case.
    func isNamed(_ name: String, _ property: Property) -> Bool {
        TextDecoding.decode(unfolded(property.name, property)).uppercased() == name
    }
}
