package import ContactsDomain

/// A part of the list of contacts, as a list on a screen reads it.
package struct ContactRows: Sendable {
    /// A contact in the list.
    package struct Item: Sendable {
        /// The name, phone, e-mail and tags.
        package let summary: ContactSummary
        /// The organization and its units; empty for none.
        package let organization: [String]
        /// A text that changes with the picture; nil for no picture.
        package let photo: String?
    }

    /// A heading of the list: the contacts from `start` on begin with it.
    package struct Heading: Sendable {
        /// The letter, or a letter of another script.
        package let label: String
        /// The position of the first contact below it.
        package let start: Int
    }

    /// The contacts.
    package let items: [Item]
    /// The number of all contacts that match.
    package let total: Int
    /// The headings of the whole list; empty for a search or a filter.
    package let headings: [Heading]
}

extension ContactsPlugin {
    /// Returns at most `limit` contacts that match `filter` from `offset` on, their number, and for the list of all contacts
    /// its headings.
    package func rows(_ filter: ContactFilter, offset: Int, limit: Int) async throws -> ContactRows {
        let letters = filter == ContactFilter() ? ContactsPlugin.letters(contacts.rules) : []
        return try await contacts.read { transaction in
            let (found, total) = try transaction.contactRows(filter, offset: offset, limit: limit)
            let items = try found.map { summary in
                let contact = try transaction.contact(summary.id)
                return ContactRows.Item(
                    summary: summary, organization: contact?.card.details.organization ?? [],
                    photo: contact?.photo)
            }
            let starts = try transaction.contactPositions(of: letters.map(\.key))
            let ends = starts.dropFirst() + [total]
            let headings = zip(letters, zip(starts, ends)).compactMap { letter, range in
                range.0 < range.1 ? ContactRows.Heading(label: letter.label, start: range.0) : nil
            }
            return ContactRows(items: items, total: total, headings: headings)
        }
    }

    /// The letters of headings in the order of the locale, with the first eight bytes of the smallest sort key below each.
    private static func letters(_ rules: IndexingOptions) -> [(label: String, key: [UInt8])] {
        let latin = (UInt8(ascii: "A")...UInt8(ascii: "Z")).map { String(UnicodeScalar($0)) }
        let others = ["Α", "А", "Ա", "א", "ا", "अ", "ก", "가", "あ", "一"]
        let keys = (latin + others).map { (label: $0, key: rules.smallestKey(of: $0)) }
        // Names without letters come last.
        return keys.sorted { $0.key.lexicographicallyPrecedes($1.key) } + [(label: "#", key: [2])]
    }
}
