import CDBus

/// Reads the body of a message, which libdbus has validated: its depth is at most 64.
struct MessageReader {
    /// The values in the body of `message`.
    static func arguments(of message: OpaquePointer) -> [DBusValue] {
        var iter = cdbus_iter()
        guard cdbus_read(message, &iter) else { return [] }
        return values(at: &iter)
    }

    private static func values(at iter: inout cdbus_iter) -> [DBusValue] {
        var values: [DBusValue] = []
        while let value = value(at: &iter) {
            values.append(value)
            if !cdbus_iter_next(&iter) { break }
        }
        return values
    }

    /// The value at `iter`; nil at the end of a container.
    private static func value(at iter: inout cdbus_iter) -> DBusValue? {
        switch code(cdbus_iter_type(&iter)) {
        case "y": .byte(basic(at: &iter).byte)
        case "b": .boolean(basic(at: &iter).boolean != 0)
        case "n": .int16(basic(at: &iter).int16)
        case "q": .uint16(basic(at: &iter).uint16)
        case "i": .int32(basic(at: &iter).int32)
        case "u": .uint32(basic(at: &iter).uint32)
        case "x": .int64(basic(at: &iter).int64)
        case "t": .uint64(basic(at: &iter).uint64)
        case "d": .double(basic(at: &iter).number)
        case "s": .string(text(at: &iter))
        case "o": .objectPath(text(at: &iter))
        case "g": .signature(text(at: &iter))
        case "h": .unixDescriptor(DBusDescriptor(adopting: basic(at: &iter).descriptor))
        case "a": array(at: &iter)
        case "r": .structure(inner(of: &iter, values))
        case "v": inner(of: &iter) { value(at: &$0).map { .variant($0) } }
        default: nil
        }
    }

    private static func array(at iter: inout cdbus_iter) -> DBusValue? {
        if code(cdbus_iter_element_type(&iter)) == "y" { return .bytes(inner(of: &iter, bytes)) }
        guard let signature = cdbus_iter_signature(&iter) else { return nil }
        defer { cdbus_free(signature) }
        switch DBusType(code: String(cString: signature)) {
        case .dictionary(let key, let value): return .dictionary(key: key, value: value, inner(of: &iter, entries))
        case .array(let element): return .array(of: element, inner(of: &iter, values))
        default: return nil
        }
    }

    /// The entries of a dictionary; of two with one key the later one counts.
    private static func entries(at iter: inout cdbus_iter) -> [DBusValue: DBusValue] {
        var entries: [DBusValue: DBusValue] = [:]
        while code(cdbus_iter_type(&iter)) == "e" {
            let pair = inner(of: &iter, values)
            if pair.count == 2 { entries[pair[0]] = pair[1] }
            if !cdbus_iter_next(&iter) { break }
        }
        return entries
    }

    private static func bytes(at iter: inout cdbus_iter) -> [UInt8] {
        var start: UnsafePointer<UInt8>?
        var count: Int32 = 0
        // An empty array has no element to iterate over.
        guard code(cdbus_iter_type(&iter)) == "y" else { return [] }
        cdbus_iter_bytes(&iter, &start, &count)
        return Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }

    private static func inner<Result>(
        of iter: inout cdbus_iter, _ body: (inout cdbus_iter) -> Result
    ) -> Result {
        var inner = cdbus_iter()
        cdbus_iter_recurse(&iter, &inner)
        return body(&inner)
    }

    private static func basic(at iter: inout cdbus_iter) -> cdbus_basic {
        var value = cdbus_basic()
        cdbus_iter_basic(&iter, &value)
        return value
    }

    private static func text(at iter: inout cdbus_iter) -> String {
        basic(at: &iter).text.map { String(cString: $0) } ?? ""
    }

    /// The type code as a character; NUL, libdbus's invalid type, at the end of a container.
    private static func code(_ type: Int32) -> Unicode.Scalar { Unicode.Scalar(UInt8(truncatingIfNeeded: type)) }
}
