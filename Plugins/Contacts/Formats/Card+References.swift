extension Card {
    /// Whether bytes may be a card that refers to another one, without parsing them.
    package static func mayRefer(_ bytes: Span<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count {
            switch bytes[index].uppercasedASCII {
            case 0x4D where bytes.hasWord("MEMBER", at: index): return true
            case 0x52 where bytes.hasWord("RELATED", at: index): return true
            default: index += 1
            }
        }
        return false
    }

    /// Returns the card with other `UID`s in its references: members of a group, and related people. `uids` has the new
    /// ones by the old ones.
    ///
    /// The form of each reference stays (`urn:uuid:…` or a bare `UID`). One that the card has already, or that would be
    /// to the card itself, is removed.
    package func referring(by uids: [String: String]) -> Card {
        let own = details.uid.map { Card.reference($0).uid }
        var changed: [(place: Int, prefix: String, uid: String)] = []
        var known: Set<[String]> = []
        func statement(_ place: Int, _ uid: String) -> [String] {
            let property = properties[place]
            return property.kind == .related ? [typeWords(property).label, uid] : [uid]
        }
        let isKept = own.map { own in uids.values.contains { Card.reference($0).uid == own } } ?? false
        for (place, property) in properties.enumerated() {
            guard [.member, .appleMember, .related].contains(property.kind),
                parameter("VALUE", of: property)?.lowercased() != "text"
            else { continue }
            let (prefix, uid) = Card.reference(trimmedText(property))
            if isKept, uid == own {
                changed.append((place, prefix, uid))
            } else if let new = uids[uid] {
                changed.append((place, prefix, Card.reference(new).uid))
            } else {
                known.insert(statement(place, uid))
            }
        }
        return applying(
            changed.map { place, prefix, uid in
                uid != own && known.insert(statement(place, uid)).inserted
                    ? .replace(place, .uri(prefix + uid)) : .remove(place)
            })
    }

    /// Splits a reference at `urn:uuid:`, which RFC 6350 writes before the `UID`.
    package static func reference(_ text: String) -> (prefix: String, uid: String) {
        let prefix = text.prefix(9)
        return prefix.lowercased() == "urn:uuid:" ? (String(prefix), String(text.dropFirst(9))) : ("", text)
    }
}
