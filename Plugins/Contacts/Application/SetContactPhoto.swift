package import ContactsDomain
package import HubKit

/// Sets or removes the picture of a contact; every other property keeps its bytes.
package struct SetContactPhoto: Sendable {
    /// The maximum size of a picture in bytes; above the limit of all known servers.
    package static let maximumLength = 8 << 20

    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Sets the picture of the contact `id`; nil removes it.
    ///
    /// Throws `not-found`, and `invalid` if the bytes are not a supported image.
    /// - Returns: the contact, and whether it changed.
    @discardableResult
    package func callAsFunction(
        _ id: String, to bytes: [UInt8]?, operation: Operation
    ) async throws -> (contact: Contact, isChanged: Bool) {
        if let bytes { try SetContactPhoto.check(bytes) }
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
    package static func check(_ bytes: [UInt8]) throws(HubError) {
        guard PictureType(sniffing: bytes) != nil else {
            throw HubError(
                .invalid, code: "photo-unknown", "not a supported image format",
                hint: "use a JPEG, PNG, GIF, WebP or BMP file")
        }
        guard bytes.count <= maximumLength else {
            throw HubError(
                .invalid, code: "photo-too-large", "the picture is larger than \(maximumLength >> 20) MiB",
                hint: "a picture of 512 × 512 pixels is enough")
        }
    }
}
