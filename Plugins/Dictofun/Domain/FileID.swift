import CivilDate
package import Time

/// The name of a file on a recorder, kept as the device gives it: 16 decimal digits `0000YYMMDDhhmmss` of its clock at the
/// start of the record, or 8 bytes of any value from old firmware.
///
/// Ids need not be unique: a clock that cannot be read gives the same one each time, see ``isFallback``.
package struct FileID: Hashable, Sendable {
    /// The bytes as the device sent them; requests repeat them unchanged.
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether the device had no time when the record began: all digits are 0. Several records may have this id, of which
    /// the device gives out only the first.
    package var isFallback: Bool { bytes.allSatisfy { $0 == 0x30 } || bytes.allSatisfy { $0 == 0 } }

    /// Whether the id consists of the 16 digits of current firmware.
    package var isDigits: Bool { bytes.count == 16 && bytes.allSatisfy { (0x30...0x39).contains($0) } }

    /// The id as text: its digits, or `0x` and hexadecimal digits for other bytes.
    package var text: String {
        if isDigits { return String(decoding: bytes, as: UTF8.self) }
        return "0x" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The id that ``text`` was made of; nil for other text.
    package init?(text: some StringProtocol) {
        let characters = Array(text.utf8)
        let nibbles = characters.dropFirst(2).map(FileID.nibble)
        if characters.starts(with: "0x".utf8), [16, 32].contains(nibbles.count), !nibbles.contains(16) {
            bytes = stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
        } else {
            bytes = characters
            guard isDigits else { return nil }
        }
    }

    private static func nibble(_ character: UInt8) -> UInt8 {
        switch character {
        case 0x30...0x39: character - 0x30
        case 0x61...0x66: character - 0x61 + 10
        default: 16
        }
    }

    /// The time of the recorder's clock when the record began; nil when the id holds none.
    ///
    /// The firmware writes month modulo 12 and day modulo 31, so December and the 31st are `00`.
    package var startTime: LocalTime? {
        guard isDigits, !isFallback else { return nil }
        let pairs = stride(from: 0, to: 16, by: 2).map { index -> Int in
            let (tens, ones) = (Int(bytes[index] - 0x30), Int(bytes[index + 1] - 0x30))
            return tens * 10 + ones
        }
        let (month, day) = (pairs[3] == 0 ? 12 : pairs[3], pairs[4] == 0 ? 31 : pairs[4])
        guard let date = CivilDate(year: 2000 + pairs[2], month: month, day: day), pairs[0] == 0, pairs[1] == 0,
            pairs[5] < 24, pairs[6] < 60, pairs[7] < 60
        else { return nil }
        return LocalTime(day: date, millisecond: ((pairs[5] * 60 + pairs[6]) * 60 + pairs[7]) * 1000)
    }
}

extension FileID: CustomStringConvertible {
    /// The same as ``text``.
    package var description: String { text }
}
