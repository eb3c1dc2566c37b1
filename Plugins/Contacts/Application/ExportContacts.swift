package import ContactsDomain
import HubKit

/// Writes contacts out as vCards: each exactly as it is kept, or in another version of the format.
package struct ExportContacts: Sendable {
    let contacts: ContactStore

    /// How many cards are read at a time.
    private static let batch = 200

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// The cards of the contacts `ids`, or of all, in the order of names, converted to `version`; nil leaves every byte
    /// as it is. A chunk holds whole cards.
    package func callAsFunction(
        _ ids: [String]? = nil, as version: VCardVersion? = nil
    ) -> AsyncThrowingStream<[UInt8], any Error> {
        let pages = Pages(contacts, ids, version)
        return AsyncThrowingStream { try await pages.next() }
    }

    /// Where the export stands between two chunks.
    private actor Pages {
        private let contacts: ContactStore
        private let version: VCardVersion?
        private var ids: ArraySlice<String>?
        private var cursor: String?
        private var isFinished = false

        init(_ contacts: ContactStore, _ ids: [String]?, _ version: VCardVersion?) {
            self.contacts = contacts
            self.version = version
            self.ids = ids.map { $0[...] }
        }

        func next() async throws -> [UInt8]? {
            guard let page = try await nextIDs() else { return nil }
            let version = version
            return try await contacts.read { transaction in
                var bytes: [UInt8] = []
                for id in page {
                    guard let card = try transaction.contact(id)?.card else { continue }
                    bytes += version.map { card.converted(to: $0) }?.bytes ?? card.bytes
                    // The last line of a card may have had no end in its file.
                    if let last = bytes.last, last != UInt8(ascii: "\n"), last != UInt8(ascii: "\r") {
                        bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
                    }
                }
                return bytes
            }
        }

        private func nextIDs() async throws -> [String]? {
            if isFinished { return nil }
            if let rest = ids {
                ids = rest.dropFirst(ExportContacts.batch)
                return rest.isEmpty ? nil : Array(rest.prefix(ExportContacts.batch))
            }
            let page = try await GetContacts(contacts)(after: cursor, limit: ExportContacts.batch)
            cursor = page.next
            isFinished = page.next == nil
            return page.rows.isEmpty ? nil : page.rows.map(\.id)
        }
    }
}
