import TextDecoding

/// Reads the addressbook file of abook: one section of `field=value` lines per person.
struct AbookReader: CardTextReader {
    private var lines = TextLines()
    /// The current section; nil before the first and in `[format]`.
    private var person: Person?
    private var isInFormat = false

    mutating func feed(_ chunk: [UInt8]) -> [FoundCard] { lines.feed(chunk).flatMap { take($0) } }

    mutating func finish() -> [FoundCard] { lines.finish().flatMap { take($0) } + endPerson() }

    private mutating func take(_ line: TextLines.Line) -> [FoundCard] {
        let text = TextDecoding.withoutControls(line.text).trimmed
        if text.isEmpty, !line.isTooLong || text.hasPrefix("#") { return [] }
        if text.hasPrefix("#") { return [] }
        if text.hasPrefix("["), text.hasSuffix("]") {
            let last = endPerson()
            isInFormat = text == "[format]"
            if !isInFormat { person = Person(line) }
            return last
        }
        if isInFormat { return [] }
        guard person != nil else {
            return [
                .problem(
                    InputProblem(
                        "line-outside", line: line.number, columns: 1...max(1, line.excerpt.count),
                        excerpt: line.excerpt, "line before the first section"))
            ]
        }
        person?.take(line, text)
        return []
    }

    private mutating func endPerson() -> [FoundCard] {
        defer { person = nil }
        return person.map { [$0.item()] } ?? []
    }
}

extension AbookReader {
    /// A section.
    private struct Person {
        private let first: TextLines.Line
        private var last: Int
        private var draft = CardDraft()
        private var address = PostalAddress()

        init(_ line: TextLines.Line) {
            first = line
            last = line.number
            address.label = "home"
        }

        mutating func take(_ line: TextLines.Line, _ text: String) {
            last = line.number
            guard let equals = text.firstIndex(of: "="), !line.isTooLong else {
                var doubt = InputProblem.doubt("line \(line.number) is not a field; skipped")
                doubt.line = line.number
                doubt.excerpt = line.excerpt
                draft.doubts.append(doubt)
                return
            }
            // Names that a mail program passed on without decoding.
            let value = EncodedWords.decode(text[text.index(after: equals)...].trimmed)
            if !value.isEmpty { set(text[..<equals].trimmed.lowercased(), value) }
        }

        private mutating func set(_ field: String, _ value: String) {
            switch field {
            case "name":
                draft.details.formattedName = value
                draft.details.name = StructuredName(parsing: value)
            case "email":
                draft.details.emails += value.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
                    .map { LabeledValue($0) }
            case "address": address.street = value
            case "address2": address.street += address.street.isEmpty ? value : "\n\(value)"
            case "city": address.locality = value
            case "state": address.region = value
            case "zip": address.postalCode = value
            case "country": address.country = value
            case "phone": draft.details.phones.append(LabeledValue(value, label: "home"))
            case "workphone": draft.details.phones.append(LabeledValue(value, label: "work"))
            case "fax": draft.details.phones.append(LabeledValue(value, label: "fax"))
            case "mobile": draft.details.phones.append(LabeledValue(value, label: "mobile"))
            case "nick": draft.details.nicknames = [value]
            case "url": draft.details.urls.append(LabeledValue(value))
            case "notes": draft.details.note = value
            case "groups": draft.details.tags = value.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
            case "anniversary", "birthday": setDay(field, value)
            default: draft.addCustom(field, value)
            }
        }

        private mutating func setDay(_ field: String, _ value: String) {
            let day = PartialDate(card: value).map(ContactDate.date) ?? .text(value)
            if day.date == nil {
                draft.doubts.append(.doubt("invalid \(field) \"\(value)\", kept as text"))
            }
            if field == "birthday" { draft.details.birthday = day } else { draft.details.anniversary = day }
        }

        func item() -> FoundCard {
            var draft = draft
            if !address.isEmpty { draft.details.addresses = [address] }
            if draft.isNobody {
                return .problem(
                    InputProblem(
                        "section-unusable", line: first.number, excerpt: first.excerpt,
                        "this section has neither a name nor an address", note: "starts here"))
            }
            return draft.item(lines: first.number...last)
        }
    }
}
