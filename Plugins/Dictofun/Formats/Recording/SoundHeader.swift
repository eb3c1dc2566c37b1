/// The first bytes of a sound file, which announce how long it is: a file that is still being copied is shorter.
package enum SoundHeader {
    /// The most bytes that are needed of the beginning of a file.
    package static let size = 64
    /// A length that a recorder has not filled in yet, or never does.
    private static let unknown = [0, 0xffff_ffff]

    /// Returns whether a file of `size` bytes lacks some of those that it announces. `read` returns up to ``size`` bytes from an offset
    /// on, none after the end.
    ///
    /// RIFF and AIFF have the length in front. In MP4 the boxes follow each other, each with its length.
    package static func announcesMore(
        than size: Int, read: (_ offset: Int) throws -> [UInt8]
    ) rethrows -> Bool {
        let start = try read(0)
        guard start.count >= 12 else { return true }
        switch String(decoding: start[..<4], as: UTF8.self) {
        case "RIFF":
            let length = number(start[4..<8].reversed())
            // The sound itself counts, not what may follow it. Its chunk is the last where no other fits.
            return try !unknown.contains(length) && chunksAnnounceMore(than: size, isBigEndian: false, read)
        case "FORM": return try chunksAnnounceMore(than: size, isBigEndian: true, read)
        default:
            guard start[4..<8].elementsEqual("ftyp".utf8) else { return false }
            return try boxesAnnounceMore(than: size, read)
        }
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    private static func chunksAnnounceMore(
        than size: Int, isBigEndian: Bool, _ read: (Int) throws -> [UInt8]
    ) rethrows -> Bool {
        var place = 12
        while place + 8 <= size {
            let chunk = try read(place).prefix(8)
            guard chunk.count == 8 else { return true }
            let bytes = Array(chunk)
            let length = isBigEndian ? number(bytes[4..<8]) : number(bytes[4..<8].reversed())
            let isSound = ["data", "SSND"].contains(String(decoding: bytes[..<4], as: UTF8.self))
            if isSound { return !unknown.contains(length) && place + 8 + length > size }
            place += 8 + length + length % 2
        }
        // The sound has not come yet.
        return true
    }

    private static func boxesAnnounceMore(than size: Int, _ read: (Int) throws -> [UInt8]) rethrows -> Bool {
        var place = 0
        var hasDescription = false
        while place < size {
            let bytes = Array(try read(place).prefix(16))
            guard bytes.count >= 8 else { return true }
            hasDescription = hasDescription || ["moov", "moof"].contains(String(decoding: bytes[4..<8], as: UTF8.self))
            var length = number(bytes[..<4])
            // The last box may go to the end of the file.
            if length == 0 { break }
            if length == 1 {
                guard bytes.count == 16, bytes[8] < 0x40 else { return true }
                length = number(bytes[8...])
            }
            guard length >= 8 else { return false }
            if place + length > size { return true }
            place += length
        }
        return !hasDescription
    }
}
