/// A mailbox in a mail header.
package struct MailAddress: Hashable, Sendable {
    /// The display name; may be empty.
    package var name: String
    /// The address, `local@domain`.
    package var address: String

    package init(name: String, address: String) {
        self.name = name
        self.address = address
    }
}

extension MailAddress {
    /// Parses an address list (RFC 5322 §3.4), including group members.
    ///
    /// Comments are ignored; a comment after a bare address is its display name, as old programs wrote it. Invalid
    /// addresses are left out.
    package static func list(_ text: String) -> [MailAddress] {
        var parser = MailAddressParser(text)
        return parser.mailboxes()
    }
}

/// Parses an address list from left to right.
struct MailAddressParser {
    /// The maximum length of a list in characters.
    private static let maximumLength = 1 << 20

    private let letters: [Character]
    private var index = 0
    /// The text before an address in angle brackets, or the address itself.
    private var phrase = ""
    private var comment = ""
    private var bracketed: String?
    private var found: [MailAddress] = []

    init(_ text: String) { letters = Array(text.prefix(MailAddressParser.maximumLength)) }

    mutating func mailboxes() -> [MailAddress] {
        while index < letters.count {
            let letter = letters[index]
            index += 1
            switch letter {
            case "\"": phrase += quoted()
            case "(": comment = commented()
            case "<": bracketed = until(">")
            case ",", ";": end()
            // The name of a group ends here; a bare address cannot contain a colon.
            case ":": if !phrase.contains("@") { (phrase, comment) = ("", "") }
            default: phrase.append(letter)
            }
        }
        end()
        return found
    }

    /// Ends a mailbox.
    private mutating func end() {
        defer { (phrase, comment, bracketed) = ("", "", nil) }
        let words = phrase.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let isBare = bracketed == nil
        // A route before the address (`<@a,@b:c@d>`) is obsolete.
        var address = (bracketed ?? phrase).filter { !$0.isWhitespace }
        if address.hasPrefix("@"), let colon = address.firstIndex(of: ":") {
            address = String(address[address.index(after: colon)...])
        }
        let name = EncodedWords.decode(isBare ? comment : words).trimmed
        guard MailAddressParser.isAddress(address) else { return }
        found.append(MailAddress(name: name == address ? "" : String(name.prefix(200)), address: address))
    }

    /// Whether there is text before and after the last `@`, without invalid characters.
    private static func isAddress(_ text: String) -> Bool {
        guard let at = text.lastIndex(of: "@"), at != text.startIndex, text.utf8.count <= 320 else { return false }
        let domain = text[text.index(after: at)...]
        return !domain.isEmpty && domain.allSatisfy { $0.isLetter || $0.isNumber || ".-[]:_".contains($0) }
            && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
    }

    /// The text of a quoted string after its opening quote.
    private mutating func quoted() -> String {
        var text = ""
        while index < letters.count {
            let letter = letters[index]
            index += 1
            if letter == "\"" { return text }
            if letter == "\\", index < letters.count {
                text.append(letters[index])
                index += 1
            } else {
                text.append(letter)
            }
        }
        return text
    }

    /// The text of a comment after its opening parenthesis; comments may be nested.
    private mutating func commented() -> String {
        var text = ""
        var depth = 1
        while index < letters.count {
            let letter = letters[index]
            index += 1
            switch letter {
            case "(": depth += 1
            case ")":
                depth -= 1
                if depth == 0 { return text }
            case "\\":
                if index < letters.count { text.append(letters[index]) }
                index += 1
                continue
            default: break
            }
            text.append(letter)
        }
        return text
    }

    private mutating func until(_ end: Character) -> String {
        var text = ""
        while index < letters.count {
            let letter = letters[index]
            index += 1
            if letter == end { return text }
            text.append(letter)
        }
        return text
    }
}
