/// A JSON value; numbers keep their text, so that none is rounded, and members keep their order.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number in its original spelling, such as `1.50` or `1e9`.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// Members in their order; names are unique.
    case object([Member])

    /// A name and a value of an object.
    package struct Member: Hashable, Sendable {
        /// The member's name.
        package let name: String
        /// The member's value.
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

    /// An integer that fits, nil for anything else.
    package var integer: Int? {
        if case .number(let text) = self { Int(text) } else { nil }
    }

    /// A truth value, nil for anything else.
    package var bool: Bool? {
        if case .bool(let truth) = self { truth } else { nil }
    }

    /// The elements of an array, nil for anything else.
    package var array: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The text of a string, number or truth value; empty for null, nil for arrays and objects.
    package var scalarText: String? {
        switch self {
        case .string(let text), .number(let text): text
        case .bool(let truth): truth ? "true" : "false"
        case .null: ""
        case .array, .object: nil
        }
    }
}
