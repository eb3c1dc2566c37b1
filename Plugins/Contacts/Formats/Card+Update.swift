import Text

/// The result of editing a card.
package struct CardUpdate: Sendable {
    /// The changed card.
    package let card: Card
    /// The changed fields; if empty, the card is the same.
    package let changes: [FieldChange]
    /// The number of properties that kept their bytes, except `BEGIN`, `VERSION`, `REV` and `END`.
    package let untouched: Int
}

extension Card {
    /// Returns the card with the values of `new`, changing only the properties whose values differ.
    ///
    /// `time` is the time for `REV`, in milliseconds since 1970 UTC; nil does not change `REV`.
    package func updated(to new: ContactDetails, at time: Int64?) -> CardUpdate {
        let edits = edits(to: new)
        var patch = CardPatch(self)
        for edit in edits { patch.apply(edit) }
        let touched = patch.touched
        if let time, !edits.isEmpty { patch.setRevision(time) }
        let untouched = properties.indices.count { place in
            switch properties[place].kind {
            case .begin, .end, .version, .revision, .unreadable: false
            default: !touched.contains(place)
            }
        }
        let card = edits.isEmpty ? self : Card(patch.bytes())
        return CardUpdate(card: card, changes: details.changes(to: card.details), untouched: untouched)
    }

    /// Creates a card with these values.
    ///
    /// `time` is the time for `REV`, in milliseconds since 1970 UTC; nil adds no `REV`.
    package init(_ details: ContactDetails, version: VCardVersion = .v3, at time: Int64?) {
        var named = details
        named.formattedName = details.displayName
        let empty = Card.empty(version)
        var patch = CardPatch(empty)
        for edit in empty.edits(to: named) { patch.apply(edit) }
        // Phones and readers of 3.0 expect both FN and N, even if empty.
        if named.formattedName.isEmpty { patch.apply(.add(.formattedName, .text(""), label: "")) }
        if named.name.isEmpty { patch.apply(.add(.name, .components(["", "", "", "", ""]), label: "")) }
        if let time { patch.setRevision(time) }
        self.init(patch.bytes())
    }

    /// Returns the edits that change the values of this card to those of `new`.
    package func edits(to new: ContactDetails) -> [PropertyEdit] {
        let old = details
        var edits: [PropertyEdit] = []
        func single(_ kind: PropertyKind, _ value: PropertyValue?, at places: [Int]) {
            guard let value else {
                edits += places.map(PropertyEdit.remove)
                return
            }
            edits.append(places.first.map { .replace($0, value) } ?? .add(kind, value, label: ""))
        }
        func single(_ kind: PropertyKind, _ value: PropertyValue?) { single(kind, value, at: all(kind)) }
        func text(_ kind: PropertyKind, _ old: String, _ new: String) {
            if old != new { single(kind, new.isEmpty ? nil : .text(new)) }
        }
        if let uid = new.uid, uid != old.uid { single(.uid, .uri(uid.repairedText)) }
        text(.formattedName, old.formattedName, new.formattedName)
        if old.name != new.name { single(.name, .components(old.name.components(to: new.name))) }
        if old.kind != new.kind, new.kind == .organization {
            let (kind, text) = version == .v4 ? (PropertyKind.kind, "org") : (.appleShowAs, "COMPANY")
            let name = version == .v4 ? "KIND" : "X-ABShowAs"
            edits.append(first(kind).map { .replace($0, .text(text)) } ?? .addNamed(name, .text(text)))
        }
        edits += listEdits(.nickname, new.nicknames)
        edits += labeledEdits([.phone], old.phones, new.phones)
        edits += labeledEdits([.email], old.emails, new.emails)
        edits += addressEdits(old.addresses, new.addresses)
        if old.organization != new.organization {
            single(.organization, new.organization.isEmpty ? nil : .components(organization(new.organization)))
        }
        text(.title, old.title, new.title)
        text(.role, old.role, new.role)
        if old.birthday != new.birthday { single(.birthday, new.birthday.map(PropertyValue.date)) }
        if old.anniversary != new.anniversary {
            let places = properties.indices.filter { isAnniversary(properties[$0]) }
            let kind: PropertyKind = version == .v4 ? .anniversary : .extendedAnniversary
            single(kind, new.anniversary.map(PropertyValue.date), at: places)
        }
        edits += dateEdits(old.dates, new.dates)
        edits += personalEdits(from: old, to: new)
        edits += labeledEdits([.related, .appleRelated], old.relations, new.relations)
        edits += labeledEdits([.url], old.urls, new.urls)
        edits += labeledEdits([.messenger, .socialProfile, .serviceMessenger], old.messengers, new.messengers)
        edits += listEdits(.categories, new.tags)
        if old.note != new.note {
            // Several notes are shown as one.
            edits += all(.note).dropFirst().map(PropertyEdit.remove)
            text(.note, old.note, new.note)
        }
        return edits + customEdits(old.customFields, new.customFields)
    }

