import ContentLines
import Text

/// A contact read from another format than vCard, from which a card is created.
struct CardDraft: Sendable {
    /// A property without a field in `ContactDetails`.
    struct Extra: Sendable {
        var kind: PropertyKind
        var value: PropertyValue
        var label = ""
        var parameters: [ContentParameter] = []
    }

    /// The parsed fields.
    var details = ContactDetails()
    /// The other properties, in order.
    var extras: [Extra] = []
    /// The warnings of the reader.
    var doubts: [InputProblem] = []

    /// Whether the draft has no values.
    var isNobody: Bool { details == ContactDetails() && extras.isEmpty }

    /// Adds a property without a field in `ContactDetails`; an empty value is ignored.
    mutating func add(_ kind: PropertyKind, _ text: String, label: String = "") {
        if !text.isEmpty { extras.append(Extra(kind: kind, value: .text(text), label: label)) }
    }

    /// Adds a value without a vCard property, with its original name.
    mutating func addCustom(_ name: String, _ text: String) { add(.customField, text, label: name) }

    /// Adds a named date, such as a wedding.
    mutating func addDay(_ day: ContactDate, label: String) {
        if label.lowercased() == "anniversary", details.anniversary == nil {
            details.anniversary = day
        } else {
            extras.append(Extra(kind: .appleDate, value: .date(day), label: label))
        }
    }

    /// Adds the URL of a picture, which is never fetched.
    mutating func addPicture(link: String) {
        guard !link.isEmpty else { return }
        extras.append(
            Extra(kind: .photo, value: .uri(link), parameters: [ContentParameter("VALUE", written: "uri")]))
    }

    /// Adds a picture.
    mutating func addPicture(_ bytes: [UInt8]) {
        guard let type = PictureType(sniffing: bytes) else { return }
        extras.append(
            Extra(
                kind: .photo, value: .uri(Base64.encode(bytes)),
                parameters: [
                    ContentParameter("ENCODING", written: "b"), ContentParameter("TYPE", written: type.word),
                ]))
    }

    /// The card, as vCard 3.0.
    ///
    /// The same entry always gives the same card: its `UID` is `details.uid`, or derived from its content, and it has
    /// no `REV`.
    func card() -> Card {
        var patch = CardPatch(Card(details, at: nil))
        for extra in extras {
            var line = PropertyLine(extra.kind.rawValue)
            line.setValue(extra.value, extra.kind, version: .v3)
            line.parameters += extra.parameters
            patch.add(line, extra.kind, extra.label)
        }
        let card = Card(patch.bytes())
        if details.uid != nil { return card }
        return card.applying([.add(.uid, .uri(ContactUID.stable(of: card.contentHash)), label: "")])
    }

    /// The card as the item of the lines `lines` of its file; a problem if it exceeds the limits of a card.
    func item(lines: ClosedRange<Int>) -> FoundCard {
        let card = card()
        if let refusal = card.refusal {
            return .problem(
                InputProblem(
                    "card-too-long", line: lines.lowerBound, subject: details.displayName, refusal,
                    note: "starts here"))
        }
        return .card(
            RawCard(
                bytes: card.bytes, firstLine: lines.lowerBound, lastLine: lines.upperBound, doubts: doubts,
                isConverted: true))
    }
}

extension String {
    /// Adds a line.
    mutating func addLine(_ line: String) {
        if !isEmpty { self += "\n" }
        self += line
    }
}

extension LabelWord {
    /// A label in hub's spelling if it is known, else unchanged.
    static func label(_ foreign: String) -> String {
        let foreign = foreign.trimmed
        guard let words = words(of: foreign) else { return foreign }
        return LabelWord.allCases.filter(words.contains).map(\.rawValue).joined(separator: " ")
    }
}
