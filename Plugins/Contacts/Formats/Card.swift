/// A vCard: its original bytes, and the positions of the properties in them.
///
/// The bytes are the source of truth. Parsing is lenient and lazy: creating a card finds the properties, and values are
/// decoded on access. Invalid content is not an error and is kept unchanged.
package struct Card: Sendable {
    /// The maximum size of a card in bytes, which the splitter enforces.
    package static let maximumLength = 64 << 20

    /// The card as read, from `BEGIN:VCARD` to the line end after `END:VCARD`.
    package let bytes: [UInt8]
    /// The properties in order; together their lines cover all bytes.
    package let properties: [Property]
    /// The first known `VERSION`; 3.0 if there is none.
    package let version: VCardVersion
    /// The index of groups.
    let groups: GroupIndex

    /// Parses `bytes`, which are in UTF-8 or, per property, in another declared character set.
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

    /// The maximum number of properties of a card; far more than address books write.
    package static let maximumProperties = 10_000

    /// The reason why the card is rejected; nil if it is valid.
    package var refusal: String? {
        properties.count > Card.maximumProperties
            ? "the card has more than \(Card.maximumProperties) properties" : nil
    }

    /// Creates a card from text.
    package init(_ text: String) { self.init(Array(text.utf8)) }

    /// The properties of one kind with their indices in `properties`.
    package func all(_ kind: PropertyKind) -> [Int] { properties.indices.filter { properties[$0].kind == kind } }

    /// The index of the first property of a kind.
    package func first(_ kind: PropertyKind) -> Int? { properties.firstIndex { $0.kind == kind } }
}

extension Card: Hashable {
    /// Whether the bytes are equal.
    package static func == (left: Card, right: Card) -> Bool { left.bytes == right.bytes }
    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

/// The version of the vCard standard that a card follows.
package enum VCardVersion: String, CaseIterable, Sendable, Comparable {
    /// versit, 1996
    case v2 = "2.1"
    /// RFC 2426
    case v3 = "3.0"
    /// RFC 6350
    case v4 = "4.0"

    /// Parses the version; tolerates spaces and unknown minor versions.
    init?(_ bytes: ArraySlice<UInt8>) {
        switch bytes.first(where: { !$0.isBlank }) {
        case 0x32: self = .v2
        case 0x33: self = .v3
        case 0x34: self = .v4
        default: return nil
        }
    }

    /// Orders versions by age.
    package static func < (left: VCardVersion, right: VCardVersion) -> Bool { left.rawValue < right.rawValue }
}
