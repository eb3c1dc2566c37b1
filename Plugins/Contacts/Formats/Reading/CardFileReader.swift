/// Reads an address book of any known format as cards; which format it is, the first bytes say.
///
/// It holds one entry at most, or a few rows of a table.
package struct CardFileReader: ~Copyable {
    private var format: ImportFormat?
    /// The first bytes, as long as they do not tell the format.
    private var sample: [UInt8] = []
    private var splitter = VCardSplitter()
    /// What reads every format but vCard.
    private var other: (any CardTextReader)?

    /// A reader of `format`, or with nil of what the first bytes look like.
    package init(_ format: ImportFormat? = nil) {
        if let format { start(format) }
    }

    /// What one item of the file is called; nil while the format is not known.
    package var itemName: String? { format?.itemName }

    /// Takes the next bytes of the file, any number of them, and returns what they completed.
    package mutating func feed(_ chunk: [UInt8]) -> [FoundCard] {
        if format != nil { return read(chunk) }
        sample += chunk
        guard sample.count >= ImportFormat.sampleLength else { return [] }
        return readSample()
    }

    /// Ends the file and returns what is left.
    package mutating func finish() -> [FoundCard] {
        let last = format == nil ? readSample() : []
        return last + (other?.finish() ?? splitter.finish())
    }

    private mutating func readSample() -> [FoundCard] {
        start(ImportFormat(sniffing: Array(sample.prefix(ImportFormat.sampleLength))))
        defer { sample = [] }
        return read(sample)
    }

    private mutating func start(_ format: ImportFormat) {
        self.format = format
        switch format {
        case .vcard: break
        case .jcard: other = JCardReader()
        case .csv: other = CSVReader()
        case .abook: other = AbookReader()
        case .ldif: other = LDIFReader()
        }
    }

    private mutating func read(_ chunk: [UInt8]) -> [FoundCard] {
        other?.feed(chunk) ?? splitter.feed(chunk)
    }
}
