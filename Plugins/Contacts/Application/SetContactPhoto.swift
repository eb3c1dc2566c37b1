package import ContactsDomain
package import Storage

extension ContactsPlugin {
    /// The maximum size of a picture in bytes; above the limit of all known servers.
    package static let maximumPhotoLength = 8 << 20

    /// Sets the picture of the contact `id`; nil removes it.
    ///
    /// Throws `not-found`, and `invalid` if the bytes are not a supported image.
    /// - Returns: the contact, and whether it changed.
    @discardableResult
    package func setPhoto(
        of id: String, to bytes: [UInt8]?, operation: Operation
    ) async throws -> (contact: Contact, isChanged: Bool) {
        if let bytes { try ContactsPlugin.checkPhoto(bytes) }
        return try await contacts.write(operation) { transaction in
            let row = try transaction.editableContact(id, expecting: nil)
            let isSame = row.card.photo == bytes.map(CardPhoto.picture)
            if isSame { return (row, false) }
            try transaction.updateContact(
                id, card: row.card.settingPhoto(bytes, at: transaction.now.milliseconds))
            return (try transaction.saved(id, ContactEvents.changed), true)
        }
    }

    /// Throws `invalid` if `bytes` are not a supported image.
    package static func checkPhoto(_ bytes: [UInt8]) throws(HubError) {
        guard PictureType(sniffing: bytes) != nil else {
            throw HubError(
                .invalid, code: "photo-unknown", "not a supported image format",
                hint: "use a JPEG, PNG, GIF, WebP or BMP file")
        }
        guard bytes.count <= maximumPhotoLength else {
            throw HubError(
                .invalid, code: "photo-too-large", "the picture is larger than \(maximumPhotoLength >> 20) MiB",
                hint: "a picture of 512 × 512 pixels is enough")
        }
    }
}
