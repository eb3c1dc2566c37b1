import ContentLines
package import Text

/// References to other cards by their `UID`: the members of a group, and related people.
extension Card {
    /// The reference in a property, in two parts: `urn:uuid:`, or nothing, and the `UID`; nil if it has none.
    func reference(_ property: Property) -> (prefix: String, uid: ByteString)? {
        guard [.member, .appleMember, .related].contains(property.kind),
            parameter("VALUE", of: property)?.lowercased() != "text"
        else { return nil }
        let text = trimmedText(property)
        let uid = ByteString(text).withoutURN
        return uid.isEmpty ? nil : (String(decoding: Array(text.utf8.dropLast(uid.bytes.count)), as: UTF8.self), uid)
    }

    /// Returns the card with other `UID`s in its references, given by `name`; nil keeps one.
    ///
    /// The form of each reference stays (`urn:uuid:…` or a bare `UID`).
    package func namingReferences(_ name: (ByteString) -> ByteString?) -> Card {
        let edits = properties.indices.compactMap { place -> PropertyEdit? in
            guard let (prefix, uid) = reference(properties[place]), let new = name(uid)?.withoutURN, new != uid else {
                return nil
            }
            return .replace(place, .uri(prefix + new.repairedText))
        }
        return edits.isEmpty ? self : applying(edits)
    }

    /// Returns the card with the references to merged cards replaced: `uids` has the new `UID`s by the old ones, both
    /// without `urn:uuid:`.
    ///
    /// A reference that the card has already, or that would be to the card itself, is removed.
    package func referring(by uids: [ByteString: ByteString]) -> Card {
        let own = details.uid?.withoutURN
        var changed: [(place: Int, prefix: String, uid: ByteString)] = []
        var known: Set<Statement> = []
        func statement(_ place: Int, _ uid: ByteString) -> Statement {
            let property = properties[place]
            return Statement(label: property.kind == .related ? typeWords(property).label : nil, uid: uid)
        }
        let isKept = own.map(Set(uids.values).contains) ?? false
        for (place, property) in properties.enumerated() {
            guard let (prefix, uid) = reference(property) else { continue }
            if isKept, uid == own {
                changed.append((place, prefix, uid))
            } else if let new = uids[uid] {
                changed.append((place, prefix, new))
            } else {
                known.insert(statement(place, uid))
            }
        }
        return applying(
            changed.map { place, prefix, uid in
                uid != own && known.insert(statement(place, uid)).inserted
                    ? .replace(place, .uri(prefix + uid.repairedText)) : .remove(place)
            })
    }

    /// A reference of the card, with the relation of a related person.
    private struct Statement: Hashable {
        let label: String?
        let uid: ByteString
    }
}

extension ByteString {
    /// A `UID` without `urn:uuid:`, which RFC 6350 writes before it.
    package var withoutURN: ByteString {
        let prefix = Array("urn:uuid:".utf8)
        let isURN =
            bytes.count > prefix.count && zip(bytes, prefix).allSatisfy { $0.uppercasedASCII == $1.uppercasedASCII }
        return isURN ? ByteString(bytes.dropFirst(prefix.count)) : self
    }
}
