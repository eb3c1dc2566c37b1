/// Names of tokens from outside, made fit to be shown.
package enum TokenLabel {
    /// The maximum number of characters of a name that is kept.
    package static let maximumLength = 200

    /// Returns a name without control characters, with single blanks, and of a bounded length.
    ///
    /// Anyone can make a token and name it: escape sequences and marks that change the direction of text are dropped here
    /// once, so no terminal, page or notification meets them.
    package static func cleaned(_ name: String) -> String {
        if name.utf8.count <= maximumLength, isClean(name) { return name }
        var result = ""
        var (needsBlank, marks) = (false, 0)
        // An escape sequence loses its parameters too; what is left of it would be noise.
        var scalars = name.unicodeScalars.prefix(20 * maximumLength)[...]
        while let scalar = scalars.popFirst() {
            if scalar == "\u{1B}" || scalar == "\u{9B}" || scalar == "\u{9D}" {
                skipSequence(&scalars, after: scalar)
            } else if scalar.properties.isWhitespace {
                needsBlank = !result.isEmpty
            } else if !isDropped(scalar) {
                // Marks pile up on one letter, and over the lines above it.
                marks = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : marks + 1
                guard marks <= maximumMarks else { continue }
                if needsBlank { result += " " }
                needsBlank = false
                result.unicodeScalars.append(scalar)
            }
        }
        return String(result.prefix(maximumLength))
    }

    /// The maximum number of combining marks on a letter; scripts that are read have no more.
    private static let maximumMarks = 4

    /// Whether a name is of printable ASCII with single blanks between words.
    private static func isClean(_ name: String) -> Bool {
        var previous: UInt8 = 0x20
        for byte in name.utf8 {
            guard (0x20..<0x7F).contains(byte), byte != 0x20 || previous != 0x20 else { return false }
            previous = byte
        }
        return previous != 0x20 || name.isEmpty
    }

    /// Passes over the rest of an escape sequence (ECMA-48).
    private static func skipSequence(_ scalars: inout Substring.UnicodeScalarView, after first: Unicode.Scalar) {
        var kind = first
        if first == "\u{1B}" {
            guard let next = scalars.popFirst() else { return }
            kind = next
        }
        switch kind {
        case "[", "\u{9B}":
            // Parameters, then one final character.
            scalars = scalars.drop { (0x20...0x3F).contains($0.value) }
            if let last = scalars.first, (0x40...0x7E).contains(last.value) { scalars.removeFirst() }
        case "]", "P", "_", "^", "\u{9D}":
            // A string up to BEL or ESC \; without an end it is all that is left.
            scalars = scalars.drop { $0 != "\u{7}" && $0 != "\u{1B}" && $0 != "\u{9C}" }
            if let end = scalars.popFirst(), end == "\u{1B}", scalars.first == "\\" { scalars.removeFirst() }
        default: break
        }
    }

    private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // ZERO WIDTH JOINER and variation selectors belong to emoji.
        case 0x200D, 0xFE0E, 0xFE0F: false
        // Tags for flags of regions look like controls, and terminals show them as nothing.
        case 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F: true
        // Fillers of Hangul and the empty pattern of Braille are letters that look like nothing.
        case 0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0: true
        default: scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
        }
    }

    /// Cuts a name that is longer than `length` characters, the last three of which become dots.
    package static func truncated(_ name: String, to length: Int = 18) -> String {
        name.count <= length ? name : String(name.prefix(max(length - 3, 0))) + "..."
    }
}
