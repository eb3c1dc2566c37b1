import Glibc

/// A value of any D-Bus type.
///
/// Arrays and dictionaries carry their element types, so that empty ones can be sent too.
package indirect enum DBusValue: Hashable, Sendable {
    case byte(UInt8)
    case boolean(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(String)
    case signature(String)
    case unixDescriptor(DBusDescriptor)
    /// An array of bytes, `ay`: what it holds is data and not a list.
    case bytes([UInt8])
    case array(of: DBusType, [DBusValue])
    case structure([DBusValue])
    case dictionary(key: DBusType, value: DBusType, [DBusValue: DBusValue])
    case variant(DBusValue)
}

extension DBusValue {
    /// The type of the value.
    package var type: DBusType {
        switch self {
        case .byte: .byte
        case .boolean: .boolean
        case .int16: .int16
        case .uint16: .uint16
        case .int32: .int32
        case .uint32: .uint32
        case .int64: .int64
        case .uint64: .uint64
        case .double: .double
        case .string: .string
        case .objectPath: .objectPath
        case .signature: .signature
        case .unixDescriptor: .unixDescriptor
        case .bytes: .array(.byte)
        case .array(let element, _): .array(element)
        case .structure(let members): .structure(members.map(\.type))
        case .dictionary(let key, let value, _): .dictionary(key: key, value: value)
        case .variant: .variant
        }
    }
}

/// An open file descriptor that travelled over the bus; it is closed when the last reference goes.
package final class DBusDescriptor: Sendable {
    /// The descriptor's number in this process; close-on-exec.
    package let number: Int32

    /// Takes ownership of `number`; the caller must not close it.
    package init(adopting number: Int32) { self.number = number }

    deinit { close(number) }
}

extension DBusDescriptor: Hashable {
    /// Whether both refer to the same open descriptor.
    package static func == (left: DBusDescriptor, right: DBusDescriptor) -> Bool { left.number == right.number }

    /// Hashes the number of the descriptor.
    package func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

extension DBusValue {
    /// The value itself, or what it holds when it is a variant, however often wrapped.
    package var unwrapped: DBusValue {
        var value = self
        while case .variant(let inner) = value { value = inner }
        return value
    }

    /// The text of a string, an object path or a signature.
    package var text: String? {
        switch unwrapped {
        case .string(let text), .objectPath(let text), .signature(let text): text
        default: nil
        }
    }

    /// The number of any integer type that `Int` can hold.
    package var integer: Int? {
        switch unwrapped {
        case .byte(let number): Int(number)
        case .int16(let number): Int(number)
        case .uint16(let number): Int(number)
        case .int32(let number): Int(number)
        case .uint32(let number): Int(number)
        case .int64(let number): Int(exactly: number)
        case .uint64(let number): Int(exactly: number)
        default: nil
        }
    }

    /// The truth value of a boolean.
    package var truth: Bool? {
        if case .boolean(let value) = unwrapped { value } else { nil }
    }

    /// The bytes of an `ay`.
    package var data: [UInt8]? {
        if case .bytes(let bytes) = unwrapped { bytes } else { nil }
    }

    /// The elements of an array or the members of a structure.
    package var elements: [DBusValue]? {
        switch unwrapped {
        case .array(_, let elements), .structure(let elements): elements
        default: nil
        }
    }

    /// The entries of a dictionary.
    package var entries: [DBusValue: DBusValue]? {
        if case .dictionary(_, _, let entries) = unwrapped { entries } else { nil }
    }

    /// The unwrapped value of a string-keyed dictionary for `key`.
    package subscript(key: String) -> DBusValue? {
        entries?[.string(key)]?.unwrapped ?? entries?[.objectPath(key)]?.unwrapped
    }

    /// A dictionary of properties, `a{sv}`.
    package static func properties(_ properties: [String: DBusValue]) -> DBusValue {
        var entries: [DBusValue: DBusValue] = [:]
        for (name, value) in properties { entries[.string(name)] = .variant(value) }
        return .dictionary(key: .string, value: .variant, entries)
    }

    /// A dictionary of texts, `a{ss}`.
    package static func texts(_ texts: [String: String]) -> DBusValue {
        var entries: [DBusValue: DBusValue] = [:]
        for (name, text) in texts { entries[.string(name)] = .string(text) }
        return .dictionary(key: .string, value: .string, entries)
    }

    /// A list of texts, `as`.
    package static func strings(_ strings: [String]) -> DBusValue { .array(of: .string, strings.map { .string($0) }) }
}
