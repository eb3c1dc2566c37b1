/// What a statement has returned: its rows, and the number of rows that it has changed.
package struct PostgresResult: Sendable {
    /// The number of rows that were returned or changed.
    package internal(set) var count = 0
    /// The values of all rows, one after the other, and where each ends; a NULL is named by ``null``.
    var bytes: [UInt8] = []
    var ends: [Int] = []
    var columns = 0

    static let null = 1 << 62

    /// The rows.
    package var rows: some RandomAccessCollection<PostgresRow> {
        (0..<(columns == 0 ? 0 : ends.count / columns)).lazy.map { PostgresRow(result: self, first: $0 * columns) }
    }

    /// The first row; nil if there is none.
    package var first: PostgresRow? { rows.first }
}

/// A row. Columns are counted from 0; what is read of another type than its own is empty, and a NULL as well.
package struct PostgresRow: Sendable {
    let result: PostgresResult
    let first: Int
    /// The columns before it.
    var skipped = 0

    private func value(_ column: Int) -> ArraySlice<UInt8>? {
        let index = first + column
        guard column + skipped < result.columns, result.ends[index] & PostgresResult.null == 0 else { return nil }
        let start = index == 0 ? 0 : result.ends[index - 1] & ~PostgresResult.null
        return result.bytes[start..<result.ends[index]]
    }

    /// Whether the value of a column is NULL.
    package func isNull(_ column: Int) -> Bool { value(column) == nil }

    /// The number in a column; nil for NULL.
    package func optionalInt(_ column: Int) -> Int? { value(column).map(Self.int) }
    /// The number in a column; 0 for NULL.
    package func int(_ column: Int) -> Int { optionalInt(column) ?? 0 }
    /// The truth value in a column; false for NULL.
    package func bool(_ column: Int) -> Bool { value(column)?.first == 1 }
    /// The text in a column; nil for NULL.
    package func optionalText(_ column: Int) -> String? { value(column).map { String(decoding: $0, as: UTF8.self) } }
    /// The text in a column; empty for NULL.
    package func text(_ column: Int) -> String { optionalText(column) ?? "" }
    /// The bytes in a column; nil for NULL.
    package func optionalBytes(_ column: Int) -> [UInt8]? { value(column).map(Array.init) }
    /// The bytes in a column; empty for NULL.
    package func bytes(_ column: Int) -> [UInt8] { optionalBytes(column) ?? [] }
    /// The texts of an array in a column.
    package func texts(_ column: Int) -> [String] { optionalTexts(column).map { $0 ?? "" } }
    /// The texts of an array in a column, with its NULLs.
    package func optionalTexts(_ column: Int) -> [String?] {
        array(column) { String(decoding: $0, as: UTF8.self) }
    }
    /// The numbers of an array in a column.
    package func ints(_ column: Int) -> [Int] { array(column, Self.int).map { $0 ?? 0 } }
    /// The contents of an array in a column.
    package func blobs(_ column: Int) -> [[UInt8]] { array(column, Array.init).map { $0 ?? [] } }

    /// Reads an array of one dimension.
    private func array<Element>(_ column: Int, _ read: (ArraySlice<UInt8>) -> Element) -> [Element?] {
        guard var rest = value(column), Self.next(4, &rest).map(Self.int) == 1, Self.next(8, &rest) != nil,
            let count = Self.next(4, &rest).map(Self.int), Self.next(4, &rest) != nil
        else { return [] }
        var elements: [Element?] = []
        for _ in 0..<max(0, count) {
            guard let length = Self.next(4, &rest).map(Self.int) else { break }
            elements.append(length < 0 ? nil : Self.next(length, &rest).map(read))
        }
        return elements
    }

    private static func next(_ count: Int, _ bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.count >= count else { return nil }
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count)
    }

    /// A whole number of 2, 4 or 8 bytes with its sign.
    private static func int(_ bytes: ArraySlice<UInt8>) -> Int {
        guard let first = bytes.first, bytes.count <= 8 else { return 0 }
        return bytes.dropFirst().reduce(Int(Int8(bitPattern: first))) { $0 << 8 | Int($1) }
    }
}

extension PostgresRow {
    /// The row without its first columns.
    package func dropFirst(_ count: Int) -> PostgresRow {
        PostgresRow(result: result, first: first + count, skipped: skipped + count)
    }
}
