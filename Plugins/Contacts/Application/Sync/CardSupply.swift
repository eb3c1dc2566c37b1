import ContactsDomain
import Links

/// Where a sync gets cards from: some were fetched with the whole book, the others are asked for.
struct CardSupply: Sendable {
    private let link: any AddressBookLink
    private let rules: IndexRules
    private let known: [String: RemoteCard]

    /// How many cards are best taken at a time: of a book that is here already, more than can be asked for at once.
    var batch: Int { known.isEmpty ? SyncEngine.batch : 4 * SyncEngine.batch }

    /// `isWhole` says that most of the book is wanted, so that all of it is asked for at once where that is cheaper.
    init(_ link: any AddressBookLink, _ rules: IndexRules, isWhole: Bool) async throws(LinkError) {
        self.link = link
        self.rules = rules
        let cards = isWhole ? try await link.everything() ?? [] : []
        known = Dictionary(cards.map { ($0.href, $0) }) { first, _ in first }
    }

    /// The cards at `places`, read; one that is gone is left out.
    func cards(at places: [String]) async throws(LinkError) -> [FetchedCard] {
        let missing = places.filter { known[$0] == nil }
        let found = places.compactMap { known[$0] }
        let cards = missing.isEmpty ? found : found + (try await link.fetch(missing))
        return cards.map { FetchedCard($0, rules) }
    }
}
