import ContentLines
import TextDecoding

extension Card {
    /// Returns the card with `edits` applied; all other lines keep their bytes.
    ///
    /// `time` is the time for `REV`, in milliseconds since 1970 UTC; nil does not change `REV`.
    package func applying(_ edits: [PropertyEdit], at time: Int64? = nil) -> Card {
        var patch = CardPatch(self)
        for edit in edits { patch.apply(edit) }
        if let time, !edits.isEmpty { patch.setRevision(time) }
        return Card(patch.bytes())
    }
}

/// The pending changes of a card: replaced, removed and added lines.
struct CardPatch {
    private let card: Card
    private let lineEnd: [UInt8]
    /// The new lines of changed properties.
    private var replaced: [Int: PropertyLine] = [:]
    private var removed: Set<Int> = []
    /// The added lines, by the property that they follow.
    private var added: [Int: [PropertyLine]] = [:]
    private var usedGroups: Set<String>?
    /// The number of the last new group.
    private var lastGroup = 0
    /// The property that new ones of a kind are added after.
    private var places: [PropertyKind: Int] = [:]

    init(_ card: Card) {
        self.card = card
        let end = card.bytes.span.endOfLine(from: 0)
        let length = card.bytes.span.terminatorLength(at: end)
        let first = Array(card.bytes[end..<end + length])
        // A lone CR would become one line end with the LF of an empty line after it.
        let isUsable = (1...2).contains(length) && (first != [ASCII.cr] || !card.bytes.contains(ASCII.lf))
        lineEnd = isUsable ? first : [ASCII.cr, ASCII.lf]
    }

    /// The properties with changed lines.
    var touched: Set<Int> { removed.union(replaced.keys) }

    mutating func apply(_ edit: PropertyEdit) {
        switch edit {
        case .add(let kind, let value, let label, let preference): add(kind, value, label, preference)
        case .addNamed(let name, let value):
            var line = PropertyLine(name)
            line.setValue(value, .unknown, version: card.version)
            add(line, .unknown, "")
        case .replace(let place, let value):
            guard card.properties.indices.contains(place) else { return }
            let property = card.properties[place]
            var line = line(place)
            line.setValue(
                value, property.kind, version: card.version, existing: existingComponents(value, property))
            replaced[place] = line
        case .relabel(let place, let label):
            guard card.properties.indices.contains(place) else { return }
            relabel(place, label)
        case .remove(let place):
            guard card.properties.indices.contains(place) else { return }
            remove(place)
        }
    }

    /// Sets `REV` to `time`; it is added at the end if the card has none.
    mutating func setRevision(_ time: Int64) {
        let text = Array(RevisionStamp.text(time).utf8)
        if let place = card.first(.revision) {
            var line = line(place)
            line.content = text
            replaced[place] = line
        } else {
            insert(PropertyLine("REV", content: text), behind: lastPlace)
        }
    }

    /// Replaces a property by lines of another card: a property with its group.
    mutating func graft(_ lines: [PropertyLine], over place: Int) {
        guard var main = lines.first, card.properties.indices.contains(place) else { return }
        let property = card.properties[place]
        let old = card.companions(of: property)
        main.group = line(place).group
        if main.group.isEmpty, lines.count > 1 { main.group = newGroup() }
        replaced[place] = main
        var rest = old
        for var companion in lines.dropFirst() {
            companion.group = main.group
            guard let index = rest.firstIndex(where: { line($0).name.uppercased() == companion.name.uppercased() })
            else {
                insert(companion, behind: place)
                continue
            }
            let known = rest.remove(at: index)
            if line(known).content != companion.content { replaced[known] = companion }
        }
        let isShared = card.members(ofGroupOf: property).contains {
            $0 != place && !card.properties[$0].kind.isCompanion
        }
        if !isShared { removed.formUnion(rest) }
    }

    /// Adds lines of another card, a property with its group, after the others of its kind.
    mutating func graft(_ lines: [PropertyLine], ofKind kind: PropertyKind) {
        let group = lines.count > 1 ? newGroup() : ""
        let end = place(for: kind)
        for var line in lines {
            line.group = group
            insert(line, behind: end)
        }
    }

    /// Returns the bytes of the changed card.
    func bytes() -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(card.bytes.count + 256)
        for (place, property) in card.properties.enumerated() {
            if let line = replaced[place], !removed.contains(place) {
                result += line.bytes(lineEnd: lineEnd, version: card.version)
            } else if !removed.contains(place) {
                result += card.bytes[property.line]
            }
            guard let lines = added[place] else { continue }
            if let last = result.last, last != ASCII.lf, last != ASCII.cr { result += lineEnd }
            for line in lines { result += line.bytes(lineEnd: lineEnd, version: card.version) }
        }
        return result
    }
}

extension CardPatch {
    /// Returns the current line of a property.
    func line(_ place: Int) -> PropertyLine {
        replaced[place] ?? PropertyLine(card.properties[place], of: card)
    }

    /// The current components of the property, as `ValueEncoding` expects them, if the new value keeps some of them.
    private func existingComponents(_ value: PropertyValue, _ property: Card.Property) -> [String] {
        guard case .components = value else { return [] }
        if card.version == .v2 { return card.components(property) }
        let isEncoded = property.flags.contains(.quotedPrintable) || card.parameter("CHARSET", of: property) != nil
        return isEncoded ? card.components(property).map(ValueEncoding.escaped) : card.rawComponents(property)
    }

