/// Folds ASCII and U+00C0...U+017F without ICU; a test holds each entry equal to ICU's answer.
enum LatinFolding {
    /// The replacements of U+00C0, U+00C1, … U+017F, in order.
    private static let table: [[UInt8]] = """
        a a a a a a ae c e e e e i i i i d n o o o o o * o u u u u y th ss \
        a a a a a a ae c e e e e i i i i d n o o o o o / o u u u u y th y \
        a a a a a a c c c c c c c c d d d d e e e e e e e e e e g g g g \
        g g g g h h h h i i i i i i i i i i ij ij j j k k q l l l l l l l \
        l l l n n n n n n 'n n n o o o o o o oe oe r r r r r r s s s s s s \
        s s t t t t t t u u u u u u u u u u u u w w y y y z z z z z z s
        """.utf8.split(separator: 0x20).map(Array.init)

    /// The folded form of `text`, whose scalars must all be below U+0080 or within U+00C0...U+017F.
    static func fold(_ text: String) -> String {
        let table = table
        // Two UTF-8 bytes become at most two letters, so the result is never longer.
        return String(unsafeUninitializedCapacity: text.utf8.count) { buffer in
            var count = 0
            var lead: UInt8 = 0
            for byte in text.utf8 {
                if byte < 0x80 {
                    buffer[count] = byte &- 0x41 < 26 ? byte | 0x20 : byte
                    count += 1
                } else if byte >= 0xC0 {
                    lead = byte
                } else {
                    for letter in table[Int(lead - 0xC3) << 6 | Int(byte & 0x3F)] {
                        buffer[count] = letter
                        count += 1
                    }
                }
            }
            return count
        }
    }
}
