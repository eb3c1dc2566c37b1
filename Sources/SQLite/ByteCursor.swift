/// Reads the fields of a changeset with bounds checked: the bytes come from a file.
struct ByteCursor {
    private let bytes: UnsafeRawBufferPointer
    private(set) var position: Int

    init(_ bytes: UnsafeRawBufferPointer, at position: Int) {
        self.bytes = bytes
        self.position = position
    }

    mutating func readByte() throws(SQLiteError) -> UInt8 {
        guard position < bytes.count else { throw .malformedChangeset }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func readBytes(_ count: Int) throws(SQLiteError) -> UnsafeRawBufferPointer {
        guard count <= bytes.count - position else { throw .malformedChangeset }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
    }

    /// SQLite's variable-length integer: seven bits a byte, the highest first. Lengths fit 32 bits.
    mutating func readVarint() throws(SQLiteError) -> Int {
        var value = 0
        for _ in 0..<5 {
            let byte = try readByte()
            value = value << 7 | Int(byte & 0x7f)
            if byte < 0x80 { return value }
        }
        throw .malformedChangeset
    }

    /// A text that ends with NUL.
    mutating func readName() throws(SQLiteError) -> String {
        let rest = bytes[position...]
        guard let end = rest.firstIndex(of: 0) else { throw .malformedChangeset }
        defer { position = end + 1 }
        return String(decoding: rest[..<end], as: UTF8.self)
    }

    /// One field: its type, then its content; nil when the record does not hold the column.
    mutating func readField() throws(SQLiteError) -> Value? {
        switch try readByte() {
        case 0: return nil
        case 1: return .integer(Int(bitPattern: try readWord()))
        case 2: return .real(Double(bitPattern: UInt64(try readWord())))
        case 3: return .text(String(decoding: try readBytes(try readVarint()), as: UTF8.self))
        case 4: return .blob(Array(try readBytes(try readVarint())))
        case 5: return .null
        default: throw .malformedChangeset
        }
    }

    /// Goes over one record and answers where each of its fields begins.
    mutating func skipRecord(_ columns: Int) throws(SQLiteError) -> [Int] {
        var fields: [Int] = []
        fields.reserveCapacity(columns)
        for _ in 0..<columns {
            fields.append(position)
            switch try readByte() {
            case 0, 5: break
            case 1, 2: _ = try readBytes(8)
            case 3, 4: _ = try readBytes(try readVarint())
            default: throw .malformedChangeset
            }
        }
        return fields
    }

    private mutating func readWord() throws(SQLiteError) -> UInt {
        try readBytes(8).reduce(0) { $0 << 8 | UInt($1) }
    }
}
