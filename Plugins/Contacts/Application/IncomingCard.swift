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
    /// Its `UID`.
    let uid: String?
    /// Its derived rows; under the id that it gets if it is a new contact.
    let entry: ContactEntry
    /// What was read with a doubt.
    let doubts: [InputProblem]
    /// The file among several that are read as one.
    let file: String?

    init(_ raw: RawCard, id: String, file: String?, _ rules: IndexRules) {
        let card = Card(raw.bytes)
        let details = card.details
        self.card = card
        self.file = file
        uid = details.uid
        origin = CardSource.contentHash(of: card)
        source = CardSource.key(uid: details.uid, contentHash: origin)
        entry = ContactEntry(id: id, details, rules)
        doubts = raw.doubts + card.problems(firstLine: raw.firstLine)
    }

    private init(_ card: IncomingCard, uid: String) {
        self.card = card.card.identified(as: uid)
        self.uid = uid
        (origin, entry, doubts, file) = (card.origin, card.entry, card.doubts, card.file)
        source = CardSource.key(uid: uid, contentHash: card.origin)
    }

    /// The same card under another `UID`.
    func identified(as uid: String) -> IncomingCard { IncomingCard(self, uid: uid) }
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
    /// How many bytes may follow each other without a card: more than the longest card, and less than a device gives.
    private static let barrenLimit = Card.maximumLength + (64 << 20)

    private let source: ImportSource
    private let rules: IndexRules
    private var file: CardFileReader
    private var items: ArraySlice<FoundCard> = []
    /// The name of the file that is read, when there are several.
    private var part: String?
    /// Whether the end of the file that is read has still to come.
    private var isPartOpen = true
    private var isFinished = false
    /// Whether something was found in the file that is read.
    private var isPartUsed = false
    /// How many bytes were read since something was found.
    private var barren = 0
    private var ids = AscendingIDs()

    init(_ source: ImportSource, _ rules: IndexRules) {
        self.source = source
        self.rules = rules
        file = CardFileReader(source.format)
    }

    /// What one item of the file is called, as far as its format is known.
    var itemName: String? { file.itemName }

    /// At most `count` more cards; nil at the end.
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
                    file = CardFileReader(source.format)
                    (part, isPartOpen, isPartUsed, barren) = (name, true, false, 0)
                case .problem(let problem): batch.problems.append(problem)
                }
            } else {
                isFinished = true
            }
        }
        return batch.cards.isEmpty && batch.problems.isEmpty && isFinished ? nil : batch
    }

    /// Reads more of the file that is open. What is wrong with one of several files costs that file alone.
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
