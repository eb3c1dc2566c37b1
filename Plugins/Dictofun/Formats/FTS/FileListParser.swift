/// Puts a list of files together from notifications of any size, which come on two characteristics in one order.
package struct FileListParser: Sendable {
    /// The most files that a device may list; the largest memory holds 255.
    package static let maximumCount = 1024

    /// A complete list.
    package struct List: Hashable, Sendable {
        /// The ids in the device's order, oldest first, repeated ones included.
        package let ids: [FileID]
        /// The version of the protocol that the size of the ids shows.
        package let version: FTSVersion
    }

    /// A list that no device sends.
    package enum Problem: Error, Hashable, Sendable {
        case tooManyFiles(UInt64)
        /// More bytes than the count at the beginning allows.
        case tooLong
    }

    /// Whether the device has the characteristic for continuations, which came with version 2.
    private let hasContinuation: Bool
    private var bytes: [UInt8] = []

    package init(hasContinuation: Bool) { self.hasContinuation = hasContinuation }

    /// Adds a notification; returns the list when it is complete.
    package mutating func add(_ part: [UInt8]) throws(Problem) -> List? {
        bytes += part
        guard let count = try fileCount() else { return nil }
        let expected = 8 + count * (hasContinuation ? 16 : 8)
        guard bytes.count <= expected else { throw .tooLong }
        return bytes.count == expected ? list(count, hasContinuation ? .v3 : .v1) : nil
    }

    /// Returns the list of ids of 8 bytes after nothing more came in time; nil when it is incomplete.
    ///
    /// Half of a list of digits is not such a list.
    package func settle() throws(Problem) -> List? {
        guard let count = try fileCount(), count > 0, bytes.count == 8 + count * 8,
            !bytes[8...].allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return list(count, .v2)
    }

    private func fileCount() throws(Problem) -> Int? {
        guard bytes.count >= 8 else { return nil }
        let count = bytes[..<8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard count <= FileListParser.maximumCount else { throw .tooManyFiles(count) }
        return Int(count)
    }

    private func list(_ count: Int, _ version: FTSVersion) -> List {
        let size = version.idSize
        return List(
            ids: (0..<count).map { FileID(Array(bytes[8 + $0 * size..<8 + ($0 + 1) * size])) }, version: version)
    }
}
