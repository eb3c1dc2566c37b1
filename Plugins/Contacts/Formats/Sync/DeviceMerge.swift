import Text
import TextDecoding

/// The merge of a card that a program on a device sent into the stored one.
///
/// Programs drop what they do not know: custom properties, parameters, the size of a picture. So the absence of such a thing is no
/// removal, unless the program has been seen to write it.
package struct DeviceMerge: Sendable {
    /// The properties that every address book shows; what is missing of these was removed by the person.
    private static let shown: Set<String> = [
        "FN", "N", "NICKNAME", "ORG", "TITLE", "TEL", "EMAIL", "ADR", "URL", "NOTE", "BDAY", "PHOTO",
    ]

    /// The merged card; the same bytes if nothing was applied.
    package let card: Card
    /// The values that both sides had changed: those of the stored card that were replaced, or with `keepsStored` those of the
    /// device that were not taken.
    package let conflicts: [String]

    /// Merges what the program changed between `base` and `sent` into `stored`. Without a base nothing is removed. `known` are the
    /// names of properties that the program has been seen to write.
    package init(stored: Card, base: Card?, sent: Card, known: Set<String>, keepsStored: Bool) {
        var base = base ?? Card("BEGIN:VCARD\r\nVERSION:\(sent.version.rawValue)\r\nEND:VCARD\r\n")
        var sent = sent
        let names = sent.propertyNames
        // What the program may not know is as good as unchanged.
        base = base.keeping { names.contains($0) || Self.shown.contains($0) || known.contains($0) }
        if sent.hasSmallerCopy(ofPictureIn: base) {
            base = base.keeping { $0 != "PHOTO" }
            sent = sent.keeping { $0 != "PHOTO" }
        }
        sent = sent.withParameters(droppedSince: base)
        let first = CardMerge(ours: stored, ourBase: base, theirBase: base, theirs: sent)
        guard !first.conflicts.isEmpty else {
            (card, conflicts) = (first.card, [])
            return
        }
        var choices: [String: CardMerge.Choice] = [:]
        var lost: [String] = []
        for conflict in first.conflicts {
            let choice: CardMerge.Choice =
                keepsStored || conflict.theirs == nil ? .here : conflict.canKeepBoth ? .both : .there
            choices[conflict.name] = choice
            if keepsStored || choice == .there { lost.append(conflict.name) }
        }
        card =
            CardMerge(
                ours: stored, ourBase: base, theirBase: base, theirs: sent,
                choices: CardMerge.Choices(.here, byField: choices)
            ).card
        conflicts = lost
    }
}

extension Card {
    /// The names of the properties, in upper case and without groups.
    package var propertyNames: Set<String> { Set(properties.map(writtenName)) }

    private func writtenName(_ property: Property) -> String {
        TextDecoding.decode(unfolded(property.name, property)).uppercased()
    }

    /// Returns the card with the properties alone whose names pass; the frame of the card is kept.
    fileprivate func keeping(_ isKept: (String) -> Bool) -> Card {
        let frame: Set<PropertyKind> = [.begin, .end, .version]
        var result: [UInt8] = []
        for property in properties where frame.contains(property.kind) || isKept(writtenName(property)) {
            result += bytes[property.line]
        }
        return result.count == bytes.count ? self : Card(result)
    }

    /// Whether the picture is a smaller copy of the one in `other`: of the same proportions and with fewer pixels. Phones send back
    /// such copies of the picture that they were given.
    fileprivate func hasSmallerCopy(ofPictureIn other: Card) -> Bool {
        guard case .picture(let mine)? = photo, case .picture(let theirs)? = other.photo, mine != theirs,
            let small = PictureSize.dimensions(of: mine), let large = PictureSize.dimensions(of: theirs),
            0..<large.width ~= small.width - 1, 0..<large.height ~= small.height - 1,
            // No real picture is larger, and the products below stay far from their limits.
            large.width < 1 << 24, large.height < 1 << 24, (small.width, small.height) != (large.width, large.height)
        else { return false }
        let (mineScaled, theirScaled) = (small.width * large.height, large.width * small.height)
        return abs(mineScaled - theirScaled) * 100 <= theirScaled
    }

    /// Returns the card with the lines of `base` in the place of those that differ from them in missing parameters alone.
    fileprivate func withParameters(droppedSince base: Card) -> Card {
        guard version == base.version else { return self }
        var known: [CardItem.Content: CardItem] = [:]
        for item in base.items where !item.content.parameters.isEmpty {
            var bare = item.content
            bare.parameters = []
            if known[bare] == nil { known[bare] = item }
        }
        if known.isEmpty { return self }
        var replaced: [Int: [UInt8]] = [:]
        for item in items {
            var bare = item.content
            bare.parameters = []
            guard let old = known[bare], Set(item.content.parameters).isStrictSubset(of: old.content.parameters) else {
                continue
            }
            let (mine, theirs) = (properties[item.place], base.properties[old.place])
            guard bytes[mine.group].elementsEqual(base.bytes[theirs.group]) else { continue }
            replaced[item.place] = Array(base.bytes[theirs.line])
        }
        if replaced.isEmpty { return self }
        return Card(properties.indices.flatMap { replaced[$0] ?? Array(bytes[properties[$0].line]) })
    }
}

/// Reads what a device sends as a card.
package enum DeviceCard {
    /// The reason why it cannot be stored.
    package enum Failure: Error, Hashable, Sendable {
        /// It is not a vCard.
        case otherType
        /// It cannot be kept; the reason in words.
        case invalid(String)
    }

    /// The card in `bytes`, as sent.
    package static func read(_ bytes: [UInt8]) throws(Failure) -> Card {
        let start = String(decoding: bytes.prefix(64), as: UTF8.self).uppercased()
        guard start.contains("BEGIN:VCARD") else { throw .otherType }
        var reader = CardFileReader(.vcard)
        var cards: [RawCard] = []
        for found in reader.feed(bytes) + reader.finish() {
            switch found {
            case .card(let card): cards.append(card)
            case .problem(let problem): throw .invalid("\(problem)")
            }
        }
        guard let raw = cards.first, cards.count == 1 else { throw .invalid("it has \(cards.count) cards") }
        let card = Card(raw.bytes)
        if let refusal = card.refusal { throw .invalid(refusal) }
        guard card.all(.uid).count <= 1 else { throw .invalid("it has several UIDs") }
        return card
    }

    /// The version of a card, found without parsing it; nil if no line says it as programs usually write it.
    package static func version(of bytes: [UInt8]) -> VCardVersion? {
        for version in VCardVersion.allCases {
            if bytes.starts(with: "BEGIN:VCARD\r\nVERSION:\(version.rawValue)\r\n".utf8) { return version }
        }
        return nil
    }

    /// Returns the card with a new `UID` if it has none.
    package static func identified(_ card: Card) -> Card {
        guard card.details.uid?.isEmpty ?? true else { return card }
        return card.applying([.add(.uid, .uri(ContactUID.random()), label: "")])
    }
}
