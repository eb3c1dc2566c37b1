/// A card that took over another one.
package struct CardMerge: Sendable {
    /// The card with the values of both; the same bytes when the other says nothing new.
    package let card: Card
    /// The single values of which one had to be chosen.
    package let conflicts: [MergeConflict]

    /// Merges `other` into `card`.
    ///
    /// Every line of `card` that gets nothing new keeps its bytes. Lists become the union by main value, kinds are joined,
    /// notes stand below each other, of pictures the larger one is kept, and every line of `other` that hub does not
    /// understand is added unless it is there. A value that a contact has once stays; the other's is taken when there is
    /// none, or when `taking` names the field. `source` is remembered, so that the other card is known when it comes
    /// again. `time` is the instant for `REV`, in milliseconds since 1970 UTC.
    package init(
        _ card: Card, with other: Card, remembering source: MergedSource?, taking: Set<MergeField> = [],
        region: CallingCode? = nil, at time: Int64?
    ) {
        var merger = CardMerger(card, other.converted(to: card.version), taking, region)
        merger.merge()
        if let source { merger.remember(source) }
        if let time, merger.hasChanged { merger.patch.setRevision(time) }
        self.card = merger.hasChanged ? Card(merger.patch.bytes()) : card
        conflicts = merger.conflicts
    }
}

/// Merges one card into another, property by property.
struct CardMerger {
    let card: Card
    /// The other card, in the same version.
    let other: Card
    var patch: CardPatch
    var hasChanged = false
    private(set) var conflicts: [MergeConflict] = []
    private let taking: Set<MergeField>
    private let region: CallingCode?
    /// The new names of the other card's groups.
    private var groups: [String: String] = [:]
    /// The labels of groups that stand in the card already, by new name.
    private var labelled: Set<String> = []

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

    /// Remembers that a card was merged into this one; the latest content of one `UID` counts.
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

    // MARK: Values that a contact has once

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

    private func hasContent(_ place: Int, in card: Card) -> Bool {
        card.trimmedText(card.properties[place]).contains { $0 != ";" && !$0.isWhitespace }
    }