    /// The units of an organization; additional ones of the card become empty.
    private func organization(_ units: [String]) -> [String?] {
        guard let place = first(.organization) else { return units }
        let surplus = components(properties[place]).count - units.count
        return units + [String](repeating: "", count: max(0, surplus))
    }
}

extension Card {
    private func labeledEdits(
        _ kinds: Set<PropertyKind>, _ old: [LabeledValue], _ new: [LabeledValue]
    ) -> [PropertyEdit] {
        // The same properties in the same order as in `details`.
        let places = properties.indices.filter {
            kinds.contains(properties[$0].kind) && !plainValue(properties[$0]).isEmpty
        }
        let pairing = Pairing(old, new)
        var edits: [PropertyEdit] = []
        for pair in pairing.pairs {
            let (before, after) = (old[pair.old], new[pair.new])
            let place = places[pair.old]
            if before.value != after.value {
                edits.append(.replace(place, value(after.value, properties[place].kind)))
            }
            if before.label != after.label { edits.append(.relabel(place, after.label)) }
        }
        edits += pairing.removed.map { .remove(places[$0]) }
        edits += pairing.added.map {
            let kind = self.kind(ofNew: new[$0].value, kinds)
            return .add(kind, value(new[$0].value, kind), label: new[$0].label, preference: new[$0].preference)
        }
        return edits
    }

    /// The kind of a new property: a profile on a web page is none of a messenger, and Apple's programs know related people only
    /// by name.
    private func kind(ofNew value: String, _ kinds: Set<PropertyKind>) -> PropertyKind {
        if kinds.contains(.messenger) { return WebAddress.isPage(value) ? .socialProfile : .messenger }
        if kinds.contains(.related) {
            return version == .v4 || RelatedPerson.isLink(value) ? .related : .appleRelated
        }
        return kinds.first ?? .unknown
    }

    private func value(_ text: String, _ kind: PropertyKind) -> PropertyValue {
        switch kind {
        case .url, .messenger, .socialProfile, .serviceMessenger: .uri(text)
        case .related: RelatedPerson.isLink(text) ? .uri(text) : .text(text)
        default: .text(text)
        }
    }

    private func dateEdits(_ old: [LabeledDate], _ new: [LabeledDate]) -> [PropertyEdit] {
        let places = properties.indices.filter { place in
            let property = properties[place]
            return property.kind == .appleDate && !isAnniversary(property) && date(property) != nil
        }
        let pairing = Pairing(old.map(\.labeled), new.map(\.labeled))
        var edits: [PropertyEdit] = []
        for pair in pairing.pairs {
            let (before, after) = (old[pair.old], new[pair.new])
            if before.date != after.date { edits.append(.replace(places[pair.old], .date(after.date))) }
            if before.label != after.label { edits.append(.relabel(places[pair.old], after.label)) }
        }
        edits += pairing.removed.map { .remove(places[$0]) }
        return edits + pairing.added.map { .add(.appleDate, .date(new[$0].date), label: new[$0].label) }
    }

