import Collation
package import ContactsDomain

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
