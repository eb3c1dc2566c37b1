import CSQLite

/// A record of row changes, in the format of SQLite's session extension: it can be kept, turned round and applied.
package struct Changeset: Hashable, Sendable {
    /// The record as it is stored.
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// Whether it holds no change.
    package var isEmpty: Bool { bytes.isEmpty }

    /// The record that takes this one back.
    package func inverted() throws(SQLiteError) -> Changeset {
        try check()
        var count: Int32 = 0
        var inverse: UnsafeMutableRawPointer?
        let code = bytes.withUnsafeBytes {
            sqlite3changeset_invert(Int32($0.count), $0.baseAddress, &count, &inverse)
        }
        defer { sqlite3_free(inverse) }
        guard code == SQLITE_OK else { throw SQLiteError(code: code) }
        return Changeset(bytes: Array(UnsafeRawBufferPointer(start: inverse, count: Int(count))))
    }

    /// Checks that the bytes are a whole changeset: SQLite would search the name of a table that is cut off for ever.
    func check() throws(SQLiteError) {
        var reader = ChangesetReader(self)
        while try reader.next() != nil {}
    }

    /// The same record with only those changes that `isIncluded` accepts.
    package func filter(_ isIncluded: (Change) throws -> Bool) throws -> Changeset {
        var result: [UInt8] = []
        var reader = ChangesetReader(self)
        var headerWritten: Int?
        while let change = try reader.next() {
            guard try isIncluded(change) else { continue }
            if headerWritten != change.table.header.lowerBound {
                result += bytes[change.table.header]
                headerWritten = change.table.header.lowerBound
            }
            result += bytes[change.range]
        }
        return Changeset(bytes: result)
    }

    /// Looks at every change in turn.
    package func forEach(_ body: (Change) throws -> Void) throws {
        var reader = ChangesetReader(self)
        while let change = try reader.next() { try body(change) }
    }

    /// All changes, as an array.
    package func changes() throws -> [Change] {
        var result: [Change] = []
        try forEach { result.append($0) }
        return result
    }
}