    private func personalEdits(from old: ContactDetails, to new: ContactDetails) -> [PropertyEdit] {
        func single(_ kind: PersonalProperty, _ old: String, _ new: String, _ value: PropertyValue) -> [PropertyEdit] {
            if old == new { return [] }
            let places = all(kind)
            if new.isEmpty { return places.map(PropertyEdit.remove) }
            return [places.first.map { .replace($0, value) } ?? .addNamed(kind.rawValue, value)]
        }
        var parts = new.gender.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmed)
        if parts.count == 1, old.gender.contains(";") { parts.append("") }
        var edits = single(.gender, old.gender, new.gender, .components(parts))
        edits += single(.pronouns, old.pronouns, new.pronouns, .text(new.pronouns))
        guard old.languages != new.languages else { return edits }
        let places = all(.language)
        for (index, place) in places.enumerated() {
            edits.append(index < new.languages.count ? .replace(place, .text(new.languages[index])) : .remove(place))
        }
        return edits
            + new.languages.dropFirst(places.count).map { .addNamed(PersonalProperty.language.rawValue, .text($0)) }
    }

    private func customEdits(_ old: [LabeledValue], _ new: [LabeledValue]) -> [PropertyEdit] {
        if old == new { return [] }
        let places = customPlaces
        let pairing = Pairing(old, new)
        var edits: [PropertyEdit] = []
        func value(_ text: String, _ isNamed: Bool) -> PropertyValue {
            // An unknown property may have components.
            isNamed
                ? .components(text.split(separator: ";", omittingEmptySubsequences: false).map(String.init))
                : .text(text)
        }
        func add(_ field: LabeledValue) -> PropertyEdit {
            if let name = CustomField.propertyName(field.label) { return .addNamed(name, value(field.value, true)) }
            return .add(.customField, .text(field.value), label: field.label)
        }
        for pair in pairing.pairs {
            let (before, after) = (old[pair.old], new[pair.new])
            let (place, isNamed) = (places[pair.old], properties[places[pair.old]].kind != .customField)
            let count = { (text: String) in text.utf8.count { $0 == ASCII.semicolon } }
            // Fewer components than before would keep the last ones.
            if before.label.lowercased() == after.label.lowercased(),
                !isNamed || count(after.value) >= count(before.value)
            {
                if before.value != after.value { edits.append(.replace(place, value(after.value, isNamed))) }
            } else {
                // The label of a field without a custom one is its name.
                edits += [.remove(place), add(after)]
            }
        }
        edits += pairing.removed.map { .remove(places[$0]) }
        return edits + pairing.added.map { add(new[$0]) }
    }

    private func addressEdits(_ old: [PostalAddress], _ new: [PostalAddress]) -> [PropertyEdit] {
        let places = properties.indices.filter {
            properties[$0].kind == .address && !address(properties[$0]).isEmpty
        }
        func values(_ addresses: [PostalAddress]) -> [LabeledValue] {
            addresses.map { LabeledValue($0.parts.joined(separator: ";"), label: $0.label) }
        }
        let pairing = Pairing(values(old), values(new))
        var edits: [PropertyEdit] = []
        for pair in pairing.pairs {
            let (before, after) = (old[pair.old], new[pair.new])
            if before.parts != after.parts {
                let changed = zip(before.parts, after.parts).map { $0 == $1 ? nil : $1 }
                edits.append(.replace(places[pair.old], .components(changed)))
            }
            if before.label != after.label { edits.append(.relabel(places[pair.old], after.label)) }
        }
        edits += pairing.removed.map { .remove(places[$0]) }
        edits += pairing.added.map { .add(.address, .components(new[$0].parts), label: new[$0].label) }
        return edits
    }

    /// Returns the edits of a list that may be spread over several properties; unchanged items stay in place.
    private func listEdits(_ kind: PropertyKind, _ new: [String]) -> [PropertyEdit] {
        let places = all(kind)
        let wanted = Set(new)
        var present = Set<String>()
        var edits: [PropertyEdit] = []
        var kept: [(place: Int, items: [String])] = []
        for place in places {
            let items = list(properties[place])
            let staying = items.filter(wanted.contains)
            present.formUnion(staying)
            if staying.isEmpty, !items.isEmpty {
                edits.append(.remove(place))
            } else {
                kept.append((place, staying))
                if staying != items { edits.append(.replace(place, .list(staying))) }
            }
        }
        let missing = new.filter { !present.contains($0) }
        guard !missing.isEmpty else { return edits }
        guard let last = kept.last else { return edits + [.add(kind, .list(missing), label: "")] }
        edits.removeAll { if case .replace(last.place, _) = $0 { true } else { false } }
        return edits + [.replace(last.place, .list(last.items + missing))]
    }
}

extension StructuredName {
    /// The components of `N`, nil for unchanged ones.
    fileprivate func components(to new: StructuredName) -> [String?] {
        [\StructuredName.family, \.given, \.additional, \.prefix, \.suffix].map { part in
            self[keyPath: part] == new[keyPath: part] ? nil : new[keyPath: part]
        }
    }
}
