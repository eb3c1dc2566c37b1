import CICU
import Synchronization

/// Folds text of any script to lower-case ASCII, so that `lukasz` finds Łukasz and `tian zhong` finds 田中.
///
/// The rules are ICU's `Any-Latin; Latin-ASCII; Lower`. ASCII and the Latin letters of Western and Central Europe are
/// folded by a table with the same result, so that they never load ICU. Without ICU other letters are only lower-cased.
package enum Transliterator {
    /// The maximum number of UTF-8 bytes that are folded; text after that is not searched.
    package static let limit = 64 * 1024

    /// The folded form of `text`.
    package static func fold(_ text: String) -> String {
        let text = beginning(of: text)
        switch Script(of: text.utf8.span) {
        case .foldedASCII: return text
        case .ascii, .latin: return LatinFolding.fold(text)
        case .any: return shared.withLock { $0.foldWords(of: withoutInvisible(text)) }
        }
    }

    /// Returns `text` without invisible format characters: soft hyphens, zero-width spaces and joiners, directional
    /// marks (UAX #9), byte order marks. Phones and web pages copy them along, but they do not belong to a name or a
    /// number.
    package static func withoutInvisible(_ text: String) -> String {
        guard mayHaveInvisible(text.utf8.span), text.unicodeScalars.contains(where: isInvisible) else { return text }
        var seen = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !isInvisible(scalar) { seen.append(scalar) }
        return String(seen)
    }

    /// Whether one of the bytes begins an invisible character.
    private static func mayHaveInvisible(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices {
            switch bytes[unchecked: index] {
            case 0xC2, 0xE2, 0xEF, 0xD8: return true
            default: break
            }
        }
        return false
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xAD, 0x061C, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2064, 0x2066...0x206F, 0xFEFF: true
        default: false
        }
    }

    /// The longest beginning of `text` within `limit` that splits no letter.
    private static func beginning(of text: String) -> String {
        let bytes = text.utf8
        guard bytes.count > limit else { return text }
        var end = bytes.index(bytes.startIndex, offsetBy: limit)
        // A byte 10xxxxxx continues the letter before it, which would be cut in two.
        while bytes[end] & 0xC0 == 0x80 { end = bytes.index(before: end) }
        return String(text[..<end])
    }

    /// Opens ICU and its rules for Han, the largest ones, which takes about 150 ms; otherwise the first text does so.
    package static func open() { _ = shared.withLock { $0.foldWords(of: "\u{7530}") } }

    /// `text` folded with German umlauts written out (`Müller` → `mueller`), or nil when it has none.
    ///
    /// Without an umlaut key, some people type two letters and others omit the dots. A search must accept both.
    package static func foldGerman(_ text: String) -> String? {
        // The umlauts are the bytes C3 84/96/9C/A4/B6/BC, or a vowel with U+0308 (CC 88).
        guard text.utf8.contains(where: { $0 == 0xC3 || $0 == 0xCC }) else { return nil }
        var written = ""
        var found = false
        for character in withoutInvisible(beginning(of: text)) {
            if let pair = umlauts[character] {
                written += pair
                found = true
            } else {
                written.append(character)
            }
        }
        return found ? fold(written) : nil
    }

    /// Returns a text as it is searched: folded, and once more with umlauts written out if it has any.
    ///
    /// Text beyond ``limit`` is folded in parts that end with a line or a word.
    package static func searchable(_ text: String) -> String {
        guard !text.isEmpty else { return text }
        guard text.utf8.count > limit else {
            let folded = fold(text)
            return foldGerman(text).map { "\(folded)\n\($0)" } ?? folded
        }
        return parts(of: text).map { searchable(String($0)) }.joined(separator: "\n")
    }

    /// The parts of a long text, each within the limit; a word that is longer than a part is cut.
    private static func parts(of text: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = text.utf8[...]
        while rest.count > limit {
            let most = rest.index(rest.startIndex, offsetBy: limit)
            let head = rest[..<most]
            if let blank = head.lastIndex(where: { $0 == 0x20 || $0 == 0x0A }) {
                parts.append(Substring(rest[..<blank]))
                rest = rest[rest.index(after: blank)...]
            } else {
                var end = most
                while rest[end] & 0xC0 == 0x80 { end = rest.index(before: end) }
                parts.append(Substring(rest[..<end]))
                rest = rest[end...]
            }
        }
        return parts + [Substring(rest)]
    }

    private static let umlauts: [Character: String] = [
        "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "ae", "Ö": "oe", "Ü": "ue",
    ]

    /// The smallest alphabet that holds a text.
    private enum Script {
        case foldedASCII, ascii, latin, any

        init(of bytes: Span<UInt8>) {
            self = .foldedASCII
            for index in bytes.indices {
                let byte = bytes[unchecked: index]
                if byte >= 0x80 {
                    // Lead bytes C3...C5 hold U+00C0...U+017F, which the table knows.
                    if byte > 0xC5 || byte == 0xC2 {
                        self = .any
                        return
                    }
                    self = .latin
                } else if byte &- 0x41 < 26, self == .foldedASCII {
                    self = .ascii
                }
            }
        }
    }

    /// ICU promises nothing about one transliterator on several threads: one user at a time.
    private static let shared = Mutex(Engine())
}

