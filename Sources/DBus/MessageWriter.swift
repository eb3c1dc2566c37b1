import CDBus

/// Appends values to the body of a message.
///
/// libdbus ends the process when it is handed something malformed, so everything is checked before it gets there.
struct MessageWriter {
    /// The longest body that is sent, in bytes; the bus itself would take 128 MiB.
    static let maximumSize = 16 << 20

    private var remaining = MessageWriter.maximumSize

    /// Appends `arguments` to `message`.
    static func append(_ arguments: [DBusValue], to message: OpaquePointer) throws(DBusError) {
        let signature = arguments.map(\.type.code).joined()
        guard cdbus_is_signature(signature) else { throw .invalid("“\(signature)” is not a valid signature") }
        var iter = cdbus_iter()
        cdbus_write(message, &iter)
        var writer = MessageWriter()
        for argument in arguments { try writer.append(argument, to: &iter, depth: 0) }
    }

    private mutating func append(_ value: DBusValue, to iter: inout cdbus_iter, depth: Int) throws(DBusError) {
        guard depth < DBusType.maximumDepth else { throw .invalid("values are nested too deep") }
        switch value {
        case .byte(let byte): try append(cdbus_basic(byte: byte), "y", to: &iter)
        case .boolean(let truth): try append(cdbus_basic(boolean: truth ? 1 : 0), "b", to: &iter)
        case .int16(let number): try append(cdbus_basic(int16: number), "n", to: &iter)
        case .uint16(let number): try append(cdbus_basic(uint16: number), "q", to: &iter)
        case .int32(let number): try append(cdbus_basic(int32: number), "i", to: &iter)
        case .uint32(let number): try append(cdbus_basic(uint32: number), "u", to: &iter)
        case .int64(let number): try append(cdbus_basic(int64: number), "x", to: &iter)
        case .uint64(let number): try append(cdbus_basic(uint64: number), "t", to: &iter)
        case .double(let number): try append(cdbus_basic(number: number), "d", to: &iter)
        case .unixDescriptor(let descriptor): try append(cdbus_basic(descriptor: descriptor.number), "h", to: &iter)
        case .string(let text): try append(text, "s", to: &iter)
        case .objectPath(let path):
            guard cdbus_is_path(path) else { throw .invalid("“\(path)” is not a valid object path") }
            try append(path, "o", to: &iter)
        case .signature(let signature):
            guard cdbus_is_signature(signature) else { throw .invalid("“\(signature)” is not a valid signature") }
            try append(signature, "g", to: &iter)
        case .bytes(let bytes):
            try spend(bytes.count)
            try container("a", "y", in: &iter) { writer, inner throws(DBusError) in
                guard bytes.withUnsafeBufferPointer({ cdbus_append_bytes(&inner, $0.baseAddress, Int32($0.count)) })
                else { throw .noMemory }
            }
        case .array(let element, let elements):
            try container("a", element.code, in: &iter) { writer, inner throws(DBusError) in
                for value in elements {
                    try writer.append(value, as: element, to: &inner, depth: depth + 1)
                }
            }
        case .structure(let members):
            try container("r", nil, in: &iter) { writer, inner throws(DBusError) in
                for member in members { try writer.append(member, to: &inner, depth: depth + 1) }
            }
        case .dictionary(let key, let type, let entries):
            try container("a", "{\(key.code)\(type.code)}", in: &iter) { writer, array throws(DBusError) in
                for (name, value) in entries {
                    try writer.container("e", nil, in: &array) { writer, entry throws(DBusError) in
                        try writer.append(name, as: key, to: &entry, depth: depth + 2)
                        try writer.append(value, as: type, to: &entry, depth: depth + 2)
                    }
                }
            }
        case .variant(let inner):
            let code = inner.type.code
            guard cdbus_is_signature(code) else { throw .invalid("“\(code)” is not a valid signature") }
            try container("v", code, in: &iter) { writer, variant throws(DBusError) in
                try writer.append(inner, to: &variant, depth: depth + 1)
            }
        }
    }

    /// Appends an element after checking that it is what its container declares.
    private mutating func append(
        _ value: DBusValue, as type: DBusType, to iter: inout cdbus_iter, depth: Int
    ) throws(DBusError) {
        guard value.type == type else { throw .invalid("“\(value.type.code)” in an array of “\(type.code)”") }
        try append(value, to: &iter, depth: depth)
    }

    private mutating func append(
        _ value: cdbus_basic, _ code: Unicode.Scalar, to iter: inout cdbus_iter
    ) throws(DBusError) {
        try spend(8)
        guard withUnsafePointer(to: value, { cdbus_append_basic(&iter, Int32(code.value), $0) }) else {
            throw .noMemory
        }
    }

    private mutating func append(
        _ text: String, _ code: Unicode.Scalar, to iter: inout cdbus_iter
    ) throws(DBusError) {
        guard !text.utf8.contains(0) else { throw .invalid("a string contains NUL") }
        try spend(8 + text.utf8.count)
        let appended = text.withCString { pointer in
            withUnsafePointer(to: cdbus_basic(text: pointer)) { cdbus_append_basic(&iter, Int32(code.value), $0) }
        }
        guard appended else { throw .noMemory }
    }

    private mutating func container(
        _ code: Unicode.Scalar, _ signature: String?, in iter: inout cdbus_iter,
        _ fill: (inout MessageWriter, inout cdbus_iter) throws(DBusError) -> Void
    ) throws(DBusError) {
        try spend(8)
        var inner = cdbus_iter()
        guard cdbus_open_container(&iter, Int32(code.value), signature, &inner) else { throw .noMemory }
        do {
            try fill(&self, &inner)
        } catch {
            cdbus_abandon_container(&iter, &inner)
            throw error
        }
        guard cdbus_close_container(&iter, &inner) else { throw .noMemory }
    }

    private mutating func spend(_ size: Int) throws(DBusError) {
        guard size <= remaining else { throw .invalid("a message is longer than \(MessageWriter.maximumSize) bytes") }
        remaining -= size
    }
}

extension DBusError {
    /// libdbus reports nothing else that can fail once its arguments are checked.
    static let noMemory = DBusError.invalid("out of memory")
}
