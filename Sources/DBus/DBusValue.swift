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
