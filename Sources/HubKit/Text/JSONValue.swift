/// A JSON value as it was read; numbers keep their text, so none is rounded, and members keep their order.
package indirect enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    /// A number as it was written, such as `1.50` or `1e9`.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// Members in their order; names are unique.
    case object([Member])

    /// One member of an object.
    package struct Member: Sendable, Equatable {
        /// The name.
        package let name: String
        /// The value.
        package let value: JSONValue

        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The member `name` of an object; nil when there is none or this is not an object.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The text of a string, nil for anything else.
    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// A whole number that fits, nil for anything else.
    package var integer: Int? {
        if case .number(let text) = self { Int(text) } else { nil }
    }

    /// True or false, nil for anything else.
    package var bool: Bool? {
        if case .bool(let truth) = self { truth } else { nil }
    }

    /// The elements of an array, nil for anything else.
    package var array: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }
}
