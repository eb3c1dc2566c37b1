/// The id of a note on the wire of NoteApp: 24 hexadecimal digits.
package struct NoteAppID: Hashable, Sendable {
    /// The digits in lower case.
    package let text: String

    /// Creates an id from 24 hexadecimal digits in either case; nil for anything else.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 24, bytes.allSatisfy(NoteAppID.isDigit) else { return nil }
        // This bit is set in all digits and small letters.
        self.text = String(decoding: bytes.map { $0 | 0x20 }, as: UTF8.self)
    }

    /// Creates an id from 12 bytes, such as random ones; further bytes are ignored.
    package init(_ bytes: [UInt8]) {
        text = (bytes + [UInt8](repeating: 0, count: 12)).prefix(12).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        .joined()
    }

    /// What a part of a path names.
    package enum Lookup: Hashable, Sendable {
        /// A note, if there is one with this id.
        case id(NoteAppID)
        /// No note ever: twelve bytes of text, which the original takes as an id of another kind (404).
        case unknown
        /// Not an id (400). The original ends its process here.
        case invalid
    }

    /// Returns what a decoded part of a path names.
    package static func lookUp(_ segment: some StringProtocol) -> Lookup {
        if let id = NoteAppID(segment) { return .id(id) }
        return segment.utf8.count == 12 && segment.utf16.count == 12 ? .unknown : .invalid
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }
}
