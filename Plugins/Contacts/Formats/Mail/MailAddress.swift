/// Somebody named in the header of a mail.
package struct MailAddress: Hashable, Sendable {
    /// The name as it is shown; may be empty.
    package var name: String
    /// The address, `local@domain`.
    package var address: String

    package init(name: String, address: String) {
        self.name = name
        self.address = address
    }
}

extension MailAddress {
    /// The mailboxes of a list of addresses (RFC 5322 §3.4), those inside groups too.
    ///
    /// Comments are passed over; a comment behind a bare address is its name, as old programs wrote it. What is no
    /// address is left out.
    package static func list(_ text: String) -> [MailAddress] {
        var parser = MailAddressParser(text)
        return parser.mailboxes()
    }
}

/// Reads a list of addresses from left to right.
struct MailAddressParser {
    /// Longest list that is read, in characters.
    private static let maximumLength = 1 << 20

    private let letters: [Character]
    private var index = 0
    /// What stands before an address in angle brackets, or is the address itself.
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
            // The name of a group ends here; within a bare address no colon stands.
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

    /// Whether there is something before and behind the last `@`, and nothing that no address has.
    private static func isAddress(_ text: String) -> Bool {
        guard let at = text.lastIndex(of: "@"), at != text.startIndex, text.utf8.count <= 320 else { return false }
        let domain = text[text.index(after: at)...]
        return !domain.isEmpty && domain.allSatisfy { $0.isLetter || $0.isNumber || ".-[]:_".contains($0) }
            && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
    }

    /// The text of a quoted string, whose first quote is passed.
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

    /// The text of a comment, whose first parenthesis is passed; comments may stand in it.
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
