/// The error for a value that does not fit its key.
package struct ConfigMismatch: Error, Hashable {
    /// A part of a list or a table.
    package enum Part: Hashable, Sendable {
        /// The element at this index, counted from 0.
        case element(Int)
        /// The value with this name.
        case member(String)
    }

    /// The message, in a few words: `expected true or false, found text`.
    package let note: String
    /// The part of the value that is wrong; nil for all of it.
    package var part: Part?

    package init(_ note: String, part: Part? = nil) {
        self.note = note
        self.part = part
    }

    /// The value is of another kind.
    package static func expected(_ expectation: String, found value: ConfigValue) -> ConfigMismatch {
        ConfigMismatch("expected \(expectation), found \(value.kind)")
    }
}
