extension Card {
    /// A card without any value.
    package static func empty(_ version: VCardVersion) -> Card {
        Card("BEGIN:VCARD\r\nVERSION:\(version.rawValue)\r\nEND:VCARD\r\n")
    }

    /// Returns the differences in `new`, field by field, with the picture.
    package func changes(to new: Card) -> [FieldChange] {
        let pictures = hasSamePhotoLine(as: new) ? [] : FieldChange.ofPhoto(photo, new.photo).map { [$0] } ?? []
        return details.changes(to: new.details) + pictures
    }

    /// Whether both have the same line with a picture, or none: then nothing has to be decoded.
    private func hasSamePhotoLine(as other: Card) -> Bool {
        guard let mine = first(.photo), let theirs = other.first(.photo) else {
            return first(.photo) == nil && other.first(.photo) == nil
        }
        return properties[mine].flags == other.properties[theirs].flags
            && content(properties[mine]).elementsEqual(other.content(other.properties[theirs]))
    }
}

extension FieldChange {
    private static let photo = "photo"

    /// The change of a picture; nil for none.
    fileprivate static func ofPhoto(_ old: CardPhoto?, _ new: CardPhoto?) -> FieldChange? {
        old == new ? nil : FieldChange(photo, old: old?.words, new: new?.words)
    }

    /// `photo added, JPEG, 34 kB`; nil if it is not about a picture.
    var photoWords: String? {
        guard field == Self.photo else { return nil }
        switch (old, new) {
        case (nil, let new?): return "\(field) added, \(new)"
        case (_?, let new?): return "\(field) replaced, \(new)"
        case (let old, nil): return "\(field) removed" + (old.map { ", \($0)" } ?? "")
        }
    }
}

extension CardPhoto {
    /// `JPEG, 34 kB`.
    fileprivate var words: String {
        func size(_ count: Int) -> String { count < 1000 ? "\(count) bytes" : "\((count + 500) / 1000) kB" }
        return switch self {
        case .picture(let bytes):
            [PictureType(sniffing: bytes)?.word, size(bytes.count)].compactMap(\.self).joined(separator: ", ")
        case .link(let link): "at \(link.prefix(200))"
        case .unreadable(let count): "unreadable, \(size(count))"
        }
    }
}
