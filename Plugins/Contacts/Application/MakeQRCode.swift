import ContactsDomain
import HubKit
package import QRCode

extension ContactsPlugin {
    /// Returns the code of the contact `id`. Throws `not-found`, and `invalid` if its card is too long for a code.
    package func qrCode(of id: String) async throws -> QRCode {
        let contact = try await contacts.read { try Contact.kind.item(id, in: $0) }
        let card = contact.card.converted(to: .v3)
        let heavy = card.properties.indices.filter { card.properties[$0].kind.isBinary }
        let bytes = card.applying(heavy.map(PropertyEdit.remove)).bytes
        do throws(QRCode.Failure) {
            return try QRCode(bytes)
        } catch {
            let name = contact.details.displayName
            guard case .length(let length) = error else {
                throw HubError(
                    .unavailable, code: "qr-failed", "cannot create a QR code of \(name)",
                    details: ["\(error)"], hint: "hub doctor names a missing library", cause: error)
            }
            throw HubError(
                .invalid, code: "qr-too-long", "the card of \(name) is too long for a QR code",
                details: ["it has \(length) bytes; the limit is \(QRCode.maximumLength)"],
                hint: "send a file instead: hub contacts export \(id) -o card.vcf")
        }
    }
}
