import ContactsDomain
import HubKit

/// A card on its way in, with all that is computed from it alone.
struct IncomingCard: Sendable {
    /// The card as it stands in the file.
    let card: Card
    /// What tells it apart from other cards.
    let source: Int
    /// Its content as a number.
    let origin: Int
    /// Its derived rows; under the id that it gets if it is a new contact.
    let entry: ContactEntry
    /// What was read with a doubt.
    let doubts: [InputProblem]

    init(_ raw: RawCard, id: String, _ rules: IndexRules) {
        let card = Card(raw.bytes)
        let details = card.details
        self.card = card
        origin = CardSource.contentHash(of: card)
        source = CardSource.key(uid: details.uid, contentHash: origin)
        entry = ContactEntry(id: id, details, rules)
        doubts = raw.doubts + card.problems(firstLine: raw.firstLine)
    }
}

/// Reads cards ahead of the store, on another thread: cutting, decoding and folding take about as long as storing.
actor CardReader {
    /// Some cards in the order of the file, and what could not be used between them.
    struct Batch: Sendable {
        var cards: [IncomingCard] = []
        var problems: [InputProblem] = []
    }

    /// Cards with pictures are large: a batch ends when it holds so many bytes.
    private static let byteLimit = 4 << 20

    private let source: ImportSource
    private let rules: IndexRules
    private var file: CardFileReader
    private var items: ArraySlice<FoundCard> = []
    /// The name of the file that is read, when there are several.
    private var part: String?
    /// Whether the end of the file that is read has still to come.
    private var isPartOpen = true
    private var isFinished = false
    private var ids = AscendingIDs()

    init(_ source: ImportSource, _ rules: IndexRules) {
        self.source = source
        self.rules = rules
        file = CardFileReader(source.format)
    }

    /// At most `count` more cards; nil at the end.
    func next(_ count: Int) async throws -> Batch? {
        var batch = Batch()
        var bytes = 0
        while batch.cards.count < count, bytes < CardReader.byteLimit {
            if let item = items.popFirst() {
                switch item {
                case .card(let raw):
                    bytes += raw.bytes.count
                    batch.cards.append(IncomingCard(raw, id: ids.next(), rules))
                case .problem(var problem):
                    problem.file = part
                    batch.problems.append(problem)
                }
            } else if isFinished {
                break
            } else if let chunk = try await source.next() {
                items = file.feed(chunk)[...]
            } else if isPartOpen {
                items = file.finish()[...]
                isPartOpen = false
            } else if let name = try await source.nextPart() {
                file = CardFileReader(source.format)
                (part, isPartOpen) = (name, true)
            } else {
                isFinished = true
            }
        }
        return batch.cards.isEmpty && batch.problems.isEmpty && isFinished ? nil : batch
    }
}

/// Random ids, handed out in rising order within blocks that double in size.
///
/// A large import then touches each page of an index of ids a few times and not once for each contact, which halves what
/// it writes; a small one gets ids as far apart as ever.
struct AscendingIDs {
    private var block: ArraySlice<String> = []
    private var size = 1
    private static let maximumSize = 1 << 14

    /// The next id.
    mutating func next() -> String {
        if let id = block.popFirst() { return id }
        block = (0..<size).map { _ in Identifier.make() }.sorted()[...]
        size = min(size * 2, AscendingIDs.maximumSize)
        return block.popFirst() ?? Identifier.make()
    }
}
