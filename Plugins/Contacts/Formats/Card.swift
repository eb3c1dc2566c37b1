/// One vCard: its original bytes, and where each property stands in them.
///
/// The bytes are the source of truth. Reading is lenient and lazy: making a card finds the properties, asking for a
/// value decodes that value. Nothing in a card is an error; what cannot be read is kept as it is.
package struct Card: Sendable {
    /// Longest card in bytes; the splitter gives no longer one.
    package static let maximumLength = 64 << 20

    /// The card as it was read, from `BEGIN:VCARD` to the line end behind `END:VCARD`.
    package let bytes: [UInt8]
    /// The properties in order; together their lines are all the bytes.
    package let properties: [Property]
    /// The first `VERSION` that is known; 3.0 when the card names none.
    package let version: VCardVersion
    /// Which properties stand in one group.
    let groups: GroupIndex

    /// Finds the properties of `bytes`, which are UTF-8 or, property by property, in another declared character set.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        properties = bytes.count <= Card.maximumLength ? CardIndexer.properties(of: bytes.span) : []
        var version: VCardVersion?
        for property in properties where property.kind == .version {
            version = VCardVersion(bytes[property.value])
            if version != nil { break }
        }
        self.version = version ?? .v3
        groups = GroupIndex(properties, of: bytes)
    }

    /// The largest number of properties that a card may have to be read; no address book writes as many.
    package static let maximumProperties = 10_000

    /// Why the card is not read; nil when it is.
    package var refusal: String? {
        properties.count > Card.maximumProperties
            ? "the card has more than \(Card.maximumProperties) properties" : nil
    }

    /// The card with this text.
    package init(_ text: String) { self.init(Array(text.utf8)) }

    /// The properties of one kind with their places in `properties`.
    package func all(_ kind: PropertyKind) -> [Int] { properties.indices.filter { properties[$0].kind == kind } }

    /// The place of the first property of a kind.
    package func first(_ kind: PropertyKind) -> Int? { properties.firstIndex { $0.kind == kind } }
}

extension Card: Hashable {
    package static func == (left: Card, right: Card) -> Bool { left.bytes == right.bytes }
    package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

/// The edition of the vCard standard that a card follows.
package enum VCardVersion: String, CaseIterable, Sendable, Comparable {
    /// versit, 1996
    case v2 = "2.1"
    /// RFC 2426
    case v3 = "3.0"
    /// RFC 6350
    case v4 = "4.0"

    /// The version that these bytes name, blanks and unknown minor numbers tolerated.
    init?(_ bytes: ArraySlice<UInt8>) {
        switch bytes.first(where: { !$0.isBlank }) {
        case 0x32: self = .v2
        case 0x33: self = .v3
        case 0x34: self = .v4
        default: return nil
        }
    }

    package static func < (left: VCardVersion, right: VCardVersion) -> Bool { left.rawValue < right.rawValue }
}
