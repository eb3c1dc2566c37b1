import CSV
import ContactsDomain

/// Tables, and address books in other formats than vCard.
enum TableFuzzing {
    static func csv(_ input: [UInt8]) -> String? {
        let records = records(in: input)
        var table: [UInt8] = []
        let cells = records.map(\.cells).filter { $0 != [""] }
        for cells in cells { table += CSVWriter.line(cells) }
        var cutter = CSVParser(separator: UInt8(ascii: ","))
        let again = Self.records(cutter.feed(table) + cutter.finish())
        // A record of several lines has to have as many cells as the first.
        if Set(cells.map(\.count)).count == 1, !table.starts(with: [0xEF, 0xBB]), !isUTF16(table) {
            guard again.map(\.cells) == cells else { return "a table is read as it was written" }
        }
        return addressBook(input, .csv)
    }

    private static func isUTF16(_ table: [UInt8]) -> Bool { table.prefix(4).contains(0) }

    private static func records(in input: [UInt8]) -> [CSVRecord] {
        var cutter = CSVParser()
        return records(cutter.feed(input) + cutter.finish())
    }

    private static func records(_ items: [CSVParser.Item]) -> [CSVRecord] {
        items.compactMap { if case .record(let record) = $0 { record } else { nil } }
    }

    /// A file of a known format, read in one piece and in many.
    static func addressBook(_ input: [UInt8], _ format: ImportFormat) -> String? {
        let found = found(in: input, format)
        var piecewise = CardFileReader(format)
        guard found == Pieces(input).flatMap({ piecewise.feed($0) }) + piecewise.finish() else {
            return "a file gives the same cards however it comes"
        }
        for case .card(let raw) in found {
            let card = Card(raw.bytes)
            guard card.first(.begin) != nil, card.first(.end) != nil else { return "what is read becomes a whole card" }
            _ = card.details
        }
        return nil
    }

    static func found(in input: [UInt8], _ format: ImportFormat) -> [FoundCard] {
        var reader = CardFileReader(format)
        return reader.feed(input) + reader.finish()
    }

    static func jcard(_ input: [UInt8]) -> String? {
        for case .card(let raw) in found(in: input, .jcard) {
            let text = jcard(Card(raw.bytes))
            guard case .card(let again)? = found(in: text, .jcard).first else { return "a written jCard is one" }
            guard jcard(Card(again.bytes)) == text else { return "a jCard is written as it was read" }
        }
        return addressBook(input, .jcard)
    }

    private static func jcard(_ card: Card) -> [UInt8] {
        var writer = JCardWriter(isSingle: true)
        return writer.add(card, id: "")
    }
}
