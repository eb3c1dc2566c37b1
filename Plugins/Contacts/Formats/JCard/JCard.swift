/// The conversion between vCard 4.0 and jCard (RFC 7095).
enum JCard {
    /// The default type of a property (RFC 6350 §5.2); `unknown` for unknown properties.
    static func type(of name: String) -> String {
        switch name.uppercased() {
        case "SOURCE", "PHOTO", "LOGO", "SOUND", "KEY", "URL", "IMPP", "MEMBER", "RELATED", "UID", "GEO", "FBURL",
            "CALADRURI", "CALURI", "ORG-DIRECTORY", "CONTACT-URI", "SOCIALPROFILE":
            "uri"
        case "BDAY", "ANNIVERSARY", "DEATHDATE": "date-and-or-time"
        case "REV", "CREATED": "timestamp"
        case "LANG": "language-tag"
        case let name where known.contains(name): "text"
        default: "unknown"
        }
    }

    private static let known: Set<String> = [
        "KIND", "XML", "FN", "N", "NICKNAME", "GENDER", "ADR", "TEL", "EMAIL", "TZ", "TITLE", "ROLE", "ORG",
        "CATEGORIES", "NOTE", "PRODID", "CLIENTPIDMAP", "VERSION", "BIRTHPLACE", "DEATHPLACE", "EXPERTISE", "HOBBY",
        "INTEREST", "GRAMGENDER", "LANGUAGE", "PRONOUNS",
    ]

    /// Whether the value has components separated by semicolons.
    static func isStructured(_ name: String) -> Bool {
        ["N", "ADR", "ORG", "GENDER", "CLIENTPIDMAP"].contains(name.uppercased())
    }

    /// Whether the value is a list separated by commas.
    static func isList(_ name: String) -> Bool { ["NICKNAME", "CATEGORIES"].contains(name.uppercased()) }

    /// Whether a value of this type is a date or a time.
    static func isTime(_ type: String) -> Bool {
        ["date", "time", "date-time", "date-and-or-time", "timestamp"].contains(type)
    }

    /// Adds hyphens and colons to a date or time: `1985-04-12T23:20:50Z` for `19850412T232050Z`.
    static func extended(_ text: String) -> String {
        guard let (date, time) = parts(text) else { return text }
        var result = date
        if date.utf8.count == 8, date.utf8.allSatisfy({ $0 &- 0x30 < 10 }) {
            result = "\(date.prefix(4))-\(date.dropFirst(4).prefix(2))-\(date.suffix(2))"
        } else if date.utf8.count == 6, date.hasPrefix("--"), !date.hasPrefix("---") {
            result = "\(date.prefix(4))-\(date.suffix(2))"
        }
        guard let time else { return result }
        let zone = time.firstIndex { !$0.isNumber && $0 != ":" } ?? time.endIndex
        return "\(result)T\(colons(String(time[..<zone])))\(colons(zone: String(time[zone...])))"
    }

    /// Removes hyphens and colons from a date or time, as vCard 4.0 requires.
    static func basic(_ text: String) -> String {
        guard let (date, time) = parts(text) else { return text }
        let plain = PartialDate(card: date)?.basicDescription ?? date
        return time.map { "\(plain)T\($0.filter { $0 != ":" })" } ?? plain
    }

    /// The date and the time of a text; nil if it holds anything else, which is neither changed nor split.
    private static func parts(_ text: String) -> (date: String, time: String?)? {
        guard text.utf8.allSatisfy(letters.contains) else { return nil }
        guard let mark = text.firstIndex(where: { $0 == "T" || $0 == "t" }) else { return (text, nil) }
        return (String(text[..<mark]), String(text[text.index(after: mark)...]))
    }

    private static let letters = Set("0123456789-+:.TtZz".utf8)

    private static func colons(_ time: String) -> String {
        guard time.utf8.count == 4 || time.utf8.count == 6, time.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else {
            return time
        }
        return stride(from: 0, to: time.count, by: 2).map { String(time.dropFirst($0).prefix(2)) }
            .joined(separator: ":")
    }

    /// Adds a colon to a UTC offset: `-05:00` for `-0500`.
    static func colons(zone: String) -> String {
        guard let sign = zone.first, sign == "+" || sign == "-" else { return zone }
        return "\(sign)\(colons(String(zone.dropFirst())))"
    }
}
