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
