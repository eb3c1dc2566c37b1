/// Creates the `UID`s of contacts.
enum ContactUID {
    /// Returns a new random UUID (RFC 9562, version 4) in the text form that vCard 3.0 uses for `UID`.
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        let version = generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let variant = generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        func hex(_ word: UInt64, _ digits: Range<Int>) -> Substring {
            let text = String(word, radix: 16)
            return (String(repeating: "0", count: 16 - text.count) + text).dropFirst(digits.lowerBound)
                .prefix(digits.count)
        }
        return [
            hex(version, 0..<8), hex(version, 8..<12), hex(version, 12..<16), hex(variant, 0..<4), hex(variant, 4..<16),
        ].joined(separator: "-")
    }
}
