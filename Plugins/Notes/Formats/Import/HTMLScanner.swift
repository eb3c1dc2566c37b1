/// Cuts HTML, and XML that is no more than elements and text, into tags and text in one pass. Nothing is expanded but references to
/// single characters; declarations, comments and processing instructions are passed over.
struct HTMLScanner {
    /// A part of the document.
    enum Token: Equatable {
        /// Text between tags, at these bytes; `isRaw` says that it has no references.
        case text(Range<Int>, isRaw: Bool)
        /// A start tag, or an empty element.
        case open(String, [Attribute], isEmpty: Bool)
        case close(String)
    }

    /// An attribute, with its name in lower case.
    struct Attribute: Equatable {
        let name: String
        let value: String
    }

    /// The most attributes of a tag that are read.
    private static let maximumAttributes = 100

    private let bytes: [UInt8]
    private var index = 0
    /// Whether the end of a tag is missing from here on, which is looked for only once.
    private var isUnclosed = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> Token? {
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "<"), !isUnclosed else { return text() }
            let rest = bytes[index...]
            if rest.starts(with: "<!--".utf8) {
                index = end(of: "-->", from: index + 4) ?? bytes.count
            } else if rest.starts(with: "<![CDATA[".utf8) {
                let start = index + 9
                let end = end(of: "]]>", from: start)
                index = end ?? bytes.count
                return .text(start..<max(start, end.map { $0 - 3 } ?? bytes.count), isRaw: true)
            } else if rest.starts(with: "<!".utf8) {
                skipDeclaration()
            } else if rest.starts(with: "<?".utf8) {
                index = end(of: ">", from: index + 2) ?? bytes.count
            } else if let tag = tag() {
                return tag
            } else {
                return text()
            }
        }
        return nil
    }

    /// Returns a text as it is read.
    func string(_ range: Range<Int>, isRaw: Bool) -> String {
        isRaw ? String(decoding: bytes[range], as: UTF8.self) : Self.decoded(bytes[range])
    }

    /// Returns the bytes of a text.
    func raw(_ range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }

    private mutating func text() -> Token {
        let start = index
        index = isUnclosed ? bytes.count : bytes[(index + 1)...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        return .text(start..<index, isRaw: false)
    }

    private func end(of mark: String, from start: Int) -> Int? {
        let mark = Array(mark.utf8)
        var at = min(start, bytes.count)
        while let found = bytes[at...].firstIndex(of: mark[0]) {
            if bytes[found...].starts(with: mark) { return found + mark.count }
            at = found + 1
        }
        return nil
    }

    /// Passes over a declaration, with what a document type declares in brackets.
    private mutating func skipDeclaration() {
        var depth = 0
        var quote: UInt8?
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if let open = quote {
                if byte == open { quote = nil }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ">") where depth <= 0: return
            default: break
            }
        }
    }

    /// Reads the tag that begins here; nil if this is none.
    private mutating func tag() -> Token? {
        var at = index + 1
        let isEnd = at < bytes.count && bytes[at] == UInt8(ascii: "/")
        if isEnd { at += 1 }
        guard at < bytes.count, Self.isLetter(bytes[at]) else { return nil }
        let name = word(&at)
        var attributes: [Attribute] = []
        var isEmpty = false
        while at < bytes.count {
            let byte = bytes[at]
            if byte == UInt8(ascii: ">") {
                index = at + 1
                return isEnd ? .close(name) : .open(name, attributes, isEmpty: isEmpty)
            }
            isEmpty = byte == UInt8(ascii: "/")
            guard Self.isWord(byte) else {
                at += 1
                continue
            }
            let key = word(&at)
            let value = value(&at)
            if attributes.count < Self.maximumAttributes { attributes.append(Attribute(name: key, value: value)) }
        }
        isUnclosed = true
        return nil
    }

    /// Reads `= value` if it is there.
    private func value(_ at: inout Int) -> String {
        var next = skippingBlanks(at)
        guard next < bytes.count, bytes[next] == UInt8(ascii: "=") else { return "" }
        next = skippingBlanks(next + 1)
        guard next < bytes.count else {
            at = next
            return ""
        }
        let quote = bytes[next]
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            let end = bytes[(next + 1)...].firstIndex(of: quote) ?? bytes.count
            at = min(end + 1, bytes.count)
            return Self.decoded(bytes[(next + 1)..<end])
        }
        let start = next
        while next < bytes.count, bytes[next] > 0x20, bytes[next] != UInt8(ascii: ">") { next += 1 }
        at = next
        return Self.decoded(bytes[start..<next])
    }

    private func skippingBlanks(_ start: Int) -> Int {
        bytes[min(start, bytes.count)...].firstIndex { $0 > 0x20 } ?? bytes.count
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-_:.".utf8.contains(byte)
    }

    private func word(_ at: inout Int) -> String {
        let start = at
        while at < bytes.count, Self.isWord(bytes[at]) { at += 1 }
        return String(decoding: bytes[start..<at], as: UTF8.self).lowercased()
    }

    // MARK: References

    private static let named: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "ndash": "–", "mdash": "—",
        "hellip": "…", "bull": "•", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "laquo": "«",
        "raquo": "»", "copy": "©", "reg": "®", "trade": "™", "deg": "°", "euro": "€", "pound": "£", "sect": "§",
        "middot": "·", "times": "×", "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü",
        "szlig": "ß", "eacute": "é", "egrave": "è", "agrave": "à", "ccedil": "ç", "aacute": "á", "oacute": "ó",
        "iacute": "í", "uacute": "ú", "ntilde": "ñ", "oslash": "ø", "aring": "å", "shy": "\u{AD}", "rarr": "→",
        "larr": "←",
    ]

    /// Returns a text with its references to characters decoded; others stay as they are.
    static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
        var result: [UInt8] = []
        var at = bytes.startIndex
        while at < bytes.endIndex {
            guard bytes[at] == UInt8(ascii: "&"),
                let end = bytes[at...].prefix(12).firstIndex(of: UInt8(ascii: ";")),
                let scalar = scalar(String(decoding: bytes[(at + 1)..<end], as: UTF8.self))
            else {
                result.append(bytes[at])
                at += 1
                continue
            }
            result += Array(String(scalar).utf8)
            at = end + 1
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func scalar(_ reference: String) -> Unicode.Scalar? {
        guard reference.hasPrefix("#") else { return named[reference] }
        let digits = reference.dropFirst()
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        guard let value = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits), value > 0 else {
            return nil
        }
        return Unicode.Scalar(value)
    }
}

extension [HTMLScanner.Attribute] {
    /// The value of the first attribute with a name.
    subscript(name: String) -> String? { first { $0.name == name }?.value }
}
