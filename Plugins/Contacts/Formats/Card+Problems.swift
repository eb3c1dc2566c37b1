import TextDecoding

extension Card {
    /// Whether the card has no content besides metadata.
    package var isEmpty: Bool {
        properties.allSatisfy { property in
            switch property.kind {
            case .begin, .end, .version, .uid, .revision, .product, .created, .lastModified, .radicaleName: true
            default: property.value.allSatisfy { bytes[$0].isBlank || bytes[$0] == ASCII.semicolon }
            }
        }
    }

    /// The warnings about the card; none of them prevents its use.
    ///
    /// `firstLine` is the line of `BEGIN:VCARD` in its file, counted from 1.
    package func problems(firstLine: Int = 1) -> [InputProblem] {
        var problems: [InputProblem] = []
        var line = firstLine
        var counted = 0
        var name: String?
        for property in properties {
            guard let (code, message) = doubt(property) else { continue }
            line += lineCount(counted..<property.line.lowerBound)
            counted = property.line.lowerBound
            let subject = name ?? details.displayName
            name = subject
            let excerpt = excerpt(property)
            problems.append(
                InputProblem(
                    code, line: line, columns: 1...max(1, excerpt.count), excerpt: excerpt, subject: subject, message))
        }
        return problems
    }

    private func doubt(_ property: Property) -> (code: String, message: String)? {
        switch property.kind {
        case .birthday, .anniversary:
            guard case .text(let text)? = date(property),
                parameter("VALUE", of: property)?.lowercased() != "text"
            else { break }
            let field = property.kind == .birthday ? "birthday" : "anniversary"
            return ("date-kept-as-text", "invalid \(field) \"\(text)\", kept as text")
        case .unreadable where property.value.contains(where: { !bytes[$0].isBlank }):
            return ("line-unreadable", "this line is not a property; kept as it is")
        default: break
        }
        if property.flags.contains(.openQuote) { return ("quote-open", "a quote is not closed") }
        let isPlain = property.flags.isDisjoint(with: [.folded, .base64])
        if isPlain, bytes[property.value].contains(where: { $0 < 0x20 && $0 != ASCII.tab }) {
            return ("control-character", "control characters are removed")
        }
        return nil
    }

    /// The number of line ends in a range of whole properties.
    private func lineCount(_ range: Range<Int>) -> Int {
        var count = 0
        var index = range.lowerBound
        while index < range.upperBound {
            let length = bytes.span.terminatorLength(at: index)
            count += length > 0 ? 1 : 0
            index += max(length, 1)
        }
        return count
    }

    /// The start of the first physical line of a property.
    private func excerpt(_ property: Property) -> String {
        let end = bytes.span.endOfLine(from: property.line.lowerBound)
        return TextDecoding.decode(Array(bytes[property.line.lowerBound..<end].prefix(120)))
    }
}
