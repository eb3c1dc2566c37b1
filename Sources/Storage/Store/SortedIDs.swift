import Glibc
package import SQLite

/// Finds items by their ids, for rows that come in the order of theirs: each look-up goes on where the one before ended, and
/// no id of a row becomes a string.
package struct SortedIDs {
    /// An id by its first eight bytes, which nearly always decide.
    private struct Entry {
        let head: UInt64
        let place: Int
    }

    private let ids: [String]
    /// The ids in the order of their bytes, as in the tables.
    private let entries: [Entry]
    private var next = 0

    /// Sorts the ids.
    package init(_ ids: [String]) {
        self.ids = ids
        let entries = ids.enumerated().map { place, id in
            var id = id
            return Entry(head: id.withUTF8 { SortedIDs.head(of: UnsafeRawBufferPointer($0)) }, place: place)
        }
        self.entries = SortedIDs.dealt(entries).sorted { left, right in
            if left.head != right.head { return left.head < right.head }
            var other = ids[right.place]
            return other.withUTF8 { SortedIDs.compare(ids[left.place], UnsafeRawBufferPointer($0)) } < 0
        }
    }

    /// Deals the entries to as many equal parts of the range of their heads as there are entries: ids are random, so that sorting
    /// has little left to do.
    private static func dealt(_ entries: [Entry]) -> [Entry] {
        let low = entries.reduce(.max) { min($0, $1.head) }
        let high = entries.reduce(0) { max($0, $1.head) }
        guard low < high else { return entries }
        // As many bits of the heads as the number of entries has.
        let shift = max(0, entries.count.leadingZeroBitCount - (high - low).leadingZeroBitCount)
        func part(_ entry: Entry) -> Int { Int((entry.head - low) >> UInt64(shift)) }
        var starts = [Int](repeating: 0, count: Int((high - low) >> UInt64(shift)) + 2)
        for entry in entries { starts[part(entry) + 1] += 1 }
        for part in starts.indices.dropFirst() { starts[part] += starts[part - 1] }
        var dealt = entries
        for entry in entries {
            dealt[starts[part(entry)]] = entry
            starts[part(entry)] += 1
        }
        return dealt
    }

    /// Begins again, for other rows.
    package mutating func restart() { next = 0 }

    /// Returns the place among the ids of the one in a column, which is not less than in the row before; nil for one that is not
    /// among them.
    package mutating func place(of row: borrowing Row, _ column: Int) -> Int? {
        row.withBytes(column) { place(of: $0) }
    }

    /// Returns the place among the ids of one that is not less than the one before; nil for one that is not among them.
    package mutating func place(of id: UnsafeRawBufferPointer) -> Int? {
        let head = SortedIDs.head(of: id)
        while next < entries.count {
            let entry = entries[next]
            if entry.head > head { return nil }
            if entry.head == head {
                let result = SortedIDs.compare(ids[entry.place], id)
                if result >= 0 { return result == 0 ? entry.place : nil }
            }
            next += 1
        }
        return nil
    }

    /// The first eight bytes as a number that is greater for a later id.
    private static func head(of id: UnsafeRawBufferPointer) -> UInt64 {
        if id.count >= 8 { return UInt64(bigEndian: id.loadUnaligned(as: UInt64.self)) }
        return (0..<8).reduce(0) { $0 << 8 | ($1 < id.count ? UInt64(id[$1]) : 0) }
    }

    private static func compare(_ left: String, _ right: UnsafeRawBufferPointer) -> Int {
        var left = left
        return left.withUTF8 { left in
            guard let start = left.baseAddress, let other = right.baseAddress else { return left.count - right.count }
            let result = memcmp(start, other, min(left.count, right.count))
            return result == 0 ? left.count - right.count : Int(result)
        }
    }
}
