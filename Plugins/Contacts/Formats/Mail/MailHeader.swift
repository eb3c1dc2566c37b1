/// The header of a message (RFC 5322 §2.2).
package struct MailHeader: Sendable {
    /// The maximum size of a header in bytes.
    package static let maximumLength = 1 << 20

    private var fields: [(name: String, value: String)] = []

    /// Parses the lines of `bytes` up to the first empty one; a body may follow.
    package init(_ bytes: [UInt8]) {
        var lines = TextLines()
        let all = lines.feed(Array(bytes.prefix(MailHeader.maximumLength))) + lines.finish()
        for line in all {
            let text = line.text
            if text.isEmpty { break }
            if text.first == " " || text.first == "\t" {
                guard !fields.isEmpty else { continue }
                fields[fields.count - 1].value += text
            } else if let colon = text.firstIndex(of: ":"), text[..<colon].allSatisfy({ !$0.isWhitespace }) {
                fields.append((text[..<colon].lowercased(), String(text[text.index(after: colon)...])))
            }
            // Any other line is the separator of an mbox file, or invalid.
        }
    }

    /// Whether there are no fields.
    package var isEmpty: Bool { fields.isEmpty }

    /// The addresses of the mailing list that sent the message (RFC 2369, RFC 2919), in lower case, with those of its
    /// owner and its commands.
    package var listAddresses: Set<String> {
        var found: Set<String> = []
        for field in fields {
            switch field.name {
            case "list-post", "list-help", "list-owner", "list-subscribe", "list-unsubscribe":
                for link in field.value.split(separator: "<").dropFirst() where link.lowercased().hasPrefix("mailto:") {
                    let address = link.dropFirst("mailto:".count).prefix { $0 != ">" && $0 != "?" }
                    found.insert(address.trimmed.lowercased())
                }
            case "list-id":
                // `<dev.lists.example.org>` is the list dev@lists.example.org.
                let name = field.value.split(separator: "<").last?.prefix { $0 != ">" } ?? ""
                guard let dot = name.firstIndex(of: "."), dot != name.startIndex else { continue }
                found.insert("\(name[..<dot])@\(name[name.index(after: dot)...])".trimmed.lowercased())
            default: continue
            }
        }
        for address in found {
            guard let at = address.firstIndex(of: "@") else { continue }
            for role in ["request", "owner", "bounces", "subscribe", "unsubscribe"] {
                found.insert("\(address[..<at])-\(role)\(address[at...])")
            }
        }
        return found
    }

    /// The people in the fields `names`, in this order, each address once.
    package func people(in names: [String]) -> [MailAddress] {
        var seen = Set<String>()
        return names.flatMap { name in
            fields.filter { $0.name == name.lowercased() }.flatMap { MailAddress.list($0.value) }
        }
        .filter { seen.insert($0.address.lowercased()).inserted }
    }
}
