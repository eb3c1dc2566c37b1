import HubKit

/// A cursor of the contact list: the position of the last row of a page in the order of names.
///
/// It contains no row number and stays valid if that row is deleted or renamed.
package struct ListCursor: Hashable, Sendable {
    /// The sort key of the last row.
    let sortKey: [UInt8]
    /// The id of the last row, for rows with equal keys.
    let id: String

    init(sortKey: [UInt8], id: String) {
        self.sortKey = sortKey
        self.id = id
    }

    /// Parses `text`; nil if it is not valid.
    package init?(text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count < 4096, Identifier.isPrefix(parts[1]) else { return nil }
        let digits = Array(parts[0].utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var key: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16) else {
                return nil
            }
            key.append(byte)
        }
        (sortKey, id) = (key, String(parts[1]))
    }

    /// The cursor as text for URLs.
    package var text: String {
        let digits = Array("0123456789abcdef".utf8)
        let key = sortKey.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: key, as: UTF8.self) + "." + id
    }
}
