/// The rules of one time zone, as the IANA database stores them (TZif, RFC 9636).
struct ZoneRules: Sendable {
    /// Seconds since 1970 at which the clocks change, ascending.
    private let changes: [Int64]
    /// The rule in effect from the change of the same index on: an index into `offsets`.
    private let kinds: [UInt8]
    /// Seconds ahead of UTC.
    private let offsets: [Int32]
    /// The rule in effect after the last change.
    private let later: PosixZone?

    /// Reads a TZif file; nil when it is none, or is damaged.
    init?(_ bytes: [UInt8]) {
        guard let first = Header(bytes[...]) else { return nil }
        guard first.version >= UInt8(ascii: "2") else {
            self.init(bytes.dropFirst(Header.length), first, timeSize: 4, footer: nil)
            return
        }
        // The first block repeats the data in 32 bits, for readers from before 2005.
        let rest = bytes.dropFirst(Header.length + first.blockLength(timeSize: 4))
        guard let header = Header(rest) else { return nil }
        let block = rest.dropFirst(Header.length)
        let footer = block.dropFirst(header.blockLength(timeSize: 8) + 1).prefix { $0 != UInt8(ascii: "\n") }
        self.init(block, header, timeSize: 8, footer: String(decoding: footer, as: UTF8.self))
    }

    private init?(_ block: ArraySlice<UInt8>, _ header: Header, timeSize: Int, footer: String?) {
        guard block.count >= header.blockLength(timeSize: timeSize), header.kindCount > 0 else { return nil }
        let times = block.prefix(header.changeCount * timeSize)
        changes = (0..<header.changeCount).map { index in
            let number = times.dropFirst(index * timeSize).prefix(timeSize).bigEndian
            return timeSize == 8 ? Int64(bitPattern: number) : Int64(Int32(truncatingIfNeeded: number))
        }
        kinds = Array(block.dropFirst(times.count).prefix(header.changeCount))
        let entries = block.dropFirst(times.count + header.changeCount)
        offsets = (0..<header.kindCount).map {
            Int32(truncatingIfNeeded: entries.dropFirst($0 * 6).prefix(4).bigEndian)
        }
        later = footer.flatMap { PosixZone($0) }
        let isAscending = zip(changes, changes.dropFirst()).allSatisfy { $0.0 < $0.1 }
        let isInDays = offsets.allSatisfy { abs(Int($0)) < 2 * 86_400 }
        guard isAscending, isInDays, kinds.allSatisfy({ $0 < offsets.count }) else { return nil }
    }

    /// Seconds that clocks are ahead of UTC at `seconds` since 1970.
    func offset(at seconds: Int64) -> Int {
        guard let last = changes.last else { return later?.offset(at: seconds) ?? Int(offsets[0]) }
        if seconds >= last, let later { return later.offset(at: seconds) }
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? Int(offsets[0]) : Int(offsets[Int(kinds[low - 1])])
    }

    /// The counts at the start of each block of the file.
    private struct Header {
        static let length = 44

        let version: UInt8
        let changeCount: Int
        let kindCount: Int
        private let otherLength: (Int) -> Int

        init?(_ bytes: ArraySlice<UInt8>) {
            guard bytes.count >= Header.length, bytes.prefix(4).elementsEqual("TZif".utf8) else { return nil }
            let counts = (0..<6).map { Int(bytes.dropFirst(20 + $0 * 4).prefix(4).bigEndian) }
            guard counts.allSatisfy({ $0 < 1 << 16 }) else { return nil }
            version = bytes[bytes.startIndex + 4]
            (changeCount, kindCount) = (counts[3], counts[4])
            otherLength = { counts[0] + counts[1] + counts[2] * ($0 + 4) + counts[5] }
        }

        func blockLength(timeSize: Int) -> Int {
            changeCount * (timeSize + 1) + kindCount * 6 + otherLength(timeSize)
        }
    }
}

extension ArraySlice<UInt8> {
    /// The number that up to eight bytes spell.
    fileprivate var bigEndian: UInt64 { reduce(0) { $0 << 8 | UInt64($1) } }
}
