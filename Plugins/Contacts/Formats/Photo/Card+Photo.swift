import ContentLines
import Text

/// A picture in a card.
package enum CardPhoto: Hashable, Sendable {
    /// The image data.
    case picture([UInt8])
    /// The URL of a picture, which hub never fetches.
    case link(String)
    /// A value that cannot be read as an image, with its length in bytes.
    case unreadable(Int)
}

extension Card {
    /// The first picture of the card (`PHOTO`); nil when it has none.
    package var photo: CardPhoto? {
        guard let place = first(.photo) else { return nil }
        let property = properties[place]
        let content = content(property)
        if property.flags.contains(.base64) {
            return Base64.decode(value: content).map(CardPhoto.picture) ?? .unreadable(content.count)
        }
        let text = trimmedText(property)
        guard text.lowercased().hasPrefix("data:") else { return text.isEmpty ? nil : .link(text) }
        guard let comma = text.firstIndex(of: ","), text[..<comma].lowercased().hasSuffix(";base64"),
            let bytes = Base64.decode(value: text[text.index(after: comma)...].utf8)
        else { return .unreadable(text.utf8.count) }
        return .picture(bytes)
    }

    /// Whether the card holds a picture itself; it is not decoded.
    package var hasPicture: Bool {
        guard let place = first(.photo) else { return false }
        let property = properties[place]
        return property.flags.contains(.base64) || trimmedText(property).prefix(5).lowercased() == "data:"
    }

    /// Returns the card with `picture` as its only picture, or with none; every other line keeps its bytes.
    ///
    /// `time` is the time for `REV`, in milliseconds since 1970 UTC; nil does not change `REV`. `picture` must be of a
    /// type in `PictureType`.
    package func settingPhoto(_ picture: [UInt8]?, at time: Int64?) -> Card {
        var patch = CardPatch(self)
        patch.replaceAll(.photo, by: picture.flatMap(photoLine))
        if let time { patch.setRevision(time) }
        return Card(patch.bytes())
    }

    private func photoLine(_ picture: [UInt8]) -> PropertyLine? {
        guard let type = PictureType(sniffing: picture) else { return nil }
        let text = Base64.encode(picture)
        switch version {
        case .v4: return PropertyLine("PHOTO", content: Array("data:image/\(type.rawValue);base64,\(text)".utf8))
        case .v3, .v2:
            let encoding = ContentParameter("ENCODING", written: version == .v2 ? "BASE64" : "b")
            let types = PropertyLine.typeParameters([type.word], version: version)
            return PropertyLine("PHOTO", [encoding] + types, content: Array(text.utf8))
        }
    }
}

extension Base64 {
    /// Returns the bytes of a value, which old programs fold with a backslash at the end of a line; nil if it is not valid.
    fileprivate static func decode(value: some Sequence<UInt8>) -> [UInt8]? {
        decode(value.lazy.filter { $0 != ASCII.backslash })
    }
}

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
