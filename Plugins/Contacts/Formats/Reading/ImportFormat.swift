import TextDecoding

/// The import formats.
package enum ImportFormat: String, CaseIterable, Sendable {
    /// vCard 2.1, 3.0 and 4.0.
    case vcard
    /// jCard (RFC 7095).
    case jcard
    /// CSV of Google, Outlook or Thunderbird.
    case csv
    /// The addressbook file of abook.
    case abook
    /// LDIF (RFC 2849).
    case ldif

    /// The name of an item of a file.
    var itemName: String {
        switch self {
        case .vcard, .jcard: "card"
        case .csv: "row"
        case .abook, .ldif: "entry"
        }
    }

    /// The number of bytes that are examined to detect the format.
    static let sampleLength = 8 << 10

    /// Detects the format of a file that starts with `sample`; vCard by default, which is not certain.
    static func sniffed(_ sample: [UInt8]) -> (format: ImportFormat, isCertain: Bool) {
        var transcoder = UTF16Transcoder()
        var bytes: [UInt8] = []
        transcoder.feed(sample, to: &bytes)
        transcoder.finish(&bytes)
        let text = TextDecoding.decode(bytes)
        let lines = text.split(whereSeparator: \.isNewline).lazy.map(\.trimmed).filter { !$0.isEmpty }
        let first = lines.first ?? ""
        let firstEntry = lines.first { !$0.hasPrefix("#") } ?? ""
        if lines.contains(where: { $0.uppercased() == "BEGIN:VCARD" }), !first.hasPrefix("[") {
            return (.vcard, true)
        } else if JCardReader.firstCard(in: bytes[...]) != nil {
            return (.jcard, true)
        } else if ImportFormat.isLDIF(firstEntry) {
            return (.ldif, true)
        } else if first.lowercased().hasPrefix("# abook") || ImportFormat.isAbookSection(firstEntry) {
            return (.abook, true)
        } else if CSVLayout.isKnown(headerIn: bytes) {
            return (.csv, true)
        }
        return (.vcard, false)
    }

    private static func isLDIF(_ line: String) -> Bool {
        let line = line.lowercased()
        return line.hasPrefix("dn:") || line.hasPrefix("version:")
    }

    private static func isAbookSection(_ line: String) -> Bool {
        guard line.hasPrefix("["), line.hasSuffix("]") else { return false }
        let name = line.dropFirst().dropLast()
        return name == "format" || !name.isEmpty && name.utf8.allSatisfy { $0 &- 0x30 < 10 }
    }
}
