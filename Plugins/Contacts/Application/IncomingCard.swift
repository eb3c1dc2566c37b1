import Commands
import ContactsDomain

/// An incoming card, with all values derived from it.
struct IncomingCard: Sendable {
    /// The card as read.
    let card: Card
    /// The identity of the card.
    let source: Int
    /// The content hash.
    let origin: Int
    /// Its `UID`.
    let uid: ByteString?
    /// The index row; with the id for a new contact.
    let entry: ContactIndexRow
    /// The warnings of the reader.
    let doubts: [InputProblem]
    /// The file name, if several files are read as one source.
    let file: String?

    init(_ raw: RawCard, id: String, file: String?, _ rules: IndexingOptions) {
        let card = Card(raw.bytes)
        let details = card.details
        self.card = card
        self.file = file
        uid = details.uid
        origin = CardSource.contentHash(of: card)
        source = CardSource.key(uid: details.uid, contentHash: origin)
        entry = ContactIndexRow(id: id, details, rules)
        doubts =
            raw.doubts
            + card.problems(firstLine: raw.firstLine).map { problem in
                var problem = problem
                // The lines of a card that was made here are in no file.
                if raw.isConverted { problem.line = raw.firstLine }
                return problem
            }
    }

    private init(_ card: IncomingCard, uid: ByteString) {
        self.card = card.card.identified(as: uid)
        self.uid = uid
        (origin, entry, doubts, file) = (card.origin, card.entry, card.doubts, card.file)
        source = CardSource.key(uid: uid, contentHash: card.origin)
    }

    /// Returns the same card with another `UID`.
    func identified(as uid: ByteString) -> IncomingCard { IncomingCard(self, uid: uid) }
}

/// Reads cards ahead of the store on another thread: parsing, decoding and folding take about as long as storing.
actor CardReader {
    /// Some cards in the order of the file, and the problems between them.
    struct Batch: Sendable {
        var cards: [IncomingCard] = []
        var problems: [InputProblem] = []
    }

    /// The maximum size of a batch in bytes, since cards with pictures are large.
    private static let byteLimit = 4 << 20
    /// The maximum number of bytes without a card: more than the longest card, and a limit for endless devices.
    private static let barrenLimit = Card.maximumLength + (64 << 20)

    private let source: ImportSource
    private let rules: IndexingOptions
    private var file: CardFileReader
    private var items: ArraySlice<FoundCard> = []
    /// The name of the current file, if there are several.
    private var part: String?
    /// Whether the end of the current file is still to come.
    private var isPartOpen = true
    private var isFinished = false
    /// Whether something was found in the current file.
    private var isPartUsed = false
    /// The number of bytes read since something was found.
    private var barren = 0
    private var ids = AscendingIDs()

    init(_ source: ImportSource, _ rules: IndexingOptions) {
        self.source = source
        self.rules = rules
        file = CardFileReader(source.format, mapped: source.columns, charset: source.charset)
    }

    /// Remarks about the file as a whole.
    var notes: [String] { file.notes }

    /// The columns of a table in which no address book was recognized.
    var unknownColumns: [String] { file.unknownColumns }

    /// The name of an item of the file, as far as its format is known.
    var itemName: String? { file.itemName }

    /// Returns at most `count` more cards; nil at the end.
    func next(_ count: Int) async throws -> Batch? {
        var batch = Batch()
        var bytes = 0
        while batch.cards.count < count, bytes < CardReader.byteLimit {
            if let item = items.popFirst() {
                (isPartUsed, barren) = (true, 0)
                switch item {
                case .card(let raw):
                    bytes += raw.bytes.count
                    let card = IncomingCard(raw, id: ids.next(), file: part, rules)
                    if card.card.isEmpty {
                        batch.problems.append(problem("card-empty", line: raw.firstLine, "the card is empty"))
                    } else {
                        batch.cards.append(card)
                    }
                case .problem(var problem):
                    problem.file = part
                    batch.problems.append(problem)
                }
            } else if isFinished {
                break
            } else if isPartOpen {
                try await read(&batch)
            } else if let next = try await source.nextPart() {
                switch next {
                case .file(let name):
                    file = CardFileReader(source.format, charset: source.charset)
                    (part, isPartOpen, isPartUsed, barren) = (name, true, false, 0)
                case .problem(let problem): batch.problems.append(problem)
                }
            } else {
                isFinished = true
            }
        }
        return batch.cards.isEmpty && batch.problems.isEmpty && isFinished ? nil : batch
    }

    /// Reads more of the open file. An error of one of several files affects that file only.
    private func read(_ batch: inout Batch) async throws {
        do {
            if let chunk = try await source.next() {
                barren += chunk.count
                items = file.feed(chunk)[...]
                guard barren > CardReader.barrenLimit, items.isEmpty else { return }
                throw HubError(
                    .invalid, code: "no-card-found",
                    "no contact in the first \(CardReader.barrenLimit >> 20) MiB of \(part ?? source.name)")
            }
            items = file.finish()[...]
            isPartOpen = false
            if part != nil, items.isEmpty, !isPartUsed {
                batch.problems.append(problem("no-cards", line: 0, "no contacts found"))
            }
        } catch let error as HubError where part != nil && error.isAboutFile {
            batch.problems.append(problem(error.code, line: 0, error.message))
            isPartOpen = false
        }
    }

    private func problem(_ code: String, line: Int, _ message: String) -> InputProblem {
        var problem = InputProblem(code, line: line, message)
        problem.file = part
        return problem
    }
}

/// Random ids, in ascending order within blocks that double in size.
///
/// So a large import touches each page of an id index only a few times instead of once per contact, which halves the
/// bytes written; in a small import ids are as far apart as ever.
struct AscendingIDs {
    private var block: ArraySlice<String> = []
    private var size = 1
    private static let maximumSize = 1 << 14

    /// Returns the next id.
    mutating func next() -> String {
        if let id = block.popFirst() { return id }
        block = (0..<size).map { _ in Identifier.make() }.sorted()[...]
        size = min(size * 2, AscendingIDs.maximumSize)
        return block.popFirst() ?? Identifier.make()
    }
}
