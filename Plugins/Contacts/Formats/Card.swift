import ContentLines
import TextDecoding

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

    /// Parses the version; tolerates spaces, folds and unknown minor versions.
    init?(_ bytes: ArraySlice<UInt8>) {
        switch bytes.first(where: { !$0.isBlank && $0 != ASCII.cr && $0 != ASCII.lf }) {
        case 0x32: self = .v2
        case 0x33: self = .v3
        case 0x34: self = .v4
        default: return nil
        }
    }

    /// Orders versions by age.
    package static func < (left: VCardVersion, right: VCardVersion) -> Bool { left.rawValue < right.rawValue }
}

extension Card {
    /// The position of a property in its card's bytes.
    package struct Property: Sendable {
        /// The kind of the property.
        package let kind: PropertyKind
        /// The encoding of its bytes.
        let flags: Flags
        private let start: UInt32
        private let groupLength: UInt32
        private let nameEnd: UInt32
        private let valueStart: UInt32
        private let valueEnd: UInt32
        private let lineEnd: UInt32

        /// The encoding of a property.
        struct Flags: OptionSet, Sendable {
            let rawValue: UInt8
            /// The line is folded, or continues after a soft break.
            static let folded = Flags(rawValue: 1)
            static let quotedPrintable = Flags(rawValue: 2)
            static let base64 = Flags(rawValue: 4)
            /// Parameters without a name: the line follows the rules of 2.1 whatever the version of the card.
            static let bareParameters = Flags(rawValue: 8)
            /// The value has its own character set.
            static let charset = Flags(rawValue: 32)
            /// A quote in the parameters is not closed.
            static let openQuote = Flags(rawValue: 16)
        }

        /// The value starts after the colon; a line without a colon has no name and is all value.
        init(
            _ kind: PropertyKind, flags: Flags = [], start: Int, groupLength: Int = 0, nameEnd: Int, valueStart: Int,
            valueEnd: Int, lineEnd: Int
        ) {
            self.kind = kind
            self.flags = flags
            // A card is at most 64 MiB long.
            self.start = UInt32(truncatingIfNeeded: start)
            self.groupLength = UInt32(truncatingIfNeeded: groupLength)
            self.nameEnd = UInt32(truncatingIfNeeded: nameEnd)
            self.valueStart = UInt32(truncatingIfNeeded: valueStart)
            self.valueEnd = UInt32(truncatingIfNeeded: valueEnd)
            self.lineEnd = UInt32(truncatingIfNeeded: lineEnd)
        }

        /// The whole logical line with its line ends.
        package var line: Range<Int> { Int(start)..<Int(lineEnd) }
        /// The group before the dot; empty when there is none.
        package var group: Range<Int> { Int(start)..<Int(start + groupLength) }
        /// The name.
        package var name: Range<Int> { Int(start + (groupLength > 0 ? groupLength + 1 : 0))..<Int(nameEnd) }
        /// The parameters, starting with the first semicolon; may be empty.
        package var parameters: Range<Int> { Int(nameEnd)..<max(Int(nameEnd), Int(valueStart) - 1) }
        /// The value, still folded and encoded, without the last line end.
        package var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }
    }
}

extension ContentParameter {
    /// The values, split at commas, without quotes. A quoted list (`"work,voice"`) is split as well, and an escaped comma is
    /// one too.
    var values: [String] {
        written.unicodeScalars.split { $0 == "," || $0 == "\"" }.map { part in
            var text = Substring(part)
            while text.last == "\\" { text.removeLast() }
            return text.trimmed
        }
        .filter { !$0.isEmpty }
    }
}

extension Card {
    /// The parameters of a property in order, without empty ones.
    func parameters(_ property: Property) -> [ContentParameter] {
        if property.parameters.isEmpty { return [] }
        let text = TextDecoding.decode(unfolded(property.parameters, property))
        return ContentParameter.list(text).compactMap { parameter in
            if !parameter.name.isEmpty { return ContentParameter(parameter.name.trimmed, written: parameter.written) }
            let word = parameter.written.trimmed
            return word.isEmpty ? nil : ContentParameter("", written: word)
        }
    }

    /// The value of the first parameter named `name`, which is in upper case; without quotes, its escapes decoded.
    func parameter(_ name: String, of property: Property) -> String? {
        if property.parameters.isEmpty { return nil }
        return parameters(property).first { $0.name.uppercased() == name }?.value
    }
}
