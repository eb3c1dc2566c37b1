import Collation

/// Compares tags without case and accents; the first spelling is kept.
package enum TagName {
    /// Returns the form that all spellings of one tag share.
    package static func folded(_ name: some StringProtocol) -> String {
        Transliterator.fold(String(name)).singleSpaced
    }

    /// Whether a tag is suggested for the text `typed`: it contains the text, ignoring case and accents.
    package static func matches(_ name: String, typed: String) -> Bool {
        typed.isEmpty || folded(name).contains(folded(typed))
    }
}
