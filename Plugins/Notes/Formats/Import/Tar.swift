import Text

/// An error of a tar archive.
package enum TarError: Error, Hashable, Sendable {
    /// A header that is not one, or whose sum is wrong, at this byte.
    case broken(offset: Int)
    /// More entries than allowed.
    case tooManyEntries(Int)
    /// A path that no header can hold.
    case pathTooLong(String)
}

/// Reads tar archives (POSIX.1-1988 ustar, with the long names of GNU and pax) in memory, in one pass.
package enum TarReader {
    /// The maximum number of entries.
    package static let maximumEntries = 1_000_000

    /// Whether bytes begin with a tar header.
    package static func recognizes(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 512 && Header(bytes[0..<512]) != nil
    }

    /// Returns the files of an archive in its order; folders, links and devices are left out. What follows a broken header is
    /// lost, but not what precedes it.
    package static func read(_ bytes: [UInt8]) -> (files: [PortableFile], error: TarError?) {
        var files: [PortableFile] = []
        var longName: String?
        var offset = 0
        var count = 0
        while offset + 512 <= bytes.count {
            let block = bytes[offset..<offset + 512]
            if block.allSatisfy({ $0 == 0 }) { break }
            count += 1
            guard count <= maximumEntries else { return (files, .tooManyEntries(maximumEntries)) }
            guard let header = Header(block), header.size <= bytes.count - offset - 512 else {
                return (files, .broken(offset: offset))
            }
            let start = offset + 512
            let content = bytes[start..<start + header.size]
            offset = start + (header.size + 511) / 512 * 512
            switch header.kind {
            case UInt8(ascii: "L"): longName = String(decoding: content.prefix { $0 != 0 }, as: UTF8.self)
            case UInt8(ascii: "x"): longName = paxPath(content) ?? longName
            case 0, UInt8(ascii: "0"):
                files.append(PortableFile(ByteString(longName ?? header.path), Array(content)))
                longName = nil
            default: longName = nil
            }
        }
        return (files, nil)
    }

    /// The `path` of an extended header: records of length, key and value.
    private static func paxPath(_ bytes: ArraySlice<UInt8>) -> String? {
        var rest = bytes
        var path: String?
        while let blank = rest.firstIndex(of: 0x20), let length = decimal(rest[..<blank]),
            length > blank - rest.startIndex,
            length <= rest.count
        {
            let record = rest[(blank + 1)..<(rest.startIndex + length)]
            if record.starts(with: Array("path=".utf8)) {
                path = String(decoding: record.dropFirst(5).dropLast(), as: UTF8.self)
            }
            rest = rest.dropFirst(length)
        }
        return path
    }

    private static func decimal(_ digits: ArraySlice<UInt8>) -> Int? {
        digits.count < 10 ? Int(String(decoding: digits, as: UTF8.self)) : nil
    }

    private struct Header {
        let path: String
        let size: Int
        let kind: UInt8

        init?(_ block: ArraySlice<UInt8>) {
            let bytes = Array(block)
            guard let size = Header.octal(bytes[124..<136]), let sum = Header.octal(bytes[148..<156]) else {
                return nil
            }
            let counted = bytes.enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 32 : Int($1.element)) }
            guard sum == counted else { return nil }
            self.size = size
            kind = bytes[156]
            func text(_ range: Range<Int>) -> String {
                String(decoding: bytes[range].prefix { $0 != 0 }, as: UTF8.self)
            }
            let isUstar = bytes[257..<262].elementsEqual("ustar".utf8)
            let prefix = isUstar && bytes[262] == 0 ? text(345..<500) : ""
            path = prefix.isEmpty ? text(0..<100) : prefix + "/" + text(0..<100)
        }

        /// An octal number with blanks or NUL after it.
        private static func octal(_ field: ArraySlice<UInt8>) -> Int? {
            let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0x20 && $0 != 0 }
            guard digits.count <= 11, digits.allSatisfy({ (0x30...0x37).contains($0) }) else { return nil }
            return digits.reduce(0) { $0 << 3 | Int($1 - 0x30) }
        }
    }
}

/// Writes tar archives (ustar) without times and owners, so the same files give the same bytes.
package enum TarWriter {
    /// Returns an archive of files in their order; paths take at most 100 bytes.
    package static func write(_ files: [PortableFile]) throws(TarError) -> [UInt8] {
        var archive: [UInt8] = []
        archive.reserveCapacity(files.reduce(1024) { $0 + $1.bytes.count + 1024 })
        for file in files {
            let path = file.path.bytes
            guard path.count <= 100, !path.isEmpty else { throw .pathTooLong(file.path.description) }
            var header = [UInt8](repeating: 0, count: 512)
            func put(_ text: String, _ offset: Int) {
                for (index, byte) in text.utf8.enumerated() { header[offset + index] = byte }
            }
            func octal(_ value: Int, _ width: Int) -> String {
                let digits = String(value, radix: 8)
                return String(repeating: "0", count: max(0, width - digits.count)) + digits
            }
            header.replaceSubrange(0..<path.count, with: path)
            put("0000644\u{0}0000000\u{0}0000000\u{0}", 100)
            put(octal(file.bytes.count, 11), 124)
            put("00000000000\u{0}", 136)
            put("        0", 148)
            put("ustar\u{0}00", 257)
            put(octal(header.reduce(0) { $0 + Int($1) }, 6) + "\u{0} ", 148)
            archive += header
            archive += file.bytes
            archive += [UInt8](repeating: 0, count: (512 - file.bytes.count % 512) % 512)
        }
        return archive + [UInt8](repeating: 0, count: 1024)
    }
}
