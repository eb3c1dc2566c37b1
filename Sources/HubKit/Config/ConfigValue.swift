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
