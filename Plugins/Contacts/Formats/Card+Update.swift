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
        let empty = Card("BEGIN:VCARD\r\nVERSION:\(version.rawValue)\r\nEND:VCARD\r\n")
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
        edits += labeledEdits([.url], old.urls, new.urls)
        edits += labeledEdits([.messenger, .socialProfile, .serviceMessenger], old.messengers, new.messengers)
        edits += listEdits(.categories, new.tags)
        if old.note != new.note {
            // Several notes are shown as one.
            edits += all(.note).dropFirst().map(PropertyEdit.remove)
            text(.note, old.note, new.note)
        }
        return edits
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
        let kind: PropertyKind = kinds.contains(.messenger) ? .messenger : kinds.first ?? .unknown
        edits += pairing.added.map {
            .add(kind, value(new[$0].value, kind), label: new[$0].label, preference: new[$0].preference)
        }
        return edits
    }

    private func value(_ text: String, _ kind: PropertyKind) -> PropertyValue {
        kind == .url || kind == .messenger ? .uri(text) : .text(text)
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
