/// The header of a mail (RFC 5322 §2.2).
package struct MailHeader: Sendable {
    /// Longest header that is read, in bytes; what follows is no header of a mail.
    package static let maximumLength = 1 << 20

    private var fields: [(name: String, value: String)] = []

    /// Reads the lines of `bytes` up to the first empty one; the body may follow or not.
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
            // Anything else is the first line of a mailbox file, or rubbish.
        }
    }

    /// Whether there is no field at all.
    package var isEmpty: Bool { fields.isEmpty }

    /// The people in the fields called `names`, in this order, each address once.
    package func people(in names: [String]) -> [MailAddress] {
        var seen = Set<String>()
        return names.flatMap { name in
            fields.filter { $0.name == name.lowercased() }.flatMap { MailAddress.list($0.value) }
        }
        .filter { seen.insert($0.address.lowercased()).inserted }
    }
}
