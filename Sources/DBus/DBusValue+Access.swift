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
