import Collation

/// Tags are told apart without case and accents; the spelling that was there first stays.
package enum TagName {
    /// What two spellings of one tag have in common.
    package static func folded(_ name: some StringProtocol) -> String {
        Transliterator.fold(String(name)).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Whether a tag is offered while `typed` stands in the field: it contains it, without regard to case and accents.
    package static func matches(_ name: String, typed: String) -> Bool {
        typed.isEmpty || folded(name).contains(folded(typed))
    }
}