    private mutating func mergeSingles() {
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

    /// Takes an N beside an equal FN, or an FN beside an equal N; false when the names differ.
    private mutating func completeName(_ mine: [Int], _ theirs: [Int]) -> Bool {
        var missing: [Int] = []
        var hasEqual = card.details.displayName == other.details.displayName
        for place in theirs {
            let property = other.properties[place]
            let twins = mine.filter { card.properties[$0].kind == property.kind }
            if twins.isEmpty {
                missing.append(place)
            } else if twins.contains(where: {
                value(of: card.properties[$0], in: card) == value(of: property, in: other)
            }) {
                hasEqual = true
            } else {
                return false
            }
        }
        if hasEqual, !missing.isEmpty { take(.name, missing, instead: []) }
        return hasEqual
    }

    private func value(of property: Card.Property, in card: Card) -> [String] {
        var parts = card.components(property)
        while parts.last?.isEmpty == true { parts.removeLast() }
        return parts
    }

    /// Whether theirs is the same date with more of its parts known.
    private func isMoreExact(_ field: MergeField, _ mine: [Int], _ theirs: [Int], turned: Bool = false) -> Bool {
        guard field == .birthday || field == .anniversary else { return false }
        let (left, right) = turned ? (other, card) : (card, other)
        guard case .date(let mine)? = left.date(left.properties[mine[0]]),
            case .date(let theirs)? = right.date(right.properties[theirs[0]]), mine != theirs
        else { return false }
        func fits(_ mine: Int?, _ theirs: Int?) -> Bool { mine == nil || mine == theirs }
        return fits(mine.year, theirs.year) && fits(mine.month, theirs.month) && fits(mine.day, theirs.day)
    }

    /// The value in people's words.
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

    /// Puts the other card's properties in the places of this card's.
    private mutating func take(_ field: MergeField, _ theirs: [Int], instead mine: [Int]) {
        var rest = mine
        for place in theirs {
            let property = other.properties[place]
            let line = renamed(PropertyLine(property, of: other), property)
            // An empty property of the kind stands where the value belongs.
            let empty = card.all(property.kind).filter { !rest.contains($0) && !hasContent($0, in: card) }
            let twin = rest.first { card.properties[$0].kind == property.kind }
            if let target = twin ?? (property.kind == .unknown ? nil : empty.first) {
                rest.removeAll { $0 == target }
                patch.replace(target, by: line)
                hasChanged = true
            } else {
                add(line, behind: patch.place(for: property.kind))
            }
            addLabel(of: property, to: line.group)
        }
        // With a name comes all of it: an N does not stay beside the FN of another.
        for place in rest {
            patch.apply(.remove(place))
            hasChanged = true
        }
    }

    // MARK: Notes, pictures, lists

    private mutating func mergeNotes() {
        let mine = card.all(.note).map { card.text(card.properties[$0]).trimmed }
        var news: [String] = []
        for place in other.all(.note) {
            let text = other.text(other.properties[place]).trimmed
            let isKnown = (mine + news).contains { $0 == text || $0.hasBlock(text) }
            if !text.isEmpty, !isKnown { news.append(text) }
        }
        guard !news.isEmpty else { return }
        hasChanged = true
        guard let place = card.first(.note), !mine[0].isEmpty else {
            let text = news.joined(separator: "\n\n")
            return patch.apply(
                card.first(.note).map { .replace($0, .text(text)) } ?? .add(.note, .text(text), label: ""))
        }
        let text = ([card.text(card.properties[place])] + news).joined(separator: "\n\n")
        patch.apply(.replace(place, .text(text)))
    }

    private mutating func mergePictures() {
        guard let theirs = other.first(.photo), hasContent(theirs, in: other) else { return }
        let line = PropertyLine(other.properties[theirs], of: other)
        guard let mine = card.first(.photo), hasContent(mine, in: card) else {
            if let empty = card.first(.photo) {
                patch.replace(empty, by: line)
            } else {
                add(line, behind: patch.lastPlace)
            }
            hasChanged = true
            return
        }
        guard let area = other.pictureArea(other.properties[theirs]),
            let present = card.pictureArea(card.properties[mine]), area > present
        else { return }
        patch.replace(mine, by: line)
        hasChanged = true
    }

    private mutating func mergeList(_ kind: PropertyKind) {
        var known = Set(card.all(kind).flatMap { card.list(card.properties[$0]) }.map { $0.lowercased() })
        let news = other.all(kind).flatMap { other.list(other.properties[$0]) }
            .filter { known.insert($0.lowercased()).inserted }
        guard !news.isEmpty else { return }
        hasChanged = true
        if let place = card.all(kind).last {
            patch.apply(.replace(place, .list(card.list(card.properties[place]) + news)))
        } else {
            patch.apply(.add(kind, .list(news), label: ""))
        }
    }

    // MARK: Values of which there may be many

    private mutating func mergeValues() {
        let kinds: [PropertyKind] = [.phone, .email, .url, .messenger, .socialProfile, .address]
        var known: [String: Int] = [:]
        for (place, property) in card.properties.enumerated() where kinds.contains(property.kind) {
            if let key = key(property, in: card), known[key] == nil { known[key] = place }
        }
        // What is said of a value that both have, by its place.
        var added: Set<String> = []
        for (place, property) in other.properties.enumerated() where kinds.contains(property.kind) {
            guard let key = key(property, in: other), hasContent(place, in: other) else { continue }
            if let place = known[key] {
                joinKinds(of: place, with: property)
            } else if added.insert(key).inserted {
                addValue(property)
            }
        }
    }

    private func key(_ property: Card.Property, in card: Card) -> String? {
        MainValue.of(property, in: card, region: region).map { "\(property.kind.rawValue)\n\($0)" }
    }

    private mutating func addValue(_ property: Card.Property) {
        var line = renamed(PropertyLine(property, of: other), property)
        let isPreferred = card.properties.contains {
            $0.kind == property.kind && card.typeWords($0).preference != nil
        }
        if isPreferred { line.dropPreference() }
        let place = patch.place(for: property.kind)
        add(line, behind: place)
        addLabel(of: property, to: line.group, behind: place)
    }

    /// Adds the words of `TYPE` that the value does not have, and a label in people's own words where it has none.
    private mutating func joinKinds(of place: Int, with property: Card.Property) {
        let mine = card.properties[place]
        if let label = other.customLabel(property) {
            if card.typeWords(mine).label.isEmpty {
                patch.apply(.relabel(place, label))
                hasChanged = true
            }
            return
        }
        var line = patch.line(place)
        guard line.addTypes(PropertyLine(property, of: other).types, version: card.version) else { return }
        patch.replace(place, by: line)
        hasChanged = true
    }

    // MARK: All other lines

    private mutating func mergeLines() {
        // Written as the other card's lines are, so that equal ones are equal.
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

    /// A line is told by its content and the label beside it.
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
            .socialProfile, .address, .profile:
            false
        case .unreadable: property.value.contains { !card.bytes[$0].isBlank }
        case .unknown: !card.isNamed("GENDER", property)
        default: !card.isAnniversary(property)
        }
    }