    private mutating func add(_ kind: PropertyKind, _ value: PropertyValue, _ label: String, _ preference: Int?) {
        var line = PropertyLine(kind == .socialProfile && card.version == .v4 ? "SOCIALPROFILE" : kind.rawValue)
        if card.version == .v2, kind == .email { line.parameters.append(ContentParameter("", written: "INTERNET")) }
        line.setValue(value, kind, version: card.version)
        if let preference { line.setPreference(preference, version: card.version) }
        add(line, kind, label, isTyped: true)
    }

    /// Adds a line after the others of its kind.
    ///
    /// A label that was typed gets the form that other programs read; one of an imported table keeps its form, from which the
    /// identity of the entry is derived.
    mutating func add(_ line: PropertyLine, _ kind: PropertyKind, _ label: String, isTyped: Bool = false) {
        var line = line
        var lines: [PropertyLine] = []
        if isTyped, let written = line.written(label, kind, version: card.version) {
            line = written
        } else if let words = typeWords(label, kind) {
            line.setLabel(words.map(\.type), version: card.version)
        } else {
            line.group = newGroup()
            lines.append(labelLine(isTyped ? shown(label, kind) : label, group: line.group))
        }
        for line in [line] + lines { insert(line, behind: place(for: kind)) }
    }

    /// Replaces all properties of a kind by `line`; nil removes them.
    mutating func replaceAll(_ kind: PropertyKind, by line: PropertyLine?) {
        for place in card.all(kind) { remove(place) }
        if let line { insert(line, behind: place(for: kind)) }
    }

    /// Adds a line after a property of the card.
    mutating func insert(_ line: PropertyLine, behind place: Int) {
        var place = place
        // After a value without an end, the line would become part of that value.
        while place > 0, isOpen(place) { place -= 1 }
        added[place, default: []].append(line)
    }

    /// Whether the value of a property ends with a soft break that nothing follows, or is a card without its end.
    private func isOpen(_ place: Int) -> Bool {
        let property = card.properties[place]
        if property.kind == .agent { return CardIndexer.hasOpenCard(property, card.bytes.span) }
        guard property.flags.contains(.quotedPrintable) else { return false }
        return card.bytes[property.value].last { !$0.isBlank } == ASCII.equals
    }

    /// Rewrites a property.
    mutating func replace(_ place: Int, by line: PropertyLine) { replaced[place] = line }

    private func labelLine(_ label: String, group: String) -> PropertyLine {
        var line = PropertyLine("X-ABLabel", group: group)
        line.setValue(.text(label), .appleLabel, version: card.version)
        return line
    }

    /// Returns the property that a new one of `kind` is added after.
    mutating func place(for kind: PropertyKind) -> Int {
        let place = places[kind] ?? foundPlace(for: kind)
        places[kind] = place
        return place
    }

    private func foundPlace(for kind: PropertyKind) -> Int {
        if let last = card.properties.lastIndex(where: { $0.kind == kind }) {
            // Including the label of its group.
            var end = last
            while end + 1 < card.properties.count, card.properties[end + 1].kind.isCompanion,
                card.isSameGroup(card.properties[end + 1], card.properties[last])
            {
                end += 1
            }
            return end
        }
        switch kind {
        case .formattedName: return card.first(.version) ?? 0
        case .name: return card.first(.formattedName) ?? card.first(.version) ?? 0
        default: return lastPlace
        }
    }

    /// The last property before `END:VCARD`.
    var lastPlace: Int {
        max(0, (card.properties.lastIndex { $0.kind == .end } ?? card.properties.count) - 1)
    }

    private mutating func remove(_ place: Int) {
        removed.insert(place)
        let property = card.properties[place]
        guard !property.group.isEmpty else { return }
        let group = card.members(ofGroupOf: property)
        let isOrphaned = group.allSatisfy { removed.contains($0) || card.properties[$0].kind.isCompanion }
        if isOrphaned { removed.formUnion(group) }
    }

    private mutating func relabel(_ place: Int, _ label: String) {
        let property = card.properties[place]
        let companion = card.companion(.appleLabel, of: property)
        var line = line(place)
        if let written = line.written(label, property.kind, version: card.version) {
            line = written
            if let companion { removed.insert(companion) }
        } else if let words = typeWords(label, property.kind) {
            line.setLabel(words.map(\.type), version: card.version)
            if let companion { removed.insert(companion) }
        } else if let companion {
            var companionLine = self.line(companion)
            companionLine.setValue(.text(shown(label, property.kind)), .appleLabel, version: card.version)
            replaced[companion] = companionLine
            return
        } else {
            line.setLabel([], version: card.version)
            if line.group.isEmpty { line.group = newGroup() }
            insert(labelLine(shown(label, property.kind), group: line.group), behind: place)
        }
        replaced[place] = line
    }

    /// The text of a custom label.
    private func shown(_ label: String, _ kind: PropertyKind) -> String {
        kind == .appleRelated || kind == .related ? RelatedPerson.appleLabel(label) : label
    }

    /// The `TYPE` values for a label, or nil if it needs an `X-ABLabel`.
    private func typeWords(_ label: String, _ kind: PropertyKind) -> [LabelWord]? {
        guard ![.customField, .appleDate, .appleRelated, .related].contains(kind) || label.isEmpty,
            let words = LabelWord.words(of: label)
        else { return nil }
        let places: [LabelWord] = [.home, .work, .other, .school, .homepage]
        return kind == .phone || words.allSatisfy(places.contains) ? words : nil
    }

    /// Returns the next free `itemN`.
    mutating func newGroup() -> String {
        var used =
            usedGroups
            ?? Set(card.properties.map { TextDecoding.decode(card.unfolded($0.group, $0)).lowercased() })
        repeat { lastGroup += 1 } while used.contains("item\(lastGroup)")
        let free = "item\(lastGroup)"
        used.insert(free)
        usedGroups = used
        return free
    }
}
