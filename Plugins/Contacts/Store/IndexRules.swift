import Collation
package import ContactsDomain

/// What the derived rows depend on besides the cards: the person's language, order of names, and country.
///
/// They are kept in the store with the rows, so that undo, which knows no settings, makes rows like all the others.
package struct IndexRules: Sendable {
    /// The language tag whose order is used, such as `de` or `en_GB`.
    package let locale: String
    /// Which part of a name is compared first.
    package let nameOrder: NameOrder
    /// The ISO 3166 region of phone numbers without a country code, such as `PL`; nil when it is not known.
    package let region: String?
    /// Makes the sort keys.
    let collator: Collator
    /// The numbering of the region.
    let callingCode: CallingCode?

    package init(locale: String, nameOrder: NameOrder = .familyFirst, region: String? = nil) {
        self.locale = locale
        self.nameOrder = nameOrder
        self.region = region
        collator = Collator(locale: locale)
        callingCode = region.flatMap(CallingCode.init(region:))
    }

    /// Opens what makes the derived rows, in about 150 ms; otherwise the first foreign name does so.
    package func open() {
        _ = collator.version
        Transliterator.open()
    }

    /// What can be compared without loading a library; rows made under another text must be made again.
    var settings: String {
        "\(ContactEntry.version).\(SearchText.version) \(locale) \(nameOrder.rawValue) \(region ?? "-")"
    }

    /// The version of the sort keys; asking for it loads the collation library.
    var collation: String { collator.version }
}
