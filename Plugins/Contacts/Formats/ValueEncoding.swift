import ContentLines
import Text

/// The encoding of values in each version.
enum ValueEncoding {
    /// An encoded value. Version 2.1 needs quoted-printable for non-ASCII characters and line breaks.
    struct Encoded {
        var plain: String
        /// Encodes the text as quoted-printable.
        var quotedPrintable: [UInt8]
        var needsQuotedPrintable: Bool
    }

    /// The maximum length of an unencoded value in version 2.1, whose lines cannot be folded without a space.
    private static let longestPlainValue = 60

    /// Encodes `value`.
    ///
    /// `existing` are the current components, some of which `value` may keep: decoded in 2.1, else still escaped.
    static func encode(_ value: PropertyValue, _ version: VCardVersion, existing: [String] = []) -> Encoded {
        // After 2.1 each part is escaped here, so that kept components are not escaped again.
        let escape = version == .v2 ? { $0 } : escaped
        let parts: [String]
        let separator: Unicode.Scalar
        switch value {
        case .text(let text): (parts, separator) = ([escape(text)], ";")
        case .uri(let text):
            let line = text.filter { !$0.isNewline }.replacing(scalar: "\\", with: "\\\\")
            return Encoded(plain: line, quotedPrintable: [], needsQuotedPrintable: false)
        case .list(let items): (parts, separator) = (items.map(escape), ",")
        case .components(let components):
            let kept = components.enumerated().map { index, component in
                component.map(escape) ?? (index < existing.count ? existing[index] : "")
            }
            (parts, separator) = (kept + existing.dropFirst(components.count), ";")
        case .date(let date): (parts, separator) = ([escape(self.date(date, version).text)], ";")
        }
        guard version == .v2 else {
            return Encoded(
                plain: parts.joined(separator: String(separator)), quotedPrintable: [], needsQuotedPrintable: false)
        }
        let plain = parts.map { part in
            var part = part.replacing(scalar: "\\", with: "\\\\")
            if parts.count > 1 { part = part.replacing(scalar: separator, with: "\\\(separator)") }
            return part
        }
        .joined(separator: String(separator))
        let isPlain = plain.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
        return Encoded(
            plain: plain, quotedPrintable: quotedPrintable(parts, separator),
            needsQuotedPrintable: !isPlain || plain.utf8.count > longestPlainValue)
    }

    private static func quotedPrintable(_ parts: [String], _ separator: Unicode.Scalar) -> [UInt8] {
        let encoded = parts.map { part in
            // Lists are split before decoding, so that an encoded separator does not count.
            let content = QuotedPrintable.encode(part.replacing(scalar: "\\", with: "\\\\"))
            return separator == "," ? content.replacing([ASCII.comma], with: Array("=2C".utf8)) : content
        }
        return Array(encoded.joined(separator: String(separator).utf8))
    }

    /// Escapes text for 3.0 and 4.0.
    static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count + 8)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ",", ";":
                result.unicodeScalars.append("\\")
                result.unicodeScalars.append(scalar)
            case "\n": result += "\\n"
            case "\r": break
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Encodes a date and its parameters.
    ///
    /// 4.0 uses the basic format and can omit the year. In 3.0 Apple's parameter marks the year 1604 as unknown.
    static func date(_ date: ContactDate, _ version: VCardVersion) -> (text: String, parameters: [ContentParameter]) {
        switch date {
        case .text(let text):
            return (text, version == .v2 ? [] : [ContentParameter("VALUE", written: "text")])
        case .date(let date):
            switch version {
            case .v2: return (date.description, [])
            case .v3:
                guard date.year == nil, let month = date.month, let day = date.day,
                    let full = PartialDate(year: 1604, month: month, day: day)
                else { return (date.description, []) }
                return (full.description, [ContentParameter("X-APPLE-OMIT-YEAR", written: "1604")])
            case .v4: return (date.basicDescription, [])
            }
        }
    }
}
