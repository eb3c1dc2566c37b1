/// The supported image types, detected by their first bytes.
package enum PictureType: String, CaseIterable, Sendable {
    case jpeg, png, gif, webp, bmp

    /// Detects the type of the image that starts with these bytes; nil for anything else.
    package init?(sniffing bytes: [UInt8]) {
        let marks: [(PictureType, [UInt8])] = [
            (.jpeg, [0xFF, 0xD8, 0xFF]), (.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
            (.gif, Array("GIF8".utf8)), (.bmp, Array("BM".utf8)),
        ]
        if let (type, _) = marks.first(where: { bytes.starts(with: $0.1) }) {
            self = type
        } else if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            self = .webp
        } else {
            return nil
        }
    }

    /// The value for `TYPE`.
    var word: String { rawValue.uppercased() }
}
