import Hashing

/// The blocking keys of contacts: only contacts with a common key are compared.
///
/// The keys are made from the folded text of the search index, so no card is read: an e-mail address, the last seven
/// digits of a number, the prefix of one word of the name with the initial of another (family and given name in any
/// order), with the birthday, or with a form of the given name.
package enum DuplicateKeys {
    private static let maximumWords = 8
    private static let maximumLines = 8

    private enum Sort: UInt64 {
        case text = 1
        case email, digits, pair, word, birthday, nickname
    }

    /// Returns the keys of a contact: `name` and `reach` as `SearchText` formats them, line by line, `birthday` as
    /// month × 100 + day. A hash collision costs a comparison and nothing else.
    package static func keys(name: [UInt8], reach: [UInt8], birthday: Int?) -> [UInt64] {
        var keys: [UInt64] = [hash(.text, name[...], reach[...])]
        for line in lines(name) { keys += nameKeys(words(line), birthday: birthday) }
        for line in lines(reach) {
            if line.contains(0x40) {
                keys.append(hash(.email, line))
                continue
            }
            for number in line.split(separator: 0x20) where number.count >= PhoneNumber.lookupLength {
                guard number.allSatisfy({ $0 &- 0x30 < 10 }) else { continue }
                keys.append(hash(.digits, number.suffix(PhoneNumber.lookupLength)))
            }
        }
        keys.sort()
        return keys.enumerated().filter { $0.offset == 0 || keys[$0.offset - 1] != $0.element }.map(\.element)
    }

    private static func nameKeys(_ words: [ArraySlice<UInt8>], birthday: Int?) -> [UInt64] {
        if words.count == 1 { return [hash(.word, words[0])] }
        var keys: [UInt64] = []
        for (place, family) in words.enumerated() {
            let beginning = family.prefix(4)
            if let birthday {
                keys.append(hash(.birthday, beginning, [UInt8(birthday / 100), UInt8(birthday % 100)]))
            }
            for (other, given) in words.enumerated() where other != place {
                keys.append(hash(.pair, beginning, given.prefix(1)))
                for set in Nicknames.sets(of: String(decoding: given, as: UTF8.self)) {
                    keys.append(hash(.nickname, beginning, [UInt8(truncatingIfNeeded: set)]))
                }
            }
        }
        return keys
    }

    /// The address lines and the other lines of a text.
    private static func lines(_ text: [UInt8]) -> some Sequence<ArraySlice<UInt8>> {
        text.split(separator: 0x0A, maxSplits: maximumLines * 8).prefix(maximumLines * 8)
    }

    private static func words(_ line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        Array(
            line.split { $0 < 0x80 && !($0 &- 0x61 < 26 || $0 &- 0x30 < 10) }.prefix(maximumWords))
    }

    /// FNV-1a over the type of key and its parts.
    private static func hash(_ sort: Sort, _ parts: ArraySlice<UInt8>...) -> UInt64 {
        var hash = FNV1a(seed: sort.rawValue)
        for part in parts {
            hash.add(part)
            hash.add(0x0A)
        }
        return hash.value
    }
}

/// Sorts contacts into buckets by their keys.
package struct DuplicateGroups: Sendable {
    private var entries: [(key: UInt64, number: Int)] = []

    package init() {}

    /// Adds the contact `number` with its keys.
    package mutating func add(_ number: Int, _ keys: [UInt64]) {
        for key in keys { entries.append((key, number)) }
    }

    /// Returns the buckets with at least two contacts. A contact may be in several.
    package consuming func buckets() -> [[Int]] {
        entries.sort { ($0.key, $0.number) < ($1.key, $1.number) }
        var buckets: [[Int]] = []
        var start = 0
        while start < entries.count {
            var end = start + 1
            while end < entries.count, entries[end].key == entries[start].key { end += 1 }
            if end - start > 1 { buckets.append(entries[start..<end].map(\.number)) }
            start = end
        }
        return buckets
    }
}
