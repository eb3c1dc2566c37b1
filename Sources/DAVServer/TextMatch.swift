import XML

/// A comparison with a text, as the filters of CardDAV (RFC 6352 §10.5.4) and CalDAV (RFC 4791 §9.7.5) have it.
struct TextMatch {
    /// The protocol, on which the defaults depend.
    enum Dialect: String { case card, calendar = "cal" }

    let text: String
    let type: MatchType
    let isNegated: Bool
    let folds: Folding

    enum MatchType: String { case equals, contains, startsWith = "starts-with", endsWith = "ends-with" }
    enum Folding { case ascii, unicode, none }
}

extension TextMatch {
    init(_ element: XMLElement, _ dialect: Dialect) throws(DAVFailure) {
        let standard = dialect == .card ? "i;unicode-casemap" : "i;ascii-casemap"
        let collation = element.attributes[XMLName("", "collation")] ?? "default"
        switch collation == "default" ? standard : collation {
        case "i;unicode-casemap": folds = .unicode
        case "i;ascii-casemap": folds = .ascii
        case "i;octet": folds = .none
        default: throw DAVFailure(403, "<\(dialect.rawValue):supported-collation/>")
        }
        guard let type = MatchType(rawValue: element.attributes[XMLName("", "match-type")] ?? "contains") else {
            throw DAVFailure(403, "<\(dialect.rawValue):supported-filter/>")
        }
        self.type = type
        isNegated = element.attributes[XMLName("", "negate-condition")] == "yes"
        text = folds.folded(element.text)
    }

    func matches(_ values: [String]) -> Bool {
        let wanted = Array(text.utf8)
        let found = values.contains { value in
            let folded = Array(folds.folded(value).utf8)
            switch type {
            case .equals: return folded == wanted
            case .startsWith: return folded.starts(with: wanted)
            case .endsWith: return folded.reversed().starts(with: wanted.reversed())
            case .contains: return folded.contains(wanted)
            }
        }
        return found != isNegated
    }
}

extension TextMatch.Folding {
    /// The text in the form that is compared: letters with accents are other letters (RFC 5051).
    fileprivate func folded(_ text: String) -> String {
        switch self {
        case .none: text
        case .ascii: String(decoding: text.utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }, as: UTF8.self)
        case .unicode where text.utf8.allSatisfy { $0 < 0x80 }:
            String(decoding: text.utf8.map { 0x61...0x7A ~= $0 ? $0 & 0xDF : $0 }, as: UTF8.self)
        case .unicode:
            String(String.UnicodeScalarView(text.unicodeScalars.flatMap(\.properties.titlecaseMapping.unicodeScalars)))
        }
    }
}
