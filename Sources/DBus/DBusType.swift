/// A type of the D-Bus type system (D-Bus specification, "Type System").
package indirect enum DBusType: Hashable, Sendable {
    case byte, boolean, int16, uint16, int32, uint32, int64, uint64, double
    case string, objectPath, signature, unixDescriptor, variant
    case array(DBusType)
    case structure([DBusType])
    /// An array of dictionary entries; keys are of a basic type.
    case dictionary(key: DBusType, value: DBusType)
}

extension DBusType {
    /// The type's code on the wire, such as `a{sv}`.
    package var code: String {
        switch self {
        case .byte: "y"
        case .boolean: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .unixDescriptor: "h"
        case .variant: "v"
        case .array(let element): "a" + element.code
        case .structure(let members): "(" + members.map(\.code).joined() + ")"
        case .dictionary(let key, let value): "a{" + key.code + value.code + "}"
        }
    }

    /// The one complete type that `code` spells, or nil when it spells none, several, or one nested too deep.
    package init?(code: String) {
        var rest = Substring(code)
        guard let type = DBusType(parsing: &rest, depth: 0), rest.isEmpty else { return nil }
        self = type
    }

    /// Arrays and structures may each be nested 32 deep.
    static let maximumDepth = 64

    private init?(parsing rest: inout Substring, depth: Int) {
        guard depth < DBusType.maximumDepth, let first = rest.popFirst() else { return nil }
        switch first {
        case "a" where rest.first == "{":
            rest.removeFirst()
            guard let key = DBusType(parsing: &rest, depth: depth + 1), key.isBasic,
                let value = DBusType(parsing: &rest, depth: depth + 1), rest.popFirst() == "}"
            else { return nil }
            self = .dictionary(key: key, value: value)
        case "a":
            guard let element = DBusType(parsing: &rest, depth: depth + 1) else { return nil }
            self = .array(element)
        case "(":
            var members: [DBusType] = []
            while let next = rest.first, next != ")" {
                guard let member = DBusType(parsing: &rest, depth: depth + 1) else { return nil }
                members.append(member)
            }
            guard rest.popFirst() == ")", !members.isEmpty else { return nil }
            self = .structure(members)
        default:
            guard let simple = DBusType.simple[first] else { return nil }
            self = simple
        }
    }

    private static let simple: [Character: DBusType] = [
        "y": .byte, "b": .boolean, "n": .int16, "q": .uint16, "i": .int32, "u": .uint32, "x": .int64, "t": .uint64,
        "d": .double, "s": .string, "o": .objectPath, "g": .signature, "h": .unixDescriptor, "v": .variant,
    ]

    /// Whether the type may be a dictionary's key.
    var isBasic: Bool {
        switch self {
        case .array, .structure, .dictionary, .variant: false
        default: true
        }
    }
}
