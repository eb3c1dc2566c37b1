/// A contact read from another format than vCard, on its way to become a card.
struct CardDraft: Sendable {
    /// A property for which `ContactDetails` has no field.
    struct Extra: Sendable {
        var kind: PropertyKind
        var value: PropertyValue
        var label = ""
        var parameters: [Card.Parameter] = []
    }

    /// What hub understands.
    var details = ContactDetails()
    /// All else, in order.
    var extras: [Extra] = []
    /// What was read with a doubt.
    var doubts: [InputProblem] = []

    /// Whether nothing at all is told of anybody.
    var isNobody: Bool { details == ContactDetails() && extras.isEmpty }

    /// Adds a property without a field of its own; an empty value adds nothing.
    mutating func add(_ kind: PropertyKind, _ text: String, label: String = "") {
        if !text.isEmpty { extras.append(Extra(kind: kind, value: .text(text), label: label)) }
    }

    /// Adds a value that no vCard property stands for, under the name it had.
    mutating func addCustom(_ name: String, _ text: String) { add(.customField, text, label: name) }

    /// Adds a day with a name, such as a wedding.
    mutating func addDay(_ day: ContactDate, label: String) {
        if label.lowercased() == "anniversary", details.anniversary == nil {
            details.anniversary = day
        } else {
            extras.append(Extra(kind: .appleDate, value: .date(day), label: label))
        }
    }

    /// Adds the link to a picture. It is never followed.
    mutating func addPicture(link: String) {
        guard !link.isEmpty else { return }
        extras.append(
            Extra(kind: .photo, value: .uri(link), parameters: [Card.Parameter(name: "VALUE", value: "uri")]))
    }

    /// Adds a picture, given as its bytes.
    mutating func addPicture(_ bytes: [UInt8]) {
        guard let type = PictureType(sniffing: bytes) else { return }
        extras.append(
            Extra(
                kind: .photo, value: .uri(Base64.encode(bytes)),
                parameters: [
                    Card.Parameter(name: "ENCODING", value: "b"), Card.Parameter(name: "TYPE", value: type.word),
                ]))
    }

    /// The card, of vCard 3.0.
    ///
    /// The same entry always makes the same card: its `UID` is `details.uid`, or made of its content, and it has no `REV`.
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
        return card.applying([.add(.uid, .uri(StableUID.make(of: card.contentHash)), label: "")])
    }

    /// The card as what a reader found in the lines `lines` of its file; a problem when it has more values than a card.
    func item(lines: ClosedRange<Int>) -> FoundCard {
        let card = card()
        if let refusal = card.refusal {
            return .problem(
                InputProblem(
                    "card-too-long", line: lines.lowerBound, subject: details.displayName, refusal,
                    note: "starts here"))
        }
        return .card(
            RawCard(bytes: card.bytes, firstLine: lines.lowerBound, lastLine: lines.upperBound, doubts: doubts))
    }
}

extension String {
    /// Adds a line of its own.
    mutating func addLine(_ line: String) {
        if !isEmpty { self += "\n" }
        self += line
    }
}

extension LabelWord {
    /// A kind as another program spells it: known words in hub's own spelling, anybody's own words as they are.
    static func label(_ foreign: String) -> String {
        let foreign = foreign.trimmed
        guard let words = words(of: foreign) else { return foreign }
        return LabelWord.allCases.filter(words.contains).map(\.rawValue).joined(separator: " ")
    }
}
