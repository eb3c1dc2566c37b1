/// The names that a reader of objects looks for, found by their bytes without making a string.
package struct JSONKeys: Sendable {
    /// The index of a name that is not among them.
    package static let other = -1

    /// The names by their length, each with its index.
    private let buckets: [[(bytes: [UInt8], index: Int)]]

    /// Creates a table; a name's index is its place in the list.
    package init(_ names: [String]) {
        let longest = names.map(\.utf8.count).max() ?? 0
        var buckets = [[(bytes: [UInt8], index: Int)]](repeating: [], count: longest + 1)
        for (index, name) in names.enumerated() { buckets[name.utf8.count].append((Array(name.utf8), index)) }
        self.buckets = buckets
    }

    /// Returns the index of the name that is spelled like this.
    func index(of name: UnsafeBufferPointer<UInt8>) -> Int {
        guard name.count < buckets.count else { return JSONKeys.other }
        for candidate in buckets[name.count] {
            let isEqual = candidate.bytes.withUnsafeBufferPointer { bytes in
                for index in 0..<name.count where bytes[index] != name[index] { return false }
                return true
            }
            if isEqual { return candidate.index }
        }
        return JSONKeys.other
    }
}
