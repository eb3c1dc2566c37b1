/// Reads an address book in any supported format as cards; the format is detected from the first bytes.
///
/// It holds at most one entry, or a few rows of a table, in memory.
package struct CardFileReader: ~Copyable {
    private var format: ImportFormat?
    /// The first bytes, until the format is detected.
    private var sample: [UInt8] = []
    private var splitter = VCardSplitter()
    /// The reader of a format other than vCard.
    private var other: (any CardTextReader)?
    private let mapped: [ColumnMapping]
    private var tableColumns: [String] = []
    private var transcoder: CharsetTranscoder?

    /// Creates a reader of `format`; nil detects it. `mapped` are columns of a table with known meanings, `charset` is the
    /// character set of the file if it is known.
    package init(_ format: ImportFormat? = nil, mapped: [ColumnMapping] = [], charset: FileCharset? = nil) {
        self.mapped = mapped
        transcoder = charset.map { CharsetTranscoder($0) }
        if let format = mapped.isEmpty ? format : .csv { start(format) }
    }

    /// Remarks about the file as a whole, such as the columns that were kept as text.
    package var notes: [String] { other?.notes ?? [] }

    /// The columns of a table in which no address book was recognized.
    package var unknownColumns: [String] { other?.unknownColumns ?? tableColumns }

    /// The name of an item of the file; nil until the format is known.
    package var itemName: String? { format?.itemName }

    /// Reads the next bytes, any number of them, and returns the completed items.
    package mutating func feed(_ chunk: [UInt8]) -> [FoundCard] { take(transcoder?.feed(chunk) ?? chunk) }

    private mutating func take(_ chunk: [UInt8]) -> [FoundCard] {
        if format != nil { return read(chunk) }
        sample += chunk
        guard sample.count >= ImportFormat.sampleLength else { return [] }
        return readSample()
    }

    /// Ends the file and returns the remaining items.
    package mutating func finish() -> [FoundCard] {
        var last = transcoder.map { _ in take(transcoder?.finish() ?? []) } ?? []
        if format == nil { last += readSample() }
        return last + (other?.finish() ?? splitter.finish())
    }

    private mutating func readSample() -> [FoundCard] {
        let first = Array(sample.prefix(ImportFormat.sampleLength))
        let (format, isCertain) = ImportFormat.sniffed(first)
        if !isCertain { tableColumns = CSVLayout.columns(in: first) }
        start(format)
        defer { sample = [] }
        return read(sample)
    }

    private mutating func start(_ format: ImportFormat) {
        self.format = format
        switch format {
        case .vcard: break
        case .jcard: other = JCardReader()
        case .csv: other = CSVReader(mapped: mapped)
        case .abook: other = AbookReader()
        case .ldif: other = LDIFReader()
        }
    }

    private mutating func read(_ chunk: [UInt8]) -> [FoundCard] {
        other?.feed(chunk) ?? splitter.feed(chunk)
    }
}

/// An item that a reader found, in the order of the stream.
package enum FoundCard: Hashable, Sendable {
    /// A card, read from a vCard file or converted from an entry in another format.
    case card(RawCard)
    /// An entry that cannot be used, with the reason.
    case problem(InputProblem)
}

/// An incremental reader of one format. An invalid entry is reported, and reading continues with the next.
protocol CardTextReader: Sendable {
    /// Reads the next bytes, any number of them, and returns the completed items.
    mutating func feed(_ chunk: [UInt8]) -> [FoundCard]
    /// Ends the stream and returns the remaining items.
    mutating func finish() -> [FoundCard]
    /// Remarks about the file as a whole.
    var notes: [String] { get }
    /// The columns of a table in which no address book was recognized; else empty.
    var unknownColumns: [String] { get }
}

extension CardTextReader {
    var notes: [String] { [] }
    var unknownColumns: [String] { [] }
}
