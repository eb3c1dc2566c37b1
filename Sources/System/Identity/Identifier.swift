/// Ids of everything that hub makes: a digit, a letter, then 18 base-32 characters.
///
/// They can be no name, number or date, are never reused, and any unique beginning of one selects it. 20 characters
/// carry 97 random bits, so two machines never make the same one.
package enum Identifier {
    /// Crockford's base-32 letters and digits in lower case: no `i`, `l`, `o`, `u` to be misread.
    package static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// The length of a whole id in characters.
    package static let length = 20

    /// A new random id from `generator`.
    package static func make(using generator: inout some RandomNumberGenerator) -> String {
        String(unsafeUninitializedCapacity: length) { buffer in
            var bits = generator.next() as UInt64
            var left = 60
            for index in 0..<length {
                if left < 5 {
                    bits = generator.next()
                    left = 60
                }
                let five = Int(bits & 31)
                bits >>= 5
                left -= 5
                switch index {
                case 0: buffer[index] = alphabet[five % 10]
                case 1: buffer[index] = alphabet[10 + five % 22]
                default: buffer[index] = alphabet[five]
                }
            }
            return length
        }
    }

    /// A new random id from the system's generator.
    package static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return make(using: &generator)
    }

    /// Whether `text` can be an id or the beginning of one that is long enough to be typed (two characters or more).
    package static func isPrefix(_ text: some StringProtocol) -> Bool {
        let bytes = Array(text.utf8)
        guard (2...length).contains(bytes.count), (0x30...0x39).contains(bytes[0]), bytes[1] > 0x39 else {
            return false
        }
        return bytes.dropFirst().allSatisfy(alphabet.contains)
    }
}

/// Finds how many characters of an id must be shown so that they name only it.
package enum ShortIDs {
    /// The fewest characters an id is shown with.
    package static let minimum = 3

    /// The shortest beginning of `id`, of three characters or more, that no other id begins with.
    ///
    /// Shortens an id; `isUnique` returns whether exactly one id begins with the given text, usually with one index
    /// look-up.
    package static func shorten(_ id: String, isUnique: (Substring) throws -> Bool) rethrows -> Int {
        for length in minimum..<max(id.count, minimum) where try isUnique(id.prefix(length)) { return length }
        return id.count
    }

    /// Returns the number of characters that distinguish `id` from its neighbours in the order of all ids, the
    /// cheapest way for an index.
    package static func shorten(_ id: String, before: String?, after: String?) -> Int {
        length(of: id, sharing: [before, after].compactMap(\.self).map { sharedCount($0.utf8, id.utf8) }.max() ?? 0)
    }

    /// The number of characters that distinguish `id` from others that begin with the same `shared` ones.
    package static func length(of id: String, sharing shared: Int) -> Int {
        min(max(shared + 1, minimum), id.utf8.count)
    }

    /// How many characters each of `ids` needs among them all, in the same order.
    package static func lengths(_ ids: [String]) -> [Int] {
        let order = ids.indices.sorted { ids[$0] < ids[$1] }
        var lengths = Array(repeating: minimum, count: ids.count)
        for (place, index) in order.enumerated() {
            let before = place > 0 ? ids[order[place - 1]] : nil
            let after = place + 1 < order.count ? ids[order[place + 1]] : nil
            lengths[index] = shorten(ids[index], before: before, after: after)
        }
        return lengths
    }

    /// The number of bytes with which both begin; for those of many rows.
    package static func sharedCount(_ left: [UInt8], _ right: UnsafeRawBufferPointer) -> Int {
        var count = 0
        while count < left.count, count < right.count, left[count] == right[count] { count += 1 }
        return count
    }

    /// The number of bytes with which both begin.
    package static func sharedCount(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> Int {
        var count = 0
        for (left, right) in zip(left, right) {
            guard left == right else { break }
            count += 1
        }
        return count
    }
}