    // MARK: Groups

    private mutating func add(_ line: PropertyLine, behind place: Int) {
        patch.insert(line, behind: place)
        hasChanged = true
    }

    /// The line in the group that its own group has become.
    private mutating func renamed(_ line: PropertyLine, _ property: Card.Property) -> PropertyLine {
        guard !line.group.isEmpty else { return line }
        var line = line
        let name = line.group.lowercased()
        let group = groups[name] ?? patch.newGroup()
        groups[name] = group
        line.group = group
        return line
    }

    /// Adds the label and the country that stand beside a property, once for each group.
    private mutating func addLabel(of property: Card.Property, to group: String, behind place: Int? = nil) {
        guard !group.isEmpty, labelled.insert(group).inserted else { return }
        for kind in [PropertyKind.appleLabel, .appleCountry] {
            guard let companion = other.companion(kind, of: property) else { continue }
            var line = PropertyLine(other.properties[companion], of: other)
            line.group = group
            add(line, behind: place ?? patch.place(for: property.kind))
        }
    }
}

extension String {
    /// Whether the text holds `block` between blank lines, or at its beginning or end.
    fileprivate func hasBlock(_ block: String) -> Bool {
        "\n\n\(self)\n\n".contains("\n\n\(block)\n\n")
    }
}

extension Card {
    /// Whether a property that hub does not understand is called `name`, which is in upper case.
    fileprivate func isNamed(_ name: String, _ property: Property) -> Bool {
        TextDecoding.decode(unfolded(property.name, property)).uppercased() == name
    }

    /// Width times height of a picture that stands in the card; nil for a link and for unknown kinds.
    fileprivate func pictureArea(_ property: Property) -> Int? {
        let data = content(property)
        if data.span.hasWord("DATA:", at: 0) {
            return data.firstIndex(of: ASCII.comma).flatMap { PictureSize.area(ofBase64: data[($0 + 1)...]) }
        }
        return PictureSize.area(ofBase64: data[...])
    }
}

extension PropertyLine {
    /// The values of `TYPE` and the bare words of 2.1, in lower case, without the preference.
    fileprivate var types: [String] {
        parameters.filter { $0.name.isEmpty || $0.name.uppercased() == "TYPE" }.flatMap(\.values)
            .map { $0.lowercased() }.filter { !["pref", "quoted-printable", "base64", "8bit", "7bit"].contains($0) }
    }

    /// Adds the words that are missing; false when none is.
    fileprivate mutating func addTypes(_ words: [String], version: VCardVersion) -> Bool {
        var known = Set(types)
        let news = words.filter { known.insert($0).inserted }
        guard !news.isEmpty else { return false }
        let spelled = version == .v4 ? news : news.map { $0.uppercased() }
        if version != .v2, let place = parameters.firstIndex(where: { $0.name.uppercased() == "TYPE" }) {
            let values = parameters[place].values + spelled
            parameters[place] = Card.Parameter(name: parameters[place].name, value: values.joined(separator: ","))
        } else {
            parameters += PropertyLine.typeParameters(spelled, version: version)
        }
        return true
    }

    /// Takes the preference away: the card has a preferred value already.
    fileprivate mutating func dropPreference() {
        parameters = parameters.compactMap { parameter in
            if parameter.name.uppercased() == "PREF" { return nil }
            guard parameter.name.isEmpty || parameter.name.uppercased() == "TYPE" else { return parameter }
            let values = parameter.values.filter { $0.uppercased() != "PREF" }
            if values.count == parameter.values.count { return parameter }
            return values.isEmpty ? nil : Card.Parameter(name: parameter.name, value: values.joined(separator: ","))
        }
    }
}
