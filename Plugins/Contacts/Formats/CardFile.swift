/// A file that holds cards, mostly one: which cards it holds and where, so that one can be replaced and every other byte
/// stays.
package struct CardFile: Sendable {
    /// One card of the file.
    package struct Part: Hashable, Sendable {
        /// What tells it apart from other cards of the file: its `UID`, or a number made of its content.
        package let key: String
        /// The card, in UTF-8 when the file was UTF-16.
        package let bytes: [UInt8]
        /// Where it stands in the file; nil when the file is not UTF-8 and must be written anew as a whole.
        fileprivate let range: Range<Int>?
    }

    /// The file as it was read.
    package let bytes: [UInt8]
    /// The cards in their order. A file of one card that cannot be made out is that card as a whole.
    package let parts: [Part]
    /// Whether any card can be made out in it.
    package let holdsCard: Bool

    /// Finds the cards of a file.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var splitter = VCardSplitter()
        let cards = (splitter.feed(bytes) + splitter.finish()).compactMap { item -> [UInt8]? in
            if case .card(let card) = item { card.bytes } else { nil }
        }
        holdsCard = !cards.isEmpty
        guard holdsCard else {
            parts = [Part(key: "", bytes: bytes, range: bytes.indices)]
            return
        }
        var parts: [Part] = []
        var known: [String: Int] = [:]
        var place = 0
        for card in cards {
            let range = CardFile.range(of: card, in: bytes, from: place)
            place = range?.upperBound ?? place
            let base = CardFile.key(of: card)
            let count = known[base, default: 0] + 1
            known[base] = count
            parts.append(Part(key: count == 1 ? base : "\(base)~\(count)", bytes: card, range: range))
        }
        self.parts = parts
    }

    /// The file with `card` in the place of `part`, in the line ends that this had.
    package func replacing(_ part: Part, with card: [UInt8]) -> [UInt8] {
        let card = CardFile.written(card, like: part.bytes)
        guard let range = part.range else {
            return Array(parts.map { $0.key == part.key ? card : $0.bytes }.joined())
        }
        return Array(bytes[..<range.lowerBound]) + card + bytes[range.upperBound...]
    }

    /// The file without `part`.
    package func removing(_ part: Part) -> [UInt8] {
        guard let range = part.range else { return Array(parts.filter { $0.key != part.key }.map(\.bytes).joined()) }
        return Array(bytes[..<range.lowerBound]) + bytes[range.upperBound...]
    }

    /// A card in the line ends of `model`, with one at its end. A model that mixes them changes nothing.
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

    /// What ends the lines of a text.
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

    private static func key(of bytes: [UInt8]) -> String {
        let card = Card(bytes)
        return card.details.uid ?? String(card.contentHash, radix: 36)
    }

    /// Where `part` stands in `bytes` at `start` or later.
    private static func range(of part: [UInt8], in bytes: [UInt8], from start: Int) -> Range<Int>? {
        guard let first = part.first, bytes.count >= part.count else { return nil }
        var index = start
        while index <= bytes.count - part.count {
            if bytes[index] == first, bytes[index..<(index + part.count)] == part[...] {
                return index..<(index + part.count)
            }
            index += 1
        }
        return nil
    }
}

extension CardFile {
    /// Whether a file may hold several cards, told without reading them.
    package static func mayHoldSeveral(_ bytes: [UInt8]) -> Bool {
        let word = Array("BEGIN:VCARD".utf8)
        var count = 0
        var index = 0
        // A letter is told from its capital by one bit.
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

    /// A number that changes with every byte of a text, in text form with its length: what a folder has in place of an
    /// entity tag.
    package static func tag(of bytes: some Collection<UInt8>) -> String {
        var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
        var word: UInt64 = 0
        var count = 0
        // Each step maps different numbers to different numbers, so no change of a single word is ever missed.
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
