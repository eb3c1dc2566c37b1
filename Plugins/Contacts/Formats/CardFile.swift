import Text

/// A file with one or more cards. It locates the cards, so that one can be replaced without changing any other byte.
package struct CardFile: Sendable {
    /// One card of the file.
    package struct Part: Hashable, Sendable {
        /// The key of the card in the file: its `UID`, or a hash of its content.
        package let key: String
        /// The card, in UTF-8 if the file was UTF-16.
        package let bytes: [UInt8]
        /// The range in the file; nil if the file is not UTF-8 and must be rewritten.
        fileprivate let range: Range<Int>?
    }

    /// The file as read.
    package let bytes: [UInt8]
    /// The cards in order. A file with one invalid card is that card as a whole.
    package let parts: [Part]
    /// Whether the file contains any valid card.
    package let holdsCard: Bool

    /// Finds the cards of a file.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var splitter = VCardSplitter()
        let cards = (splitter.feed(bytes) + splitter.finish()).compactMap { item -> RawCard? in
            if case .card(let card) = item { card } else { nil }
        }
        holdsCard = !cards.isEmpty
        guard holdsCard else {
            parts = [Part(key: "", bytes: bytes, range: bytes.indices)]
            return
        }
        var parts: [Part] = []
        var known: [ByteString: Int] = [:]
        for card in cards {
            let base = CardFile.key(of: card.bytes)
            let count = known[base, default: 0] + 1
            known[base] = count
            let key = base.repairedText
            parts.append(Part(key: count == 1 ? key : "\(key)~\(count)", bytes: card.bytes, range: card.range))
        }
        self.parts = parts
    }

    /// Returns the file with `part` replaced by `card`, with the line ends of the file.
    package func replacing(_ part: Part, with card: [UInt8]) -> [UInt8] {
        let card = CardFile.written(card, like: part.bytes)
        guard let range = part.range else {
            return Array(parts.map { $0.key.hasSameBytes(as: part.key) ? card : $0.bytes }.joined())
        }
        return Array(bytes[..<range.lowerBound]) + card + bytes[range.upperBound...]
    }

    /// Returns the file without `part`.
    package func removing(_ part: Part) -> [UInt8] {
        guard let range = part.range else {
            return Array(parts.filter { !$0.key.hasSameBytes(as: part.key) }.map(\.bytes).joined())
        }
        return Array(bytes[..<range.lowerBound]) + bytes[range.upperBound...]
    }

    /// Returns the card with the line ends of `model` and one at its end. A model with mixed line ends changes nothing.
    package static func written(_ card: [UInt8], like model: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(card.count + card.count / 32)
        let style = LineEnd(of: model)
        for (index, byte) in card.enumerated() {
            switch (byte, style) {
            case (ASCII.cr, .lf) where index + 1 < card.count && card[index + 1] == ASCII.lf: continue
            case (ASCII.lf, .crlf) where index == 0 || card[index - 1] != ASCII.cr: result += [ASCII.cr, ASCII.lf]
            default: result.append(byte)
            }
        }
        if let last = result.last, last != ASCII.lf, last != ASCII.cr {
            result += style == .lf ? [ASCII.lf] : [ASCII.cr, ASCII.lf]
        }
        return result
    }

    /// The line end of a text.
    private enum LineEnd {
        case lf, crlf, mixed

        init(of bytes: [UInt8]) {
            var (bare, pairs) = (0, 0)
            for (index, byte) in bytes.enumerated() where byte == ASCII.lf {
                if index > 0, bytes[index - 1] == ASCII.cr { pairs += 1 } else { bare += 1 }
            }
            self = bare == 0 ? (pairs == 0 ? .mixed : .crlf) : (pairs == 0 ? .lf : .mixed)
        }
    }

    private static func key(of bytes: [UInt8]) -> ByteString {
        let card = Card(bytes)
        return card.details.uid ?? ByteString(String(card.contentHash, radix: 36))
    }
}

extension CardFile {
    /// Whether a file may contain several cards, without parsing it.
    package static func mayHoldSeveral(_ bytes: [UInt8]) -> Bool {
        let word = Array("BEGIN:VCARD".utf8)
        var count = 0
        var index = 0
        // A letter differs from its capital by one bit.
        while index + word.count <= bytes.count {
            if bytes[index] | 0x20 == 0x62,
                zip(bytes[index..<(index + word.count)], word).allSatisfy({ $0.uppercasedASCII == $1 })
            {
                count += 1
                if count > 1 { return true }
                index += word.count
            } else {
                index += 1
            }
        }
        return false
    }

    /// Returns a hash of all bytes with the length, in place of an entity tag.
    package static func etag(of bytes: some Collection<UInt8>) -> String {
        var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
        var word: UInt64 = 0
        var count = 0
        // Each step is a bijection, so no change of a single word is missed.
        for byte in bytes {
            word = word << 8 | UInt64(byte)
            count += 1
            guard count.isMultiple(of: 8) else { continue }
            hash = (hash ^ UInt128(word)) &* 0x0000_0000_0100_0000_0000_0000_0000_013B
            hash ^= hash >> 67
            word = 0
        }
        hash = (hash ^ UInt128(word)) &* 0x0000_0000_0100_0000_0000_0000_0000_013B
        return "\(String(hash ^ (hash >> 67), radix: 36))-\(count)"
    }
}
