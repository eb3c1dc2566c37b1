import Collation
package import ContactsDomain
import Text

/// The index row of a contact for sorting, filtering and searching in SQL: a row of `contacts_entry` with its tags.
///
/// It is derived from the card and can be rebuilt at any time. It is a class because an import passes on a hundred
/// thousand of them, each with a dozen texts.
final class ContactIndexRow: Sendable {
    /// Increased when the same card would give another row.
    static let version = 4

    /// The order of names in SQL; the table alias is `e`. The first term is in the index.
    static let order = "substr(e.sort_key, 1, 8), e.sort_key, e.number"
    /// The reverse order.
    static let reversedOrder = "substr(e.sort_key, 1, 8) DESC, e.sort_key DESC, e.number DESC"

    /// The id of the contact.
    let id: String
    /// The sort key in the configured locale.
    let sortKey: [UInt8]
    /// The name, phone, e-mail and tags for lists.
    let summary: ContactSummary
    /// The birthday as month × 100 + day; nil if either is unknown.
    let birthday: Int?
    /// The days of the anniversary and other dates, as month × 100 + day.
    let days: Set<Int>
    /// The bits of the properties that the contact has, and of its kind.
    let properties: Int
    /// Folded names and nicknames.
    let name: String
    /// The initials of the words of `name`, so that a query of one letter is an index lookup.
    let initials: String
    /// Folded e-mail addresses and the digits of phone numbers.
    let reach: String
    /// The other folded text: organization, tags, addresses, note.
    let other: String

    /// The cards that were merged into the contact.
    let merged: [MergedSource]
    /// The `UID`s of other cards that the card names, without `urn:uuid:`.
    let references: Set<ByteString>

    /// Creates the row of the contact `id` with these details.
    init(id: String, _ details: ContactDetails, _ rules: IndexingOptions) {
        let text = SearchText(details, region: rules.callingCode)
        self.id = id
        sortKey = details.sortKey(rules.nameOrder, rules.collator)
        summary = ContactSummary(id: id, details)
        func day(_ date: ContactDate?) -> Int? {
            guard let date = date?.date, let month = date.month, let day = date.day else { return nil }
            return month * 100 + day
        }
        birthday = day(details.birthday)
        days = Set(([details.anniversary] + details.dates.map(\.date)).compactMap(day))
        properties = details.propertyBits
        name = ContactIndexRow.lines(text.name, text.nickname)
        initials = ContactIndexRow.initials(of: name)
        reach = ContactIndexRow.lines(text.email, text.digits)
        other = ContactIndexRow.lines(text.organization, text.address, text.note)
        merged = details.mergedSources
        references = Set(details.references)
    }

    /// Returns the row of another contact with the same content.
    init(_ entry: ContactIndexRow, of id: String) {
        self.id = id
        var summary = entry.summary
        summary.id = id
        self.summary = summary
        sortKey = entry.sortKey
        birthday = entry.birthday
        (properties, days) = (entry.properties, entry.days)
        (name, initials, reach, other) = (entry.name, entry.initials, entry.reach, entry.other)
        (merged, references) = (entry.merged, entry.references)
    }

    /// The texts of the search tables, in the order of their columns.
    var texts: [String] { [name, initials, reach, other] }

    /// Folds a tag for comparison, without case and accents.
    static func folded(_ tag: String) -> String { Transliterator.fold(tag) }

    /// The folded tags of the contact.
    var foldedTags: Set<String> { Set(summary.tags.map(ContactIndexRow.folded)) }

    /// Joins tags for a column.
    static func column(_ tags: [String]) -> String { tags.joined(separator: "\n") }

    /// Splits the tags of a column.
    static func tags(_ column: String) -> [String] {
        column.split(separator: "\n").map(String.init)
    }

    /// The sources of the cards that were merged into the contact.
    var aliasSources: [Int] { merged.map { CardSource.key(uid: $0.uid, contentHash: $0.content ?? 0) } }

    private static func lines(_ texts: String...) -> String {
        texts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// The distinct initials of the words of folded text, separated by spaces.
    private static func initials(of text: String) -> String {
        var initials = ""
        var isInside = false
        for scalar in text.unicodeScalars {
            let isWord = scalar.value >= 0x80 || scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value)
            if isWord, !isInside, !initials.unicodeScalars.contains(scalar) {
                if !initials.isEmpty { initials.append(" ") }
                initials.unicodeScalars.append(scalar)
            }
            isInside = isWord
        }
        return initials
    }
}

/// The settings that index rows depend on: locale, name order and region.
///
/// They are stored with the rows, so that undo, which does not read the settings, creates equal rows.
package struct IndexingOptions: Sendable {
    /// The locale for sorting, such as `de` or `en_GB`.
    package let locale: String
    /// The name part to compare first.
    package let nameOrder: NameOrder
    /// The ISO 3166 region of phone numbers without a country code, such as `PL`; nil if unknown.
    package let region: String?
    /// The source of sort keys.
    let collator: Collator
    /// The numbering plan of the region.
    let callingCode: CallingCode?

    /// Creates the options; the collator is loaded on first use.
    package init(locale: String, nameOrder: NameOrder = .familyFirst, region: String? = nil) {
        self.locale = locale
        self.nameOrder = nameOrder
        self.region = region
        collator = Collator(locale: locale)
        callingCode = region.flatMap(CallingCode.init(region:))
    }

    /// Loads the collation in about 150 ms; otherwise the first foreign name does.
    package func open() {
        _ = collator.version
        Transliterator.open()
    }

    /// A fingerprint of the options, without loading the collation; rows with another one must be rebuilt.
    var settings: String {
        "\(ContactIndexRow.version).\(SearchText.version) \(locale) \(nameOrder.rawValue) \(region ?? "-")"
    }

    /// The version of the sort keys; loads the collation library.
    var collation: String { collator.version }

    /// Returns the first eight bytes of the smallest sort key of a name that begins with `letter`, with or without case and accents:
    /// they follow the first level of a key, which ends at the byte 1 (UTS #10 §7.3).
    package func smallestKey(of letter: String) -> [UInt8] {
        Array(([1] + collator.sortKey(of: letter).prefix { $0 != 1 }).prefix(8))
    }
}
