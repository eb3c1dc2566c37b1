import ContactsDomain

/// vCards.
enum CardFuzzing {
    static func card(_ input: [UInt8]) -> String? {
        let card = Card(input)
        guard card.properties.flatMap({ input[$0.line] }) == input else {
            return "the lines of a card are all its bytes"
        }
        let details = card.details
        _ = card.problems()
        _ = card.contentHash
        _ = card.photo
        guard card.updated(to: details, at: 0).card.bytes == input else {
            return "a card that is given its own values keeps its bytes"
        }
        var changed = details
        changed.title = "fuzz"
        let update = card.updated(to: changed, at: nil).card
        let lines = Set(card.properties.filter { $0.kind != .title }.map { input[$0.line] })
        let kept = Set(update.properties.map { update.bytes[$0.line] })
        // The last line may get the line end that it lacks.
        guard lines.filter({ $0.last == 0x0A || $0.last == 0x0D }).isSubset(of: kept) || input.contains(0) else {
            return "an edit keeps the lines of all other properties"
        }
        for version in VCardVersion.allCases { _ = card.converted(to: version).details }
        let union = CardUnion(card, with: update, remembering: nil, at: nil).card
        _ = CardMerge(ours: card, ourBase: card, theirBase: update, theirs: union)
        return file(input)
    }

    /// A file of cards, cut in two ways, and written back.
    private static func file(_ input: [UInt8]) -> String? {
        var whole = VCardSplitter()
        let cards = whole.feed(input) + whole.finish()
        var piecewise = VCardSplitter()
        guard cards == Pieces(input).flatMap({ piecewise.feed($0) }) + piecewise.finish() else {
            return "a file is cut into the same cards however it comes"
        }
        let file = CardFile(input)
        for part in file.parts where file.parts.count > 1 {
            _ = file.replacing(part, with: part.bytes)
            _ = file.removing(part)
        }
        return nil
    }

    static func quotedPrintable(_ input: [UInt8]) -> String? {
        let head = Array("BEGIN:VCARD\r\nVERSION:2.1\r\nNOTE;ENCODING=QUOTED-PRINTABLE:".utf8)
        let card = Card(head + input + Array("\r\nEND:VCARD\r\n".utf8))
        let read = card.details.note
        for version in VCardVersion.allCases {
            var details = ContactDetails()
            (details.formattedName, details.note) = ("A", read)
            let written = Card(details, version: version, at: nil)
            guard written.details.note == read else { return "a note of \(version.rawValue) is read as it was written" }
        }
        return nil
    }
}
