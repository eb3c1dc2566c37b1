package import Text

/// A card for an address book: in a version that it accepts, with the required properties.
package struct OutgoingCard: Sendable {
    /// The text, with CR LF line ends.
    package let bytes: [UInt8]

    /// Creates the card for a book that accepts `versions`; 3.0 if they are unknown.
    ///
    /// An existing card keeps its `version` and its `uid`. `FN` and `N` are always present, since RFC 2426 requires
    /// them and several servers reject a card without them. With `isStrict` every line is made valid, since a server
    /// cuts an invalid line or rejects the whole card.
    package init(_ card: Card, versions: Set<String>, replacing known: Card? = nil, isStrict: Bool = false) {
        var result = card
        let target = OutgoingCard.target(for: card, among: versions, replacing: known, isStrict: isStrict)
        if isStrict {
            result = card.exported(as: target)
        } else if target != card.version || !card.isCanonical {
            result = card.converted(to: target)
        }
        let details = result.details
        // Which cards were merged is of no use elsewhere.
        var edits = result.all(.mergedUID).map(PropertyEdit.remove)
        if let uid = known?.details.uid, uid != details.uid {
            let uid = uid.repairedText
            edits.append(result.first(.uid).map { .replace($0, .uri(uid)) } ?? .add(.uid, .uri(uid), label: ""))
        }
        if details.formattedName.isEmpty {
            let name = details.displayName.isEmpty ? "?" : details.displayName
            edits.append(
                result.first(.formattedName).map { .replace($0, .text(name)) }
                    ?? .add(.formattedName, .text(name), label: ""))
        }
        if result.first(.name) == nil { edits.append(.add(.name, .components(["", "", "", "", ""]), label: "")) }
        bytes = edits.isEmpty ? result.bytes : result.applying(edits).bytes
    }

    private static func target(
        for card: Card, among versions: Set<String>, replacing known: Card?, isStrict: Bool
    ) -> VCardVersion {
        guard let known else { return version(for: card, among: versions) }
        // Servers parse 2.1 as 3.0 and so misread it.
        return isStrict && known.version == .v2 ? version(for: card, among: versions) : known.version
    }

    /// The version to send `card` in: its own if the book accepts it, else 3.0, which all servers accept.
    private static func version(for card: Card, among versions: Set<String>) -> VCardVersion {
        let taken = versions.compactMap { VCardVersion(rawValue: $0) }
        if taken.contains(card.version) { return card.version }
        return taken.isEmpty || taken.contains(.v3) ? .v3 : taken.max() ?? .v3
    }
}

extension Card {
    /// Whether every line ends in CR LF and all of it is UTF-8 without another character set.
    fileprivate var isCanonical: Bool {
        for (index, byte) in bytes.enumerated() {
            if byte == ASCII.lf, index == 0 || bytes[index - 1] != ASCII.cr { return false }
            if byte == ASCII.cr, index + 1 == bytes.count || bytes[index + 1] != ASCII.lf { return false }
        }
        return bytes.last == ASCII.lf && String(validating: bytes, as: UTF8.self) != nil
            && properties.allSatisfy { !$0.flags.contains(.charset) }
    }

    /// Returns the card with this `UID` added.
    package func identified(as uid: ByteString) -> Card {
        let uid = PropertyValue.uri(uid.repairedText)
        return applying([first(.uid).map { .replace($0, uid) } ?? .add(.uid, uid, label: "")])
    }
}

extension Card {
    /// Returns the card as that of another contact: with this `UID` and without the records of merged cards.
    package func copied(as uid: String, at time: Int64) -> Card {
        applying(all(.mergedUID).map(PropertyEdit.remove)).identified(as: ByteString(uid)).revised(at: time)
    }
}
