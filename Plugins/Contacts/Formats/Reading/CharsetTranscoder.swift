import Collation
import ContentLines
import Text

/// A character set that a file is said to be in, such as `macintosh`, and whose text contains ASCII as it is.
package struct FileCharset: Hashable, Sendable {
    /// The name, by which ICU knows it.
    package let name: String

    /// Creates the character set with an IANA name or an alias that ICU knows; nil if there is none, or if ASCII would not
    /// be itself in it, as in UTF-16.
    package init?(_ name: String) {
        let plain = Array("BEGIN:VCARD\r\n\";,=".utf8)
        let isWord = !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ";") }
        guard isWord, let text = try? Charset.decode(plain, as: name), Array(text.utf8) == plain else { return nil }
        self.name = name
    }
}

/// Turns the lines of a file in a known character set into UTF-8.
///
/// Quoted-printable text keeps its form; a property in it that names no character set gets this one.
struct CharsetTranscoder: Sendable {
    /// The length of a line after which it is taken as it is.
    private static let maximumLine = 8 << 20

    private let charset: FileCharset
    private var pending: [UInt8] = []

    init(_ charset: FileCharset) { self.charset = charset }

    /// Takes the next bytes and returns the complete lines among them.
    mutating func feed(_ chunk: [UInt8]) -> [UInt8] {
        pending += chunk
        let end = pending.lastIndex { $0 == ASCII.lf || $0 == ASCII.cr }
        guard let end = end.map({ $0 + 1 }) ?? (pending.count > CharsetTranscoder.maximumLine ? pending.count : nil)
        else { return [] }
        defer { pending.removeFirst(end) }
        return decoded(pending[..<end])
    }

    /// Returns what is left.
    mutating func finish() -> [UInt8] {
        defer { pending = [] }
        return decoded(pending[...])
    }

    private func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let lines = named(bytes)
        if lines.allSatisfy({ $0 < 0x80 }) { return lines }
        return (try? Charset.decode(lines, as: charset.name)).map { Array($0.utf8) } ?? lines
    }

    /// Names the character set in the lines of quoted-printable properties that name none.
    private func named(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var start = bytes.startIndex
        while start < bytes.endIndex {
            let end = bytes[start...].firstIndex { $0 == ASCII.lf || $0 == ASCII.cr }.map { $0 + 1 } ?? bytes.endIndex
            let line = bytes[start..<end]
            if let colon = line.prefix(200).firstIndex(of: ASCII.colon), line.first.map({ !$0.isBlank }) == true {
                let head = String(decoding: line[..<colon], as: UTF8.self).uppercased()
                result += line[..<colon]
                if head.contains(";"), head.contains("QUOTED-PRINTABLE"), !head.contains("CHARSET=") {
                    result += Array(";CHARSET=\(charset.name)".utf8)
                }
                result += line[colon...]
            } else {
                result += line
            }
            start = end
        }
        return result
    }
}
