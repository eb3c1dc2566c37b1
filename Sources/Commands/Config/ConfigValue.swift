/// A value of the configuration as it was written, before a key's type has looked at it.
package enum ConfigValue: Hashable, Sendable {
    case boolean(Bool)
    case integer(Int)
    case text(String)
    case list([ConfigValue])
    /// Named values in the order of the file.
    case table([Member])
    /// Something that no key takes, such as a date; the text says what, for messages.
    case unsupported(String)

    /// One named value of a table.
    package struct Member: Hashable, Sendable {
        /// The key of the member.
        package let name: String
        /// The value of the member.
        package let value: ConfigValue

        package init(_ name: String, _ value: ConfigValue) {
            self.name = name
            self.value = value
        }
    }

    /// The kind of value for a message: `found …`.
    package var kind: String {
        switch self {
        case .boolean(let truth): truth ? "true" : "false"
        case .integer: "a number"
        case .text: "text"
        case .list: "a list"
        case .table: "a table"
        case .unsupported(let kind): kind
        }
    }
}

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
