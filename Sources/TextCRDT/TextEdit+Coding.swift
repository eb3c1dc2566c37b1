/// Edits as bytes. Each is its position, the number of deleted scalars, and the length of the inserted text in UTF-8 with
/// this text; numbers as in ``ReplicatedText/encoded(since:)``.
extension [TextEdit] {
    /// Returns the edits as bytes.
    package func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        for edit in self {
            bytes.append(number: edit.position)
            bytes.append(number: edit.deletedCount)
            bytes.append(number: edit.inserted.utf8.count)
            bytes += edit.inserted.utf8
        }
        return bytes
    }

    /// Reads edits from what ``encoded()`` wrote.
    package init(decoding bytes: [UInt8]) throws(TextCRDTError) {
        self = []
        var reader = ByteReader(bytes)
        while !reader.isAtEnd {
            let (position, deletedCount) = (try reader.number(), try reader.number())
            let text = try reader.bytes(reader.count())
            guard let inserted = String(validating: text, as: UTF8.self) else { throw .malformed("text") }
            append(TextEdit(position: position, deletedCount: deletedCount, inserted: inserted))
        }
    }
}