extension Transliterator {
    /// ICU's transliterator, opened with the first text that the table does not know.
    private struct Engine: ~Copyable {
        private enum State {
            case unopened
            case open(ICU.Functions, UnsafeMutablePointer<UTransliterator?>)
            case missing
        }

        private var state = State.unopened
        /// Words that ICU has folded already: it takes 10 µs for one, and the same names and towns come again and again.
        private var known: [String: String] = [:]
        private static let knownLimit = 4096

        /// The folded text, word by word; only words beyond the table go to ICU.
        mutating func foldWords(of text: String) -> String {
            var folded = ""
            for word in text.utf8.split(separator: 0x20, omittingEmptySubsequences: false) {
                if !folded.isEmpty || word.startIndex != text.startIndex { folded.append(" ") }
                let script = Script(of: word.span)
                let word = String(Substring(word))
                switch script {
                case .foldedASCII: folded += word
                case .ascii, .latin: folded += LatinFolding.fold(word)
                case .any: folded += foldForeign(word)
                }
            }
            return folded
        }

        private mutating func foldForeign(_ word: String) -> String {
            if let folded = known[word] { return folded }
            let folded = transliterate(word) ?? word.lowercased()
            if known.count >= Engine.knownLimit { known.removeAll(keepingCapacity: true) }
            // Long words are unlikely to be names and would fill the memory.
            if word.utf8.count <= 128 { known[word] = folded }
            return folded
        }

        /// The folded text, or nil when ICU is missing or fails.
        private mutating func transliterate(_ text: String) -> String? {
            if case .unopened = state { state = Engine.opened() }
            guard case .open(let icu, let handle) = state else { return nil }
            let units = Array(text.utf16)
            // One Han character becomes up to seven letters.
            var capacity = units.count * 4 + 32
            while capacity < units.count * 64 + 4096 {
                var buffer = units + [UInt16](repeating: 0, count: capacity - units.count)
                var length = Int32(units.count)
                var limit = length
                var status = U_ZERO_ERROR
                icu.pointee.utrans_transUChars(handle, &buffer, &length, Int32(capacity), 0, &limit, &status)
                if status.rawValue <= U_ZERO_ERROR.rawValue {
                    return String(decoding: buffer.prefix(Int(length)), as: UTF16.self)
                }
                guard status == U_BUFFER_OVERFLOW_ERROR else { return nil }
                capacity *= 4
            }
            return nil
        }

        private static func opened() -> State {
            guard let icu = ICU.functions else { return .missing }
            let name = Array("Any-Latin; Latin-ASCII; Lower".utf16)
            var status = U_ZERO_ERROR
            let handle = icu.pointee.utrans_openU(name, Int32(name.count), UTRANS_FORWARD, nil, 0, nil, &status)
            guard let handle, status.rawValue <= U_ZERO_ERROR.rawValue else { return .missing }
            return .open(icu, handle)
        }
    }
}

/// Folds ASCII and U+00C0...U+017F without ICU; a test holds each entry equal to ICU's answer.
enum LatinFolding {
    /// The replacements of U+00C0, U+00C1, … U+017F, in order.
    private static let table: [[UInt8]] = """
        a a a a a a ae c e e e e i i i i d n o o o o o * o u u u u y th ss \
        a a a a a a ae c e e e e i i i i d n o o o o o / o u u u u y th y \
        a a a a a a c c c c c c c c d d d d e e e e e e e e e e g g g g \
        g g g g h h h h i i i i i i i i i i ij ij j j k k q l l l l l l l \
        l l l n n n n n n 'n n n o o o o o o oe oe r r r r r r s s s s s s \
        s s t t t t t t u u u u u u u u u u u u w w y y y z z z z z z s
        """.utf8.split(separator: 0x20).map(Array.init)

    /// The folded form of `text`, whose scalars must all be below U+0080 or within U+00C0...U+017F.
    static func fold(_ text: String) -> String {
        let table = table
        var text = text
        return text.withUTF8 { bytes in
            // Two UTF-8 bytes become at most two letters, so the result is never longer.
            String(unsafeUninitializedCapacity: bytes.count) { buffer in
                var count = 0
                var lead: UInt8 = 0
                for byte in bytes {
                    if byte < 0x80 {
                        buffer[count] = byte &- 0x41 < 26 ? byte | 0x20 : byte
                        count += 1
                    } else if byte >= 0xC0 {
                        lead = byte
                    } else {
                        for letter in table[Int(lead - 0xC3) << 6 | Int(byte & 0x3F)] {
                            buffer[count] = letter
                            count += 1
                        }
                    }
                }
                return count
            }
        }
    }
}
