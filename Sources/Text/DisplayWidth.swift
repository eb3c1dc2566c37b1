/// The number of terminal columns of a text: 2 for wide characters of East Asia and emoji, 0 for combining marks.
///
/// Terminals measure scalars as `wcwidth` does, emoji sequences as one picture; so does this. Control characters count
/// nothing here, for they are never printed raw (see ``TerminalSanitizer``).
package enum DisplayWidth {
    /// The columns that `text` takes.
    package static func of(_ text: Substring) -> Int { of(String(text)) }

    /// The columns that `text` takes.
    package static func of(_ text: String) -> Int {
        if text.isPrintableASCII { return text.utf8.count }
        var text = text
        return text.withUTF8(ofDrawing) ?? text.reduce(0) { $0 + of($1) }
    }

    /// The columns of a text of Latin letters, box drawings, blocks and geometric shapes, what bars, grids and curves are made of;
    /// nil for one with other scalars. Each of these is a character by itself.
    private static func ofDrawing(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var width = 0
        var place = 0
        while place < bytes.count {
            switch bytes[place] {
            case 0..<0x80:
                width += (0x20..<0x7F).contains(bytes[place]) ? 1 : 0
                place += 1
            // Up to U+02FF: below the combining marks.
            case 0xC2..<0xCC:
                let isShown = bytes[place] != 0xC2 || bytes[place + 1] >= 0xA0 && bytes[place + 1] != 0xAD
                width += isShown ? 1 : 0
                place += 2
            // U+2500 to U+25F7, of one column each.
            case 0xE2 where 0x94..<0x97 ~= bytes[place + 1] || bytes[place + 1] == 0x97 && bytes[place + 2] < 0xB8:
                width += 1
                place += 3
            default: return nil
            }
        }
        return width
    }

    /// The columns that one character takes, 0 to 2; a stack of spacing marks may take more.
    package static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        guard scalars.count > 1 else { return of(first) }
        let isPicture = scalars.contains { $0 == "\u{FE0F}" || $0 == "\u{200D}" || $0.properties.isEmojiModifier }
        if isPicture, first.properties.isEmoji { return 2 }
        return scalars.reduce(0) { $0 + of($1) }
    }

    /// The columns that one scalar takes: 0, 1 or 2.
    static func of(_ scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return value < 0x20 || (0x7F..<0xA0).contains(value) || value == 0xAD ? 0 : 1 }
        // Vowels and final consonants of Hangul join the syllable before them.
        if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FB).contains(value) { return 0 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .lineSeparator, .paragraphSeparator: return 0
        default: return isWide(value) ? 2 : 1
        }
    }

    private static func isWide(_ value: UInt32) -> Bool {
        guard value >= 0x1100 else { return false }
        var (low, high) = (0, wideRanges.count)
        while low < high {
            let middle = (low + high) / 2
            if wideRanges[middle].upperBound < value { low = middle + 1 } else { high = middle }
        }
        return low < wideRanges.count && wideRanges[low].contains(value)
    }

    /// Scalars of East Asian Width W and F (UAX #11, Unicode 14), gaps without characters closed, and the hexagrams and
    /// circled numbers between them, which terminals show as wide too.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0, 0x23F3...0x23F3,
        0x25FD...0x25FE, 0x2614...0x2615, 0x2648...0x2653, 0x267F...0x267F, 0x2693...0x2693, 0x26A1...0x26A1,
        0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE...0x26CE, 0x26D4...0x26D4, 0x26EA...0x26EA,
        0x26F2...0x26F3, 0x26F5...0x26F5, 0x26FA...0x26FA, 0x26FD...0x26FD, 0x2705...0x2705, 0x270A...0x270B,
        0x2728...0x2728, 0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797,
        0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55, 0x2E80...0x303E,
        0x3041...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAD9,
        0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x1B2FB, 0x1F004...0x1F004,
        0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E, 0x1F191...0x1F19A, 0x1F200...0x1F320, 0x1F32D...0x1F335,
        0x1F337...0x1F37C, 0x1F37E...0x1F393, 0x1F3A0...0x1F3CA, 0x1F3CF...0x1F3D3, 0x1F3E0...0x1F3F0,
        0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E, 0x1F440...0x1F440, 0x1F442...0x1F4FC, 0x1F4FF...0x1F53D,
        0x1F54B...0x1F54E, 0x1F550...0x1F567, 0x1F57A...0x1F57A, 0x1F595...0x1F596, 0x1F5A4...0x1F5A4,
        0x1F5FB...0x1F64F, 0x1F680...0x1F6C5, 0x1F6CC...0x1F6CC, 0x1F6D0...0x1F6D2, 0x1F6D5...0x1F6DF,
        0x1F6EB...0x1F6EC, 0x1F6F4...0x1F6FC, 0x1F7E0...0x1F7F0, 0x1F90C...0x1F93A, 0x1F93C...0x1F945,
        0x1F947...0x1F9FF, 0x1FA70...0x1FAF6, 0x20000...0x3134A,
    ]
}

extension String {
    /// The text in `width` columns or more, with spaces after it.
    package func padded(to width: Int) -> String { self + String(repeating: " ", count: missing(to: width)) }

    /// The text in `width` columns or more, with spaces before it.
    package func leftPadded(to width: Int) -> String { String(repeating: " ", count: missing(to: width)) + self }

    private func missing(to width: Int) -> Int { max(0, width - DisplayWidth.of(self)) }
}
